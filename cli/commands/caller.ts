import { actorText } from '../../lib/shared/actor.ts';
import type { CallerAnswer } from '../../packages/client/src/index.ts';
import type { OnceOptions } from '../call-once.ts';
import { asking, ending, type Register } from '../command.ts';
import { visible } from '../output.ts';

/** `headroom caller`. */
export const caller: Register = (program) => {
  const command = program
    .command('caller')
    .summary('who you are to Headroom, and what you may do')
    .description('Prints who calls, which rights they have, and what needs a second person.')
    .option('--by <name>', 'who: as changes would keep it');
  asking(command, 'the answer of GET /v1/caller').action(
    ending(async (options: OnceOptions) => {
      const { callOnce } = await import('../call-once.ts');
      const { printAnswer } = await import('../print-answer.ts');
      const call = { function: 'proposals', request: { operation: 'caller' } } as const;
      const answer = await callOnce<CallerAnswer>('Not told', options, call);
      await printAnswer(answer, options, callerText);
      return 0;
    }),
  );
};

const SECOND_PERSON: Readonly<Record<CallerAnswer['fourEyes'], string>> = {
  none: 'no change needs one',
  raises: 'changes by which more may pass need one',
  all: 'every change needs one',
};

function callerText({ by, rights, fourEyes }: CallerAnswer): string {
  const facts = [
    ['you are', actorText(by)],
    ['rights', rights.join(', ') || 'none'],
    ['second person', SECOND_PERSON[fourEyes]],
  ] as const;
  return facts.map(([name, says]) => visible(`${name.padEnd(15)}${says}`)).join('\n');
}
