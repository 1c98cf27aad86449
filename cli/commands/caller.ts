import type { Actor } from '../../lib/shared/actor.ts';
import type { CallerAnswer } from '../../packages/client/src/index.ts';
import type { OnceOptions } from '../call-once.ts';
import { ending, type Register } from '../command.ts';
import { CALL_HELP } from './usage.ts';

/** `headroom caller`. */
export const caller: Register = (program) => {
  program
    .command('caller')
    .summary('who you are to Headroom, and what you may do')
    .description('Prints who calls, which rights they have, and what needs a second person.')
    .option('--by <name>', 'who: as changes would keep it')
    .option('--url <address>', 'ask a deployment: everything before /v1')
    .option('--json', 'print the answer of GET /v1/caller')
    .addHelpText('after', CALL_HELP)
    .action(
      ending(async (options: OnceOptions) => {
        const { printJson, visible } = await import('../output.ts');
        const { callOnce } = await import('../call-once.ts');
        const { actorText } = await import('../../lib/shared/actor.ts');
        const call = { function: 'proposals', request: { operation: 'caller' } } as const;
        const answer = await callOnce<CallerAnswer>('Not told', options, call);
        if (options.json === true) printJson(answer);
        else
          for (const [name, says] of linesOf(answer, actorText))
            console.log(visible(`${name.padEnd(15)}${says}`));
        return 0;
      }),
    );
};

const SECOND_PERSON: Readonly<Record<CallerAnswer['fourEyes'], string>> = {
  none: 'no change needs one',
  raises: 'changes by which more may pass need one',
  all: 'every change needs one',
};

function linesOf(
  { by, rights, fourEyes }: CallerAnswer,
  nameOf: (actor: Actor) => string,
): readonly (readonly [string, string])[] {
  return [
    ['you are', nameOf(by)],
    ['rights', rights.join(', ') || 'none'],
    ['second person', SECOND_PERSON[fourEyes]],
  ];
}
