import type { CheckAnswer, CheckRequest } from '../../packages/client/src/index.ts';
import { collected, ending, type Register } from '../command.ts';
import type { CallOptions } from '../calls.ts';
import { CALL_HELP } from './usage.ts';

type Options = CallOptions & {
  readonly dryRun?: boolean;
  readonly amount?: string;
  readonly currency?: string;
  readonly type?: string;
  readonly count?: string;
  readonly attribute?: readonly string[];
  readonly request?: string;
};

/** `headroom check --dry-run`. */
export const check: Register = (program) => {
  program
    .command('check')
    .summary('the answer that a check would get (--dry-run)')
    .description('Prints the answer that a check would get now, with its rules. Holds nothing.')
    .argument('[subjects...]', 'kind and id: user:u-1 merchant:m-1')
    .requiredOption('--dry-run', 'required: this command never holds')
    .option('--amount <minor>', 'in minor units: 120000 fen are 1,200.00 yuan')
    .option('--currency <code>', 'such as CNY')
    .option('--type <type>', 'such as PAYMENT')
    .option('--count <number>', 'the number that it adds to counts (1)')
    .option(
      '--attribute <name=value>',
      'an attribute; repeat the option for more: tier=gold',
      collected,
    )
    .option('--request <file>', 'the whole request as JSON instead; - is stdin')
    .option('--url <address>', 'ask a deployment: everything before /v1')
    .option('--json', 'print the answer of POST /v1/check')
    .addHelpText('after', `${CALL_HELP}\nEnds with 0 if the check would be allowed, 1 if refused.`)
    .action(
      ending(async (words: readonly string[], options: Options) => {
        const { dryRunOf } = await import('../dry-run.ts');
        const { printJson } = await import('../output.ts');
        const { calling } = await import('../calls.ts');
        const request = dryRunOf(words, options);
        const isJson = options.json === true;
        // People see every rule, whatever the file says about `report`.
        const asked = isJson ? request : ({ ...request, report: 'all' } as const);
        const answer = await calling('Not asked', options, (client) => client.check(asked));
        if (isJson) printJson(answer);
        else await print(answer, request, options);
        return answer.decision === 'allowed' ? 0 : 1;
      }),
    );
};

async function print(answer: CheckAnswer, request: CheckRequest, options: Options): Promise<void> {
  const { rulesTable, termsText } = await import('../rule-table.ts');
  const { amountText } = await import('../money.ts');
  const { digitsFor } = await import('../private-digits.ts');
  const { unknownKindsText } = await import('../unknown-kinds.ts');
  const { currency } = request;
  const digits = await digitsFor(request, options);
  console.log(decisionText(answer));
  if (answer.undecided === undefined) {
    const { amount, amountBy, earliestAt, earliestBy } = answer.headroom;
    const room =
      amount === null ? 'any amount' : `${amountText(amount, currency, digits)} ${currency}`;
    console.log(
      `Now would pass: ${room}${by(amountBy)}. This one: ${earliestAt ?? 'never'}${by(earliestBy)}.`,
    );
  }
  if (answer.rules.length > 0) console.log(`\n${rulesTable(answer.rules, currency, digits)}`);
  const { frozen, unknownKinds } = { frozen: undefined, unknownKinds: undefined, ...answer };
  const strange = unknownKindsText(unknownKinds);
  console.log(`\n${strange}${termsText(answer.rules, frozen ?? [])}at ${answer.now}`);
}

/** Names the rules that something comes from. */
function by(rules: readonly string[]): string {
  return rules.length === 0 ? '' : ` (${rules.join(', ')})`;
}

function decisionText(answer: CheckAnswer): string {
  const { decision, refusedBy, shadowRefusedBy } = answer;
  const tried = shadowRefusedBy.length === 0 ? '' : `; on trial, ${shadowRefusedBy.join(', ')} too`;
  if (decision === 'allowed')
    return `allowed${shadowRefusedBy.length === 0 ? '' : `; on trial, ${shadowRefusedBy.join(', ')} would refuse`}`;
  switch (answer.reason) {
    case 'no-rule':
      return answer.rules.length === 0
        ? 'refused: no rule applies to it'
        : 'refused: no rule limits its amount';
    case 'frozen':
      return 'refused: a subject is frozen';
    case 'rule':
      return `refused by ${refusedBy.join(', ')}${tried}`;
  }
}
