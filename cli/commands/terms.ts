import { ending, type Register } from '../command.ts';
import type { OnceOptions } from '../call-once.ts';
import type { TermsAnswer, TermsChangesAnswer } from '../../packages/client/src/index.ts';
import { CALL_HELP } from './usage.ts';

type Options = OnceOptions & {
  readonly changes?: boolean;
  readonly limit?: string;
  readonly before?: string;
};

/** `headroom terms`. */
export const terms: Register = (program) => {
  program
    .command('terms')
    .summary("a subject's own maxima and freezes, and their history")
    .description("Prints a subject's own terms, in force and future.")
    .argument('<kind>', 'such as user')
    .argument('<id>', 'such as u-1')
    .option('--changes', 'print the changes instead, newest first')
    .option('--limit <number>', 'the most changes')
    .option('--before <instant>', 'only changes before this')
    .option('--url <address>', 'ask a deployment: everything before /v1')
    .option('--json', 'print the answer of GET /v1/subjects/{kind}/{id}/terms')
    .addHelpText('after', CALL_HELP)
    .action(
      ending(async (kind: string, id: string, options: Options) => {
        const { printJson } = await import('../output.ts');
        const { callTerms } = await import('../terms-calls.ts');
        const { digitsFor } = await import('../private-digits.ts');
        const { changesText, subjectTermsText } = await import('../terms-text.ts');
        const fields = await changesFields(options);
        if (options.changes === true) {
          const call = { operation: 'changes', kind, id, fields } as const;
          const answer = await callTerms<TermsChangesAnswer>('Not read', options, call);
          if (options.json === true) printJson(answer);
          else console.log(changesText(answer));
          return 0;
        }
        const call = { operation: 'terms', kind, id } as const;
        const answer = await callTerms<TermsAnswer>('Not read', options, call);
        if (options.json === true) printJson(answer);
        else console.log(subjectTermsText(answer, await digitsFor(answer, options)));
        return 0;
      }),
    );
};

async function changesFields(options: Options): Promise<Readonly<Record<string, unknown>>> {
  const { UsageError } = await import('../command-error.ts');
  const { readNumber } = await import('../numbers.ts');
  const { changes, limit, before } = options;
  if (changes !== true && (limit !== undefined || before !== undefined))
    throw new UsageError('--limit and --before need --changes, which is missing.');
  return {
    ...(limit === undefined ? {} : { limit: readNumber('--limit', limit) }),
    ...(before === undefined ? {} : { before }),
  };
}
