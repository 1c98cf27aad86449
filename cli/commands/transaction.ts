import type { StatusAnswer } from '../../packages/client/src/index.ts';
import { ending, type Register } from '../command.ts';
import type { CallOptions } from '../calls.ts';
import { CALL_HELP } from './usage.ts';

type TransactionOptions = CallOptions & { readonly language?: string };

/** `headroom transaction`. */
export const transaction: Register = (program) => {
  program
    .command('transaction')
    .summary('the state of an order, and its history')
    .description('Prints the state of an order and its history, from the audit.')
    .argument('<order>', "the order's id")
    .option('--app <id>', 'the owner of the order; with --url, if another signs')
    .option('--language <language>', 'of sentences: en (default) or zh')
    .option('--url <address>', 'ask a deployment: everything before /v1')
    .option('--json', 'print the answer of GET /v1/transactions/{orderId}')
    .addHelpText('after', `${CALL_HELP}\nEnds with 1 if the order is unknown.`)
    .action(
      ending(async (orderId: string, options: TransactionOptions) => {
        const { printJson } = await import('../output.ts');
        const { calling } = await import('../calls.ts');
        const { app, language, url } = options;
        const answer = await calling('Not read', options, (client) =>
          client.status(orderId, { language, app: url === undefined ? undefined : app }),
        );
        if (options.json === true) printJson(answer);
        else await print(answer, options);
        return answer.state === 'unknown' ? 1 : 0;
      }),
    );
};

async function print(answer: StatusAnswer, options: CallOptions): Promise<void> {
  const { tableText, visible } = await import('../output.ts');
  const { amountText } = await import('../money.ts');
  const { digitsFor } = await import('../private-digits.ts');
  const digits = await digitsFor(answer, options);
  const { currency, subjects, holdExpiresAt, history } = answer;
  const money = (minor: number | undefined, of: string | undefined): string | undefined => {
    if (minor === undefined) return undefined;
    return of === undefined ? String(minor) : `${amountText(minor, of, digits)} ${of}`;
  };
  const facts = [
    ['state', answer.state],
    ['amount', money(answer.amount, currency)],
    ['refunded', money(answer.refunded, currency)],
    [
      'subjects',
      Object.entries(subjects ?? {})
        .map((each) => each.join(':'))
        .join(' '),
    ],
    [answer.state === 'held' ? 'held until' : 'hold ended', holdExpiresAt],
    ['as of', answer.now],
  ];
  for (const [name = '', value] of facts)
    if (value !== undefined && value !== '') console.log(`${name.padEnd(12)}${visible(value)}`);
  if (history.length === 0) return;
  const rows = history.map((row) => [
    row.at,
    row.operation,
    row.outcome,
    money(row.amount, row.currency) ?? '-',
    [
      ...(row.late === true ? ['late'] : []),
      ...(row.refundId === undefined ? [] : [`refund ${row.refundId}`]),
      ...(row.violations === undefined ? [] : [`by ${row.violations.join(', ')}`]),
      ...(row.reason === undefined ? [] : [JSON.stringify(row.reason)]),
      ...(row.requestId === undefined ? [] : [`request ${row.requestId}`]),
    ].join('; '),
  ]);
  const why = history.flatMap(({ at, refusals = [], frozen = [] }) =>
    [...refusals, ...frozen].map(({ sentence }) => visible(`${at}  ${sentence}`)),
  );
  const names = [{ name: 'at' }, { name: 'call' }, { name: 'outcome' }];
  console.log(
    `\n${tableText([...names, { name: 'amount', isNumber: true }, { name: 'more' }], rows)}`,
  );
  if (why.length > 0) console.log(`\n${why.join('\n')}`);
}
