import type { CounterStore } from './counter-store.ts';
import { addingTo } from './adding.ts';
import { KnownLists } from './known-lists.ts';
import type { Adding, Statements } from './statements.ts';
import { viewProjection } from './projection.ts';
import { readView } from './stored.ts';
import { settlingIn } from './settling.ts';
import { changeTerms, letGoSooner } from './terms-documents.ts';

/** Keeps counters by conditional updates. What matched nothing decides nothing: the document is read then. */
export function countersOver(
  statements: Statements,
  { together, ...options }: Omit<Adding, 'statements' | 'lists'> & Pick<CounterStore, 'together'>,
): CounterStore {
  const adding: Adding = { statements, lists: new KnownLists(), ...options };
  return {
    outcomesMax: options.outcomesMax,
    isOneCommit: options.isOneCommit,
    lanes: options.lanes,
    together,
    hold: (ask, at) => addingTo(adding, at === undefined ? ask : { ...ask, at, estimate: at }),
    settle: (documentId, asks, estimate, at) =>
      settlingIn(adding, documentId, { asks, isBeside: false }, estimate, at),
    settleShares: (documentId, asks, estimate, at) =>
      settlingIn(adding, documentId, { asks, isBeside: true }, estimate, at),
    changeTerms: (documentId, change, now) => changeTerms(statements, documentId, change, now),
    shorten: (documentId, now) => letGoSooner(statements, documentId, now),
    async read(documentIds, ids, estimate, at, countsApp) {
      const projection = viewProjection(ids, 'theirs', at, countsApp);
      const found = await statements.find(documentIds, projection);
      return new Map(found.map((one) => [one._id, readView(one, ids, at ?? estimate)]));
    },
    now: statements.now,
  };
}
