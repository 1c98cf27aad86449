import type { Command } from 'commander';
import type { CallOptions } from '../calls.ts';
import { ending, type Register } from '../command.ts';
import { CALL_HELP } from './usage.ts';

type TransactionsOptions = CallOptions & {
  readonly decision?: string;
  readonly rule?: string;
  readonly since?: string;
  readonly until?: string;
  readonly before?: string;
  readonly limit?: string;
  readonly language?: string;
};
type UsageOptions = CallOptions & {
  readonly rule?: string;
  readonly zone?: string;
  readonly last?: string;
};
type SummaryOptions = CallOptions & { readonly date?: string; readonly zone?: string };

const URL_OPTION = ['--url <address>', 'ask a deployment: everything before /v1'] as const;
const NOT_READ = 'Not read';

/** `headroom history`. */
export const history: Register = (program) => {
  const group = program
    .command('history')
    .summary('the past of a user or a merchant, and of a day')
    .description('Prints the past from the audit.');
  transactions(group);
  usage(group);
  summary(group);
};

function transactions(group: Command): void {
  group
    .command('transactions')
    .summary('every operation on orders of some subjects')
    .description('Prints the operations on orders of these subjects, newest first.')
    .argument(
      '[subjects...]',
      'kind and id: user:u-1 merchant:m-1; none: refused checks of all subjects',
    )
    .option('--decision <decision>', 'only checks that were allowed, or refused')
    .option('--rule <id>', 'only checks that this rule refused')
    .option('--since <instant>', 'the first instant: 2026-11-20T00:00:00+08:00')
    .option('--until <instant>', 'the first instant that is left out')
    .option('--limit <number>', 'the most rows (20)')
    .option('--before <next>', 'the page after the one that ended with this')
    .option('--language <language>', 'of sentences: en (default) or zh')
    .option(...URL_OPTION)
    .option('--json', 'print the answer of GET /v1/transactions')
    .addHelpText('after', CALL_HELP)
    .action(
      ending(async (words: readonly string[], options: TransactionsOptions) => {
        const { printJson } = await import('../output.ts');
        const { readSubjects } = await import('../subjects.ts');
        const { readNumber } = await import('../numbers.ts');
        const { calling } = await import('../calls.ts');
        const { digitsFor } = await import('../private-digits.ts');
        const { transactionsText } = await import('../history-text.ts');
        const { decision, rule, since, until, before, language, limit } = options;
        const asked = {
          ...{ rule, since, until, before, language },
          ...(words.length === 0 ? {} : { subjects: readSubjects(words) }),
          decision: decision as 'refused' | undefined, // the call says what it may be
          ...(limit === undefined ? {} : { limit: readNumber('--limit', limit) }),
        };
        const answer = await calling(NOT_READ, patient(options), (client) =>
          client.transactions(asked),
        );
        if (options.json === true) printJson(answer);
        else console.log(transactionsText(answer, await digitsFor(answer, options)));
        return 0;
      }),
    );
}

function usage(group: Command): void {
  group
    .command('usage')
    .summary('the sums of subjects, by day or month')
    .description('Prints the sums of these subjects, without refunds.')
    .argument('<subjects...>', 'kind and id: user:u-1 merchant:m-1')
    .option('--last <stretch>', 'P1D to P31D, P1M to P13M (P7D)')
    .option('--rule <id>', 'only payments that this rule counts, in its windows')
    .option('--zone <name>', 'the time zone of days and months (UTC)')
    .option(...URL_OPTION)
    .option('--json', 'print the answer of GET /v1/usage/history')
    .addHelpText('after', CALL_HELP)
    .action(
      ending(async (words: readonly string[], options: UsageOptions) => {
        const { printJson } = await import('../output.ts');
        const { readSubjects } = await import('../subjects.ts');
        const { calling } = await import('../calls.ts');
        const { digitsFor } = await import('../private-digits.ts');
        const { usageHistoryText } = await import('../history-text.ts');
        const { rule, zone, last } = options;
        const asked = { rule, zone, last, subjects: readSubjects(words) };
        const answer = await calling(NOT_READ, patient(options), (client) =>
          client.usageHistory(asked),
        );
        if (options.json === true) printJson(answer);
        else console.log(usageHistoryText(answer, await digitsFor(answer, options)));
        return 0;
      }),
    );
}

function summary(group: Command): void {
  group
    .command('summary')
    .summary('the sums of a day of a kind of subject')
    .description('Prints the confirmed, refunded and refused payments of a day.')
    .argument('<kind>', 'of subjects: user, merchant')
    .option('--date <date>', 'the day (today): 2026-11-20')
    .option('--zone <name>', 'the time zone of the day (UTC)')
    .option(...URL_OPTION)
    .option('--json', 'print the answer of GET /v1/summary')
    .addHelpText('after', CALL_HELP)
    .action(
      ending(async (kind: string, options: SummaryOptions) => {
        const { printJson } = await import('../output.ts');
        const { calling } = await import('../calls.ts');
        const { digitsFor } = await import('../private-digits.ts');
        const { summaryText } = await import('../history-text.ts');
        const { date, zone } = options;
        const answer = await calling(NOT_READ, patient(options), (client) =>
          client.summary({ kind, date, zone }),
        );
        if (options.json === true) printJson(answer);
        else console.log(summaryText(answer, await digitsFor(answer, options)));
        return 0;
      }),
    );
}

/** Many rows take longer than payments would wait. */
function patient(options: CallOptions): CallOptions {
  return { ...options, storeTimeoutMs: '8000' };
}
