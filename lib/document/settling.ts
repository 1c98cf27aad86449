import { valuesIn } from '../counter/kinds.ts';
import { ATTEMPTS_MAX, COUNTER_SUM_MAX } from '../shared/bounds.ts';
import type { Writable } from '../shared/writable.ts';
import type { DocumentView, Hold } from './document.ts';
import { currentEntry, emptyView, viewsByOrder } from './document.ts';
import type { KnownLists } from './known-lists.ts';
import { LostAnswerError, SubjectFullError, UndecidedError } from '../shared/errors.ts';
import type { HomeSettleAsk, ShareSettleAsk } from './counter-store.ts';
import type { Adding } from './statements.ts';
import { viewProjection } from './projection.ts';
import { readView } from './stored.ts';
import type { Move } from './take.ts';
import { overflows, take } from './take.ts';
import { placesFor } from './remembered.ts';
import type { Update } from './update.ts';
import { SERVER_NOW } from './update.ts';
import { isOver } from '../counter/effect.ts';

/** All of orders whose home the document is, or of shares beside home. */
type Settlements = {
  readonly asks: readonly (HomeSettleAsk | ShareSettleAsk)[];
  readonly isBeside: boolean;
};

const TAKES_MAX = 2 * ATTEMPTS_MAX;

/**
 * Settles entries of one document; gives it as it was before, undefined where there is none. If the answer to a
 * take is lost, the document is read: it shows an entry to take again, or how it ended, as a repeat sees it.
 */
export async function settlingIn(
  { statements, outcomesMax, lanes, lists }: Adding,
  documentId: string,
  { asks, isBeside }: Settlements,
  estimate: Date,
  at: Date | undefined,
): Promise<DocumentView | undefined> {
  const now = at ?? estimate;
  let endsAtMs: number | undefined;
  const send = async (update: Update) => {
    try {
      return await statements.update(update, endsAtMs);
    } catch (error) {
      if (!(error instanceof LostAnswerError)) throw error;
      ({ endsAtMs } = error);
      return undefined;
    }
  };
  const reserved = lanes.takesPlain(documentId, 'settle')
    ? reservedMoves(asks, now, lists)
    : undefined;
  if (reserved !== undefined) {
    const taking = { documentId, moves: reserved, now };
    const found = await send(take(taking, at ?? SERVER_NOW));
    if (found !== undefined) {
      lanes.note('plain');
      // The document before, as far as an answer asks.
      const holds = reserved.map(({ hold }) => hold);
      const writes = Number(found.q ?? 0);
      const [entries, shares] = isBeside ? [[], holds] : [holds, []];
      return { ...emptyView(now), writes, databaseNow: found.now, entries, shares };
    }
  }
  lanes.note('general');
  const ids = asks.map(({ id }) => id);
  const drops = asks.some(({ to }) => to === 'dropped');
  const projection = viewProjection(ids, drops ? 'all' : 'theirs', at);
  for (let tries = 1; tries <= TAKES_MAX; tries++) {
    const [stored] = await statements.find([documentId], projection, endsAtMs);
    if (stored === undefined) return undefined;
    const view = readView(stored, ids, now);
    const moves = movesIn(view, { asks, isBeside });
    if (moves.length === 0) return view;
    if (overflows(moves, view.now, stored))
      throw new SubjectFullError(
        'COUNTER_FULL',
        `a sum of ${documentId} would exceed ${COUNTER_SUM_MAX}, above which sums are not exact; nothing was changed: confirm a smaller amount`,
      );
    const holds = moves.map(({ hold }) => hold);
    const taking = {
      documentId,
      moves,
      now: view.now,
      seen: stored.seen,
      projection,
      places: drops ? placesFor(stored, holds, outcomesMax) : undefined,
    };
    const found = await send(take(taking, at ?? SERVER_NOW));
    // Decided for the instant and the orders that were read, whatever came in between.
    if (found !== undefined) {
      const { entries, shares: before } = view;
      const taken = readView(found, ids, view.now);
      return { ...taken, now: view.now, writes: taken.writes + 1, entries, shares: before };
    }
    await statements.pause(tries);
  }
  throw new UndecidedError('other calls of the same subject kept coming first');
}

/** What reservations say is held, where all do, all is open yet, and no more is counted than was held. */
function reservedMoves(
  asks: Settlements['asks'],
  now: Date,
  lists: KnownLists,
): readonly Move[] | undefined {
  const moves: Move[] = [];
  for (const ask of asks) {
    const { id, to, amountMinor, reserved } = ask;
    if (reserved === undefined || to === 'dropped' || isOver(reserved, now)) return undefined;
    const { nonce, digest, digestOfId, amount, count, until, leftOut, others, home } = reserved;
    if ((amountMinor ?? amount) > amount) return undefined;
    const places = lists.of(reserved.text);
    const hold: Writable<Hold> = {
      state: 'open',
      id,
      digestOfId,
      nonce,
      digest,
      amount,
      count,
      leftOut,
      until,
      places,
      others,
      home,
    };
    const values = reserved.values && valuesIn(places.buckets, reserved.values);
    if (values !== undefined) hold.values = values;
    moves.push({ hold, end: ask });
  }
  return moves;
}

function movesIn(view: DocumentView, { asks, isBeside }: Settlements): readonly Move[] {
  const viewOf = viewsByOrder(view);
  return asks.flatMap((ask) => {
    const { id, nonce, to } = ask;
    const hold = isBeside
      ? view.shares.find((share) => share.nonce === nonce)
      : currentEntry(viewOf(id));
    if (hold === undefined || !('places' in hold)) return [];
    if (nonce !== undefined && nonce !== hold.nonce) return [];
    // What is kept already is dropped already.
    if (hold.state === 'kept' && to === 'dropped') return [];
    return [{ hold, end: ask }];
  });
}
