import type { CallOptions } from '../calls.ts';
import { UsageError } from '../command-error.ts';
import { asking, ending, type Register } from '../command.ts';
import { readPositive } from '../words.ts';

type Options = CallOptions & {
  readonly rule?: string;
  readonly kind?: string;
  readonly share?: string;
  readonly limit: string;
  readonly scan?: boolean;
};

/** `headroom near`. */
export const near: Register = (program) => {
  const command = program
    .command('near')
    .summary('who is near a maximum, nearest first')
    .description('Prints the subjects that reached a share of a maximum, nearest first.')
    .option('--rule <id>', 'only this rule')
    .option('--kind <kind>', 'only this kind of subject: merchant')
    .option('--share <share>', 'the least share: 0.5, 0.8, 0.95 or 1 (0.8)')
    .option('--limit <number>', 'the most rows', '100')
    .option('--scan', 'make the list from the counters of MONGODB_URI first');
  asking(command, 'JSON, for programs').action(
    ending(async ({ rule, kind, share, limit, scan = false, ...options }: Options) => {
      const { printNear, readShare, scanFirst } = await import('../near-list.ts');
      const asked = { rule, kind, share: share === undefined ? undefined : readShare(share) };
      const most = readPositive('--limit', limit);
      if (scan && options.url !== undefined)
        throw new UsageError(
          '--scan stands beside --url, but it reads the database of MONGODB_URI.',
        );
      const scanned = scan ? await scanFirst() : undefined;
      return printNear(asked, most, options, scanned);
    }),
  );
};
