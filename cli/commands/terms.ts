import type { TermsAnswer, TermsChangesAnswer } from '../../packages/client/src/index.ts';
import type { OnceOptions } from '../call-once.ts';
import { UsageError } from '../command-error.ts';
import { asking, ending, type Register } from '../command.ts';
import { changesText, subjectTermsText } from '../terms-text.ts';
import { readNumber } from '../words.ts';

type Options = OnceOptions & {
  readonly changes?: boolean;
  readonly limit?: string;
  readonly before?: string;
};

/** `headroom terms`. */
export const terms: Register = (program) => {
  const command = program
    .command('terms')
    .summary("a subject's own maxima and freezes, and their history")
    .description("Prints a subject's own terms, in force and future.")
    .argument('<kind>', 'such as user')
    .argument('<id>', 'such as u-1')
    .option('--changes', 'print the changes instead, newest first')
    .option('--limit <number>', 'the most changes')
    .option('--before <instant>', 'only changes before this');
  asking(command, 'the answer of GET /v1/subjects/{kind}/{id}/terms').action(
    ending(async (kind: string, id: string, options: Options) => {
      const { callTerms } = await import('../terms-calls.ts');
      const { printAnswer } = await import('../print-answer.ts');
      const { changes = false, limit, before } = options;
      if (!changes && (limit !== undefined || before !== undefined))
        throw new UsageError('--limit and --before need --changes, which is missing.');
      if (changes) {
        const fields = {
          ...(limit === undefined ? {} : { limit: readNumber('--limit', limit) }),
          ...(before === undefined ? {} : { before }),
        };
        const call = { operation: 'changes', kind, id, fields } as const;
        const answer = await callTerms<TermsChangesAnswer>('Not read', options, call);
        await printAnswer(answer, options, changesText);
      } else {
        const call = { operation: 'terms', kind, id } as const;
        const answer = await callTerms<TermsAnswer>('Not read', options, call);
        await printAnswer(answer, options, subjectTermsText);
      }
      return 0;
    }),
  );
};
