import { ending, type Register } from '../command.ts';
import type { OnceOptions } from '../call-once.ts';
import type { TermsCall } from '../terms-calls.ts';
import type { TermsChangeAnswer } from '../../packages/client/src/index.ts';
import { CALL_HELP } from './usage.ts';

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
  program
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
    .option('--by <name>', 'who: stored with the change')
    .option('--url <address>', 'ask a deployment: everything before /v1')
    .option('--json', 'print the answer of the call')
    .addHelpText('after', CALL_HELP)
    .action(
      ending(async (kind: string, id: string, rule: string | undefined, options: Options) => {
        const { printJson } = await import('../output.ts');
        const { callTerms } = await import('../terms-calls.ts');
        const { digitsFor } = await import('../private-digits.ts');
        const { changedText } = await import('../terms-text.ts');
        const { DONE, NOT_DONE } = await import('../exit-codes.ts');
        const call = { kind, id, ...(await wishOf(rule, options)) };
        const isAsking = call.operation === 'terms' || call.operation === 'findOverride';
        const notDone = isAsking ? 'Not read' : 'Nothing was changed';
        if (/^\d+$/.test(options.maxAmount ?? 'none')) {
          const { overrideWarnings } = await import('../override-warnings.ts');
          for (const each of await overrideWarnings(options, call, Number(options.maxAmount)))
            console.error(`Warning: ${each}`);
        }
        const answer = await callTerms<TermsChangeAnswer>(notDone, options, call);
        if (options.json === true) printJson(answer);
        else console.log(changedText(answer, await digitsFor(answer, options), options.url));
        return 'proposal' in answer ? NOT_DONE : DONE;
      }),
    );
};

/** Options that only a change has, and only one that gives something. */
const CHANGING = ['reason', 'by', 'dryRun'] as const;
const GIVING = ['maxAmount', 'maxCount', 'after', 'until'] as const;

async function wishOf(
  rule: string | undefined,
  options: Options,
): Promise<Pick<TermsCall, 'operation' | 'rule' | 'fields'>> {
  const { UsageError } = await import('../command-error.ts');
  const { readMaximum } = await import('../numbers.ts');
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
