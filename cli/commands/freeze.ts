import { ending, type Register } from '../command.ts';
import type { OnceOptions } from '../call-once.ts';
import type { TermsChangeAnswer } from '../../packages/client/src/index.ts';
import { CALL_HELP } from './usage.ts';

type Options = OnceOptions & {
  readonly until?: string;
  readonly end?: boolean;
  readonly reason: string;
};

/** `headroom freeze`. */
export const freeze: Register = (program) => {
  program
    .command('freeze')
    .summary('refuse every new check of a subject, until you end it')
    .description('Refuses every new check of a subject. You may still confirm and roll back holds.')
    .argument('<kind>', 'such as user')
    .argument('<id>', 'such as u-1')
    .requiredOption('--reason <text>', 'why: stored with the change')
    .option('--until <instant>', 'the end: 2026-12-01T00:00:00+08:00')
    .option('--end', 'end the freeze now')
    .option('--by <name>', 'who: stored with the change')
    .option('--url <address>', 'ask a deployment: everything before /v1')
    .option('--json', 'print the answer of the call')
    .addHelpText('after', CALL_HELP)
    .action(
      ending(async (kind: string, id: string, options: Options) => {
        const { UsageError } = await import('../command-error.ts');
        const { printJson } = await import('../output.ts');
        const { callTerms } = await import('../terms-calls.ts');
        const { digitsFor } = await import('../private-digits.ts');
        const { changedText, unfrozenText } = await import('../terms-text.ts');
        const { DONE, NOT_DONE } = await import('../exit-codes.ts');
        const { reason, until, end = false } = options;
        if (end && until !== undefined) throw new UsageError('--until stands beside --end.');
        const answer = await callTerms<TermsChangeAnswer>('Nothing was changed', options, {
          ...{ operation: end ? 'unfreeze' : 'freeze', kind, id },
          fields: { reason, ...(until === undefined ? {} : { until }) },
        });
        if (options.json === true) printJson(answer);
        else {
          const digits = await digitsFor(answer, options);
          console.log((end ? unfrozenText : changedText)(answer, digits, options.url));
        }
        return 'proposal' in answer ? NOT_DONE : DONE;
      }),
    );
};
