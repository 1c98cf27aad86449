import { UndecidedError } from '../../lib/shared/errors.ts';
import type { OneCommit, Together } from '../../lib/audit/one-commit.ts';
import type { Statements } from '../../lib/document/statements.ts';
import type { Documents, ServerClock } from '../support/mingo-store.ts';
import { mingoStatements } from '../support/mingo-store.ts';
import type { Issue } from './moves.ts';
import { tellsNoTime } from './statement-steps.ts';

/** Names the steps of a commit, in place of a document. */
export const COMMIT = '(commit)';

/** Times that a commit begins again: as often as five seconds of pauses allow, and more. */
const TRIES_MAX = 50;

/** Makes the stores of a commit, over statements that nobody else sees, on documents of its own. */
export type Stores = (statements: Statements, own: Documents, inCommit: Issue) => Together;

/**
 * A commit that sees everything as it was before its first statement. Each of them is a step, and so is
 * its end, at which it begins again if somebody else wrote a document meanwhile that it writes, too.
 * MongoDB ends one of the two earlier, when it writes; what can be seen afterwards is the same.
 *
 * @param storesOver gives the stores of the commit
 * @param isBlind whether it ends without a look at what others wrote, by mistake
 */
export function commitOver(
  documents: Documents,
  clock: ServerClock,
  issue: Issue,
  storesOver: Stores,
  isBlind = false,
): OneCommit {
  return async (work) => {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      let before: Documents = new Map();
      let begun: Promise<unknown> | undefined;
      const own: Documents = new Map();
      const begin = (): Promise<unknown> => issue('begin', COMMIT, false, () => Promise.resolve());
      let hasSeen = false;
      const see = (): void => {
        if (hasSeen) return;
        hasSeen = true;
        before = new Map(documents);
        for (const [id, document] of before) own.set(id, document);
      };
      const inCommit: Issue = async (name, _, isWrite, effect) => {
        await (begun ??= begin());
        return issue(`${name} in the commit`, COMMIT, isWrite, () => {
          see();
          return effect();
        });
      };
      const statements = within(mingoStatements(own, clock), inCommit);
      const result = await work(storesOver(statements, own, inCommit));
      const isDone = await issue('commit', COMMIT, true, () =>
        Promise.resolve(takeOver(documents, before, own, isBlind)),
      );
      if (isDone === true) return result;
    }
    throw new UndecidedError('other commits kept coming first');
  };
}

/** Statements that nobody else sees until the commit ends. */
function within(statements: Statements, issue: Issue): Statements {
  const step = <T>(name: string, effect: () => Promise<T>): Promise<T> =>
    issue(name, COMMIT, false, effect) as Promise<T>; // what the effect gives
  return {
    update: (update) => step('update', () => statements.update(update)),
    make: (id, pipeline, projection) =>
      step('make', () => statements.make(id, pipeline, projection)),
    find: (ids, projection) => step('find', () => statements.find(ids, projection)),
    now: tellsNoTime,
    pause: statements.pause,
  };
}

/** Writes what was changed, unless somebody else changed it since. */
function takeOver(
  documents: Documents,
  before: Documents,
  own: Documents,
  isBlind: boolean,
): boolean {
  const written = [...own].filter(([id, document]) => before.get(id) !== document);
  if (!isBlind && written.some(([id]) => documents.get(id) !== before.get(id))) return false;
  for (const [id, document] of written) documents.set(id, document);
  return true;
}
