import { KEPT_BEYOND_MS, MEMORY_MS, NEVER } from '../../shared/bounds.ts';
import { readBucketName } from './document.ts';
import type { Move } from './moved.ts';
import { sumsMoved } from './moved.ts';
import { allOf, hasNotSeen, isBefore, remembers } from './conditions.ts';
import type { Recalled } from './recall.ts';
import { rewritten } from './recall.ts';
import { numberOf } from './stored.ts';
import type { Filter, Projection, Update, Value } from './update.ts';
import { pushing, wholeOf } from './update.ts';

const LIST_OF = { open: 'holds', expired: 'expired', kept: 'kept' } as const;

/** Entries of one document that one update settles, all or none. */
export type Taking = {
  readonly documentId: string;
  /** No id twice. */
  readonly moves: readonly Move[];
  readonly now: Date;
  /** The latest instant that the document had seen, where it was read. */
  readonly seen?: Date | undefined;
  readonly outcomesMax: number;
  readonly recalled?: Recalled;
  /** Where shares are dropped: kept shares that have to go for them, and what proves that they do. */
  readonly going?: {
    readonly shares: readonly { readonly until: Date }[];
    readonly conditions: readonly Filter[];
  };
  readonly projection: Projection;
};

/**
 * The update that settles entries. When the document comes back, it is proven that each entry was there
 * to the letter, and that those that are settled in time had not expired; they are gone now, and what
 * they held is counted or given back.
 *
 * A share is there once, so it is settled once: a repeat finds none and does nothing.
 */
export function take(taking: Taking, serverNow: Date | string): Update {
  const { documentId, moves, now, outcomesMax, going, recalled } = taking;
  const outcomes: unknown[] = (recalled?.outcomes ?? []).map(rewritten);
  const kept: Value[] = [];
  let first: Date | undefined;
  let isDated = going !== undefined;
  for (const move of moves) {
    const { standing, hold, to } = move;
    const isInTime = standing === 'open' && hold.until > now;
    if (isInTime && (first === undefined || hold.until < first)) first = hold.until;
    isDated ||= !isInTime || countsMore(move);
    if (to === 'dropped') kept.push(keptShare(move));
    else if (hold.home === undefined) outcomes.push(outcomeOf(move, now));
  }
  const sums = sumsMoved(moves, now);
  if (outcomes.length > 0) sums.add('remembered', BigInt(outcomes.length));
  const entries = moves.map(isThere);
  return {
    filter: {
      _id: documentId,
      ...(entries.length === 1 && going === undefined
        ? entries[0]
        : { $and: [...entries, ...(going?.conditions ?? [])] }),
      ...remembers(recalled?.rememberedMax),
      ...(first === undefined ? {} : hasNotExpired(taking, first, serverNow)),
    },
    update: {
      ...sums.update(),
      ...pulling(moves),
      ...pushing({
        settled: {
          items: outcomes,
          keeps: recalled?.keeps ?? Math.max(outcomesMax, outcomes.length),
        },
        kept: { items: kept, keeps: outcomesMax },
      }),
      ...(isDated ? { $max: latest(taking) } : {}),
    },
    returnDocument: 'before',
    projection: taking.projection,
  };
}

/** By the document's time no hold is over that is settled in time. */
function hasNotExpired({ seen, now }: Taking, first: Date, serverNow: Date | string): Filter {
  // One that has seen more than a clock that was set back bridges may have seen that still.
  const notSeen = seen !== undefined && seen > now ? new Date(seen.getTime() + 1) : first;
  return { ...hasNotSeen(notSeen), ...allOf(isBefore(serverNow, first)) };
}

/** Of sums that grow it must be known when they did: a reader of a secondary compares what it reads by that. */
function countsMore({ to, hold, finalMinor }: Move): boolean {
  return to === 'confirmed' && BigInt(finalMinor) > wholeOf(hold.a);
}

function isThere({ standing, hold }: Move): Filter {
  const { id, nonce, until } = hold;
  switch (standing) {
    case 'open':
      return { holds: { $elemMatch: wholeHold(hold) } };
    case 'expired':
      return { expired: { $elemMatch: { id, nonce, until } } };
    case 'kept':
      return { kept: { $elemMatch: { id, nonce, until } } };
  }
}

/** Every word of a hold, so that what a forged reservation says of it matches nothing. */
function wholeHold({ id, nonce, digest, a, n, until, b = [], ...rest }: Move['hold']): Filter {
  return {
    id,
    nonce,
    digest,
    a: wholeOf(a),
    n: n === undefined || numberOf(n) === 1 ? null : wholeOf(n),
    until,
    b,
    others: rest.others ?? null,
    home: rest.home ?? null,
  };
}

function pulling(moves: readonly Move[]): { readonly $pull: Readonly<Record<string, unknown>> } {
  const pulled: Record<string, string[]> = {};
  for (const { standing, hold } of moves) (pulled[LIST_OF[standing]] ??= []).push(hold.nonce);
  const $pull: Record<string, unknown> = {};
  for (const [list, nonces] of Object.entries(pulled))
    $pull[list] = { nonce: nonces.length === 1 ? nonces[0] : { $in: nonces } };
  return { $pull };
}

/** How home remembers an order that ended: confirmed, late or not, or rolled back. */
function outcomeOf({ hold, to, finalMinor }: Move, now: Date): Value {
  const { id, nonce, digest = '', a, n, until, others } = hold;
  const confirmed = hold.until <= now ? 'l' : 'c';
  return {
    ...{ id, is: `${to === 'confirmed' ? confirmed : 'r'}${nonce}${digest}` },
    a: to === 'confirmed' ? BigInt(finalMinor) : wholeOf(a),
    ...(n === undefined || numberOf(n) === 1 ? {} : { n: wholeOf(n) }),
    ...(others === undefined ? {} : { until, others }),
  };
}

/** What is kept of a share beside home, for a confirm that comes late. */
export function keptShare({ hold }: Pick<Move, 'hold'>): Value {
  const { id, nonce, a, n, until, b = [], home = '' } = hold;
  return {
    ...{ id, nonce, a: wholeOf(a) },
    ...(n === undefined ? {} : { n: wholeOf(n) }),
    ...{ until, b, home },
  };
}

/** What is decided by the time that was read takes the document there, and keeps it for as long as it counts. */
function latest({ moves, now, going }: Taking): Readonly<Record<string, unknown>> {
  const ends = moves.flatMap(({ standing, hold, to }) =>
    standing === 'open' || to !== 'confirmed'
      ? []
      : (hold.b ?? []).map((name) => readBucketName(name).until.getTime() + KEPT_BEYOND_MS),
  );
  const last = Math.min(NEVER.getTime(), Math.max(now.getTime() + MEMORY_MS, ...ends));
  return {
    seen: now,
    expireAt: new Date(last),
    ...(going === undefined || going.shares.length === 0
      ? {}
      : { forgotUntil: latestEnd(going.shares) }),
  };
}

/** The end of the latest of some shares. */
export function latestEnd(shares: readonly { readonly until: Date }[]): Date {
  return new Date(Math.max(...shares.map(({ until }) => until.getTime())));
}
