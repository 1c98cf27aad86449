import type { OnceOptions } from '../call-once.ts';
import { UsageError } from '../command-error.ts';
import { asking, ending, type Register } from '../command.ts';
import type { TermsCall } from '../terms-calls.ts';
import { changedText } from '../terms-text.ts';
import { readMaximum } from '../words.ts';

type Options = OnceOptions & {
  readonly maxAmount?: string;
  readonly maxCount?: string;
  readonly after?: string;
  readonly until?: string;
  readonly end?: boolean | string;
  readonly dryRun?: boolean;
  readonly reason?: string;
};

/** `headroom override`. */
export const override: Register = (program) => {
  const command = program
    .command('override')
    .summary('give one subject a maximum of its own')
    .description('Gives a subject its own maximum of a rule, ends it (--end), or prints it.')
    .usage('<kind> <id> [rule] [options]')
    .argument('<kind>')
    .argument('<id>')
    .argument('[rule]')
    .option('--max-amount <minor>', 'in minor units, or none: no maximum')
    .option('--max-count <number>', 'of payments, or none: no maximum')
    .option('--after <duration>', 'the time until the start: PT24H')
    .option('--until <instant>', 'the end: 2026-12-01T00:00:00+08:00')
    .option('--end [id]', 'end the override now; of several the one with this id, or all')
    .option('--dry-run', 'print what it would do, and change nothing')
    .option('--reason <text>', 'why: stored with the change')
    .option('--by <name>', 'who: stored with the change');
  asking(command, 'the answer of the call').action(
    ending(async (kind: string, id: string, rule: string | undefined, options: Options) => {
      const { changeTerms, isAsking } = await import('../terms-calls.ts');
      const call = { kind, id, ...wishOf(rule, options) };
      const notDone = isAsking(call) ? 'Not read' : 'Nothing was changed';
      if (/^\d+$/.test(options.maxAmount ?? 'none')) {
        const { overrideWarnings } = await import('../override-warnings.ts');
        for (const each of await overrideWarnings(options, call, Number(options.maxAmount)))
          console.error(`Warning: ${each}`);
      }
      return changeTerms(notDone, options, call, changedText);
    }),
  );
};

/** Options that only a change has, and only one that gives something. */
const CHANGING = ['reason', 'by', 'dryRun'] as const;
const GIVING = ['maxAmount', 'maxCount', 'after', 'until'] as const;

function wishOf(
  rule: string | undefined,
  options: Options,
): Pick<TermsCall, 'operation' | 'rule' | 'fields'> {
  const { maxAmount, maxCount, after, until, end = false, reason } = options;
  const isGiving = GIVING.some((name) => options[name] !== undefined);
  const isChanging =
    isGiving || end !== false || CHANGING.some((name) => options[name] !== undefined);
  if (!isChanging) return { operation: rule === undefined ? 'terms' : 'findOverride', rule };
  if (rule === undefined) throw new UsageError('Expected a rule.');
  if (reason === undefined)
    throw new UsageError('Expected --reason, which Headroom stores with the change.');
  if (end !== false && isGiving)
    throw new UsageError('--end stands beside a maximum or an instant.');
  const tried = options.dryRun === true ? { dryRun: true } : {};
  if (end !== false) {
    const one = end === true ? {} : { overrideId: end };
    return { operation: 'endOverride', rule, fields: { ...one, ...tried, reason } };
  }
  if (maxAmount === undefined && maxCount === undefined)
    throw new UsageError('Expected --max-amount, --max-count, both, or --end.');
  const max = {
    ...(maxAmount === undefined ? {} : { amount: readMaximum('--max-amount', maxAmount) }),
    ...(maxCount === undefined ? {} : { count: readMaximum('--max-count', maxCount) }),
  };
  const stretch = {
    ...(after === undefined ? {} : { effectiveAfter: after }),
    ...(until === undefined ? {} : { until }),
  };
  return { operation: 'override', rule, fields: { max, ...stretch, ...tried, reason } };
}
