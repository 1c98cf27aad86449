/** Rules of what failures count, each left out once. */
import type { ShareSettleAsk } from '../../lib/document/counter-store.ts';
import type { Documents } from '../support/mingo-store.ts';
import type { Mistake } from './planting.ts';
import { changed, foundIn, sending } from './planting.ts';
import type { Stored, StoredOutcome } from './stored.ts';
import { KEYS, bucketsOf, expiredOf, holdsOf, outcomesOf, untilOf, withUsed } from './stored.ts';

/** A store that settles shares otherwise. */
function settling(
  name: string,
  other: (ask: ShareSettleAsk, codes: ReadonlyMap<string, string | undefined>) => ShareSettleAsk,
): Mistake {
  /** By order of a story: the code with which a caller rolled it back last. */
  const known = new WeakMap<Documents, Map<string, string | undefined>>();
  return changed(name, (counters, documents) => {
    const codes = known.get(documents) ?? new Map<string, string | undefined>();
    known.set(documents, codes);
    return {
      settle: (document, asks, ...at) => {
        for (const { id, reasonCode } of asks) codes.set(id, reasonCode);
        return counters.settle(document, asks, ...at);
      },
      settleShares: (document, asks, ...at) => {
        const others = asks.map((ask) => other(ask, codes));
        return counters.settleShares(document, others, ...at);
      },
    };
  });
}

export const GIVEN_BACK_FAILS = foundIn(
  { documents: 2, changes: ['failures'], from: 8 },
  settling('what an attempt gives back is a failure', (ask) =>
    ask.to === 'withdrawn' ? { ...ask, to: 'rolledBack', reasonCode: 'wrong-pin' } : ask,
  ),
);

export const OWN_CODE_BESIDE = settling(
  'a repeat of a rollback counts beside home by its own code',
  (ask, codes) =>
    ask.to === 'rolledBack' && codes.has(ask.id) ? { ...ask, reasonCode: codes.get(ask.id) } : ask,
);

export const NO_CODE_BESIDE = foundIn(
  { documents: 2, changes: ['failures'], from: 5 },
  settling('a rollback has no code beside home', (ask) =>
    ask.to === 'rolledBack' ? { ...ask, reasonCode: undefined } : ask,
  ),
);

const countsFailures = (bucket: string): boolean => KEYS.ofFailures.test(bucket);

/** Counts in some buckets of a document once more what its write has ended just now. */
export function countingMore(
  name: string,
  more: (
    before: Stored | undefined,
    after: Stored,
    isNew: (nonce: string) => boolean,
  ) => readonly { readonly bucket: string; readonly amount: number }[],
): Mistake {
  const apply = (documents: Documents, id: string, before: Stored | undefined): void => {
    const after = documents.get(id);
    if (after === undefined) return;
    const known = outcomesOf(before).filter(({ state }) => state !== 'expired');
    const isNew = (nonce: string): boolean => !known.some((one) => one.nonce === nonce);
    const changed = more(before, after, isNew).reduce(
      (document, { bucket, amount }) => withUsed(document, bucket, amount),
      after,
    );
    documents.set(id, changed);
  };
  return {
    name,
    effect: (documents, _, effect) => async () => {
      const before = new Map(documents);
      const answer = await effect();
      for (const [id, document] of documents)
        if (document !== before.get(id)) apply(documents, id, before.get(id));
      return answer;
    },
  };
}

/** Failures of holds that were over, which were rolled back just now, in windows of which some are asked for. */
function lateIn(isAsked: (bucket: string, after: Stored) => boolean) {
  return (
    before: Stored | undefined,
    after: Stored,
    isNew: (nonce: string) => boolean,
  ): readonly { readonly bucket: string; readonly amount: number }[] => {
    const ended = outcomesOf(after).filter(
      ({ nonce, state }) => state === 'rolledBack' && isNew(nonce),
    );
    return expiredOf(before)
      .filter(({ nonce }) => ended.some((one) => one.nonce === nonce))
      .flatMap(({ buckets, amount }) =>
        buckets
          .filter((bucket) => countsFailures(bucket) && isAsked(bucket, after))
          .map((bucket) => ({ bucket, amount })),
      );
  };
}

const isLive = (bucket: string, document: Stored): boolean =>
  bucketsOf(document).some(({ name }) => name === bucket);

export const LATE_COUNTS_TWICE = foundIn(
  { documents: 1, changes: ['failures'], from: 61 },
  countingMore('a failure that is told of late counts twice', lateIn(isLive)),
);

export const LATE_COUNTS_ANYWHERE = foundIn(
  { documents: 1, changes: ['failures'], from: 10 },
  countingMore(
    'a failure that is told of late counts in a window that is over',
    lateIn((bucket, document) => !isLive(bucket, document) && untilOf(bucket.split(' ')) > 0),
  ),
);

export const NO_CODE_COUNTS = foundIn(
  { documents: 1, changes: ['failures'] },
  countingMore(
    'a rollback without a code counts where a rule names codes',
    (before, after, isNew) => {
      const ended = outcomesOf(after).filter(
        ({ nonce, state, reasonCode }) =>
          state === 'rolledBack' && reasonCode === undefined && isNew(nonce),
      );
      return holdsOf(before)
        .filter(({ nonce }) => ended.some((one) => one.nonce === nonce))
        .flatMap(({ buckets, amount }) =>
          buckets
            .filter((bucket) => KEYS.ofCodes.test(bucket))
            .map((bucket) => ({ bucket, amount })),
        );
    },
  ),
);

/** Whether a document ended an order just now that was never held there; a sweep is none. */
function isCaptured({ id, nonce, state }: StoredOutcome, before: Stored | undefined): boolean {
  const known = [...holdsOf(before), ...expiredOf(before), ...outcomesOf(before)];
  const isNew = !known.some((one) => one.nonce === nonce);
  return isNew && state === 'confirmed' && id.includes('o-');
}

export const CAPTURE_TAKES_A_PLACE = foundIn(
  { documents: 1, changes: ['failures'], from: 2 },
  countingMore('an order that counts at once takes a place among failures', (before, after) =>
    outcomesOf(after)
      .filter((outcome) => isCaptured(outcome, before))
      .flatMap(({ amount }) =>
        bucketsOf(after)
          .filter(({ name }) => countsFailures(name))
          .map(({ name }) => ({ bucket: name, amount })),
      ),
  ),
);

export const KEPT_ONCE_COUNTED: Mistake = {
  name: 'a failed share stays kept once it is counted late',
  found: { documents: 2, changes: ['failures'], from: 62 },
  statements: sending((update) => {
    const { $inc = {}, $pull = {}, ...others } = update.update;
    const isCounted = Object.keys($inc).some((path) => countsFailures(path.slice('b.'.length)));
    return isCounted && 'kept' in $pull ? { ...update, update: { $inc, ...others } } : update;
  }),
};

export const CAPTURE_ASKS_NO_PLACE: Mistake = {
  name: 'an order that counts at once asks for no place among failures',
  found: { documents: 1, changes: ['failures'], from: 240 },
  statements: sending((update) => {
    const isCapture = '$push' in update.update && update.returns?.document === 'after';
    if (!isCapture) return update;
    const filter = Object.entries(update.filter).filter(
      ([path]) => !(path.startsWith('b.') && countsFailures(path.slice('b.'.length))),
    );
    return { ...update, filter: Object.fromEntries(filter) };
  }),
};
