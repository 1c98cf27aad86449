import type { OnceOptions } from '../call-once.ts';
import { UsageError } from '../command-error.ts';
import { asking, ending, type Register } from '../command.ts';
import { present } from '../../lib/shared/present.ts';
import { changedText, unfrozenText } from '../terms-text.ts';

type Options = OnceOptions & {
  readonly until?: string;
  readonly end?: boolean;
  readonly dryRun?: boolean;
  readonly reason: string;
};

/** `headroom freeze`. */
export const freeze: Register = (program) => {
  const command = program
    .command('freeze')
    .summary('refuse every new check of a subject, until you end it')
    .description('Refuses every new check of a subject. You may still confirm and roll back holds.')
    .argument('<kind>', 'such as user')
    .argument('<id>', 'such as u-1')
    .requiredOption('--reason <text>', 'why: stored with the change')
    .option('--until <instant>', 'the end: 2026-12-01T00:00:00+08:00')
    .option('--end', 'end the freeze now')
    .option('--dry-run', 'print what it would do, and change nothing')
    .option('--by <name>', 'who: stored with the change');
  asking(command, 'the answer of the call').action(
    ending(async (kind: string, id: string, options: Options) => {
      const { changeTerms } = await import('../terms-calls.ts');
      const { reason, until, end = false, dryRun = false } = options;
      if (end && until !== undefined) throw new UsageError('--until stands beside --end.');
      const fields = { reason, ...present({ until }), ...(dryRun ? { dryRun } : {}) };
      const call = { operation: end ? 'unfreeze' : 'freeze', kind, id, fields } as const;
      const text = end && !dryRun ? unfrozenText : changedText;
      return changeTerms('Nothing was changed', options, call, text);
    }),
  );
};
