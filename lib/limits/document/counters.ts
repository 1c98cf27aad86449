import type { CounterStore } from '../counter-store.ts';
import { addingTo } from './adding.ts';
import type { Adding, Statements, Lanes } from './statements.ts';
import { viewProjection } from './projection.ts';
import { readView } from './stored.ts';
import { settlingIn } from './settling.ts';
import { changeTerms, shorten } from './terms.ts';
import { SERVER_NOW } from './update.ts';

/** What a store of counters is made of, beside the statements. */
export type CountersOptions = {
  readonly outcomesMax: number;
  readonly lanes: Lanes;
  readonly isOneCommit: boolean;
  readonly together: CounterStore['together'];
};

/**
 * Keeps counters by conditional updates: add only where it fits, take only what is there. What matched
 * nothing decides nothing; the document is read then, and `decide.ts` says what it becomes.
 */
export function countersOver(statements: Statements, options: CountersOptions): CounterStore {
  const { outcomesMax, lanes } = options;
  const adding: Adding = { statements, outcomesMax, lanes, isOneCommit: options.isOneCommit };
  return {
    outcomesMax,
    isOneCommit: options.isOneCommit,
    together: options.together,
    hold: (documentId, ask, at) =>
      addingTo({
        ...adding,
        ...{ documentId, ask, at, estimate: at ?? ask.estimate, serverNow: at ?? SERVER_NOW },
      }),
    settle: (documentId, asks, estimate, at) =>
      settlingIn(adding, documentId, { asks, isBeside: false }, estimate, at),
    settleShares: (documentId, asks, estimate, at) =>
      settlingIn(adding, documentId, { asks, isBeside: true }, estimate, at),
    changeTerms: (documentId, change, now) => changeTerms(statements, documentId, change, now),
    shorten: (documentId, now) => shorten(statements, documentId, now),
    async read(documentIds, ids, estimate, at) {
      const found = await statements.find(documentIds, viewProjection(ids, 'theirs', at));
      return new Map(found.map((one) => [one._id, readView(one, ids, at ?? estimate)]));
    },
    now: statements.now,
  };
}
