import type { Command } from 'commander';
import type { HeadroomClient } from '../../packages/client/src/index.ts';
import type { CallOptions } from '../calls.ts';
import { asking, ending, type Register } from '../command.ts';
import { summaryText, transactionsText, usageHistoryText } from '../history-text.ts';
import type { Digits } from '../money.ts';
import { readNumber, readSubjects } from '../words.ts';

type TransactionsOptions = CallOptions & {
  readonly decision?: 'refused'; // the call says what it may be
  readonly rule?: string;
  readonly reason?: 'frozen'; // likewise
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
  const command = group
    .command('transactions')
    .summary('every operation on orders of some subjects')
    .description('Prints the operations on orders of these subjects, newest first.')
    .argument('[subjects...]', 'kind and id: user:u-1; none: all refused checks')
    .option('--decision <decision>', 'only checks that were allowed, or refused')
    .option('--rule <id>', 'only checks that this rule refused')
    .option('--reason <reason>', 'only checks refused as no-rule, or frozen')
    .option('--since <instant>', 'the first instant: 2026-11-20T00:00:00+08:00')
    .option('--until <instant>', 'the first instant that is left out')
    .option('--limit <number>', 'the most rows (20)')
    .option('--before <next>', 'the page after the one that ended with this')
    .option('--language <language>', 'of sentences: en (default) or zh');
  asking(command, 'the answer of GET /v1/transactions').action(
    ending(async (words: readonly string[], options: TransactionsOptions) => {
      const { decision, rule, reason, since, until, before, language, limit } = options;
      const asked = {
        decision,
        rule,
        reason,
        since,
        until,
        before,
        language,
        ...(words.length === 0 ? {} : { subjects: readSubjects(words) }),
        ...(limit === undefined ? {} : { limit: readNumber('--limit', limit) }),
      };
      return printPast(options, (client) => client.transactions(asked), transactionsText);
    }),
  );
}

function usage(group: Command): void {
  const command = group
    .command('usage')
    .summary('the sums of subjects, by day or month')
    .description('Prints the sums of these subjects, without refunds.')
    .argument('<subjects...>', 'kind and id: user:u-1 merchant:m-1')
    .option('--last <stretch>', 'P1D to P31D, P1M to P13M (P7D)')
    .option('--rule <id>', 'only payments that this rule counts, in its windows')
    .option('--zone <name>', 'the time zone of days and months (UTC)');
  asking(command, 'the answer of GET /v1/usage/history').action(
    ending(async (words: readonly string[], options: UsageOptions) => {
      const { rule, zone, last } = options;
      const asked = { rule, zone, last, subjects: readSubjects(words) };
      return printPast(options, (client) => client.usageHistory(asked), usageHistoryText);
    }),
  );
}

function summary(group: Command): void {
  const command = group
    .command('summary')
    .summary('the sums of a day of a kind of subject')
    .description('Prints the confirmed, refunded and refused payments of a day.')
    .argument('<kind>', 'of subjects: user, merchant')
    .option('--date <date>', 'the day (today): 2026-11-20')
    .option('--zone <name>', 'the time zone of the day (UTC)');
  asking(command, 'the answer of GET /v1/summary').action(
    ending(async (kind: string, options: SummaryOptions) => {
      const { date, zone } = options;
      return printPast(options, (client) => client.summary({ kind, date, zone }), summaryText);
    }),
  );
}

/** Asks about many rows, which takes longer than payments would wait. */
async function printPast<Answer>(
  options: CallOptions,
  ask: (client: HeadroomClient) => Promise<Answer>,
  textOf: (answer: Answer, digits: Digits) => string,
): Promise<number> {
  const { calling } = await import('../calls.ts');
  const { printAnswer } = await import('../print-answer.ts');
  const answer = await calling('Not read', { ...options, storeTimeoutMs: '8000' }, ask);
  await printAnswer(answer, options, textOf);
  return 0;
}
