import type { Crossing, ListedNear, NearPercent, NearRow } from './near.ts';
import { NEAR_PERCENTS } from './near.ts';
import type { ScannedRow } from './near-scan.ts';
import type { Quantity, RuleMode } from '../rules/rule.ts';
import { present } from '../shared/present.ts';

/** A part of a maximum, in whole percent, and until when it counts as told. */
type StoredTold = { readonly percent: number; readonly until: Date };

/** A maximum, or what is taken of it. */
type StoredQuantity<Whole> = { readonly amount?: Whole; readonly count?: Whole };

/** A row of those near a maximum, as it is stored; `_id` beside it. */
type StoredNear<Whole> = {
  readonly rule: string;
  readonly mode: string;
  readonly kind: string;
  readonly subjects: Readonly<Record<string, string>>;
  readonly document: string;
  readonly counter: string;
  readonly currency?: string;
  readonly start?: Date;
  readonly until: Date;
  /** The largest part that was reached; 0 where a scan found that it is so no more. */
  readonly percent: number;
  readonly max: StoredQuantity<Whole>;
  readonly isOverride: boolean;
  readonly taken: StoredQuantity<Whole>;
  readonly at: Date;
};

/** A row as it is read. `until` is the TTL index's field. */
export type NearDocument = Partial<StoredNear<number | bigint>> & {
  readonly _id: string;
  readonly told?: readonly StoredTold[];
  /** Of the one document that is no row: when the list was made from the counters last. */
  readonly scannedAt?: Date;
};

/** What a call writes of a crossing into the row that it read. */
export type Noted = {
  /** Matches the row while it is as it was read. */
  readonly filter: Readonly<Record<string, unknown>>;
  readonly update: { readonly $set: Omit<NearDocument, '_id'> };
  /** The row as it is then, where it is new. */
  readonly row: NearDocument;
  /** The parts that nobody has told before in this window, smallest first. */
  readonly untold: readonly NearPercent[];
};

/**
 * Notes a crossing in the row of its window.
 *
 * The row tells how the maximum stood after the latest call. Its largest part only grows until the window
 * is over. Of a rolling window, a part may be told again once the payment that crossed it has left.
 *
 * @param before the row as it was read; undefined where there is none
 */
export function noted(before: NearDocument | undefined, crossing: Crossing): Noted {
  const { id, percents, at } = crossing;
  const live = (before?.told ?? []).filter(({ until }) => until > at);
  const isTold = new Set<number>(live.map(({ percent }) => percent));
  const untold = percents.filter((percent) => !isTold.has(percent));
  const isLast = before?.at === undefined || before.at <= at;
  const { until, ...row } = storedRow(crossing);
  const reached = before?.until !== undefined && before.until > at ? (before.percent ?? 0) : 0;
  const fields = {
    ...(isLast ? row : {}),
    until: before?.until !== undefined && before.until > until ? before.until : until,
    percent: Math.max(reached, ...percents),
    told: [...live, ...untold.map((percent) => ({ percent, until }))],
  };
  return {
    filter: {
      _id: id,
      at: before?.at ?? null,
      until: before?.until ?? null,
      percent: before?.percent ?? null,
      told: before?.told ?? null,
    },
    update: { $set: fields },
    row: { _id: id, ...fields },
    untold,
  };
}

/** A row as the counters have it, and the instant of the latest change that is in them. */
export type SeenRow = ScannedRow & { readonly seenAt: Date };

/**
 * Sets a row to what a scan found. The filter matches no row that a call wrote after the counters that the
 * scan has read. A part that was reported stays reported.
 */
export function asScanned({ row, percent, seenAt }: SeenRow) {
  return {
    filter: { _id: row.id, at: { $not: { $gt: seenAt } } },
    update: { $set: { ...storedRow(row), percent, at: seenAt } },
  };
}

/** A row as it is stored, but for how much of its maximum it tells. */
function storedRow({ max, taken, ...row }: NearRow): Omit<StoredNear<bigint>, 'percent'> {
  const { rule, mode, kind, subjects, document, counter, currency, start, until } = row;
  return {
    ...{ rule, mode, kind, subjects, document, counter, ...present({ currency, start }) },
    ...{ until, isOverride: row.isOverride, at: row.at },
    ...{ max: storedQuantity(max), taken: storedQuantity(taken) },
  };
}

function storedQuantity({ amountMinor, count }: Quantity): StoredQuantity<bigint> {
  const amount = amountMinor === undefined ? undefined : BigInt(amountMinor);
  return present({ amount, count: count === undefined ? undefined : BigInt(count) });
}

function quantityOf({ amount, count }: StoredQuantity<number | bigint> = {}): Quantity {
  const amountMinor = amount === undefined ? undefined : Number(amount);
  return present({ amountMinor, count: count === undefined ? undefined : Number(count) });
}

/** Reads a row. The service alone writes there, so what is stored is whole. */
export function listedRow(stored: NearDocument): ListedNear {
  const { _id, rule = '', kind = '', subjects = {}, document = '', counter = '' } = stored;
  const { currency, start, percent = 0 } = stored;
  const missing = new Date(0);
  return {
    id: _id,
    ...{ rule, kind, subjects, document, counter },
    mode: (stored.mode ?? 'enforce') as RuleMode, // of the rule that was crossed
    ...present({ currency, start }),
    ...{ until: stored.until ?? missing, at: stored.at ?? missing },
    ...{ max: quantityOf(stored.max), taken: quantityOf(stored.taken) },
    isOverride: stored.isOverride ?? false,
    percent: NEAR_PERCENTS.find((one) => one === percent) ?? NEAR_PERCENTS[0],
  };
}
