/** The one place here that knows how a document is stored. */

export type Stored = Readonly<Record<string, unknown>>;

export type StoredBucket = {
  readonly name: string;
  readonly counter: string;
  /** Tells buckets of one counter apart. */
  readonly until: number;
  readonly usedAmount: number;
  readonly usedCount: number;
  readonly heldAmount: number;
  readonly heldCount: number;
};

/** A hold, a share beside home, or what is left of either once its time is over. */
export type StoredHold = {
  readonly id: string;
  readonly nonce: string;
  readonly amount: number;
  readonly count: number;
  readonly until: Date;
  /** Beside home. */
  readonly home?: string;
  /** At home, of an order of several documents. */
  readonly others?: readonly string[];
  /** Counters that it entered, each with the end of its window. */
  readonly buckets: readonly string[];
};

/** When a window of a counter ends that a hold entered; undefined where it entered none. */
export function enteredUntil({ buckets }: StoredHold, counter: string): number | undefined {
  const [entered] = buckets.map((name) => name.split(' ')).filter(([key]) => key === counter);
  return entered && Number(entered[1]);
}

export type StoredOutcome = {
  readonly id: string;
  readonly nonce: string;
  readonly amount: number;
  readonly state: 'expired' | 'confirmed' | 'rolledBack';
};

type Raw = {
  readonly buckets?: Readonly<Record<string, Readonly<Record<string, number | null>>>>;
  readonly holds?: readonly StoredHold[];
  readonly kept?: readonly StoredHold[];
  readonly settled?: readonly ShortOutcome[];
  readonly expired?: readonly StoredHold[];
  readonly remembered?: number;
  readonly forgotUntil?: Date;
  readonly terms?: StoredTerms;
  readonly expireAt?: Date;
  readonly seen?: Date;
};

export type StoredTerms = {
  readonly version: string;
  readonly freeze?: { readonly until?: Date };
  readonly overrides?: readonly {
    readonly rule: string;
    readonly amount?: number | null;
    readonly count?: number | null;
    readonly from?: Date;
    readonly until?: Date;
  }[];
};

type ShortOutcome = { readonly id: string; readonly is: string; readonly amount: number };

/** A digest has so many characters, at the end of an outcome. */
const DIGEST_LENGTH = 16;

function rawOf(document: Stored | undefined): Raw {
  return document ?? {}; // as limits/stored.ts says it is stored
}

/** The buckets of a document, those that are over among them as long as they are stored. */
export function bucketsOf(document: Stored | undefined): readonly StoredBucket[] {
  return Object.entries(rawOf(document).buckets ?? {}).map(([name, sums]) => {
    const [counter = '', until] = name.split(' ');
    const [amount, count] = [sums.amount ?? 0, sums.count ?? 0];
    const [usedAmount, usedCount] = [sums.usedAmount ?? 0, sums.usedCount ?? 0];
    return {
      name,
      counter,
      until: Number(until),
      usedAmount,
      usedCount,
      heldAmount: amount - usedAmount,
      heldCount: count - usedCount,
    };
  });
}

/** Holds and shares, those whose time is over among them until they are released. */
export function holdsOf(document: Stored | undefined): readonly StoredHold[] {
  return (rawOf(document).holds ?? []).map(withCount);
}

/** A count of one is not stored. */
function withCount(hold: StoredHold): StoredHold {
  const { count = 1 } = hold as Partial<StoredHold>;
  return { ...hold, count };
}

/** Shares that are kept for a late confirm. */
export function keptOf(document: Stored | undefined): readonly StoredHold[] {
  return (rawOf(document).kept ?? []).map(withCount);
}

/** How orders ended that home remembers, and the holds that expired; of each the oldest first. */
export function outcomesOf(document: Stored | undefined): readonly StoredOutcome[] {
  const { settled = [], expired = [] } = rawOf(document);
  // One that a call asked about may stand twice, so that the call does not push it out.
  const once = new Map(settled.map((one) => [`${one.is} ${one.id}`, one]));
  return [
    ...[...once.values()].map(({ id, is, amount }): StoredOutcome => {
      const state = is.startsWith('r') ? 'rolledBack' : 'confirmed';
      return { id, amount, nonce: is.slice(1, -DIGEST_LENGTH), state };
    }),
    ...expired.map(({ id, amount, nonce }): StoredOutcome => ({
      ...{ id, amount, nonce, state: 'expired' },
    })),
  ];
}

export function rememberedOf(document: Stored | undefined): number {
  return rawOf(document).remembered ?? 0;
}

/** The end of the latest kept share that had to go. */
export function forgotUntilOf(document: Stored | undefined): Date | undefined {
  return rawOf(document).forgotUntil;
}

export function termsOf(document: Stored | undefined): StoredTerms | undefined {
  return rawOf(document).terms;
}

/** When a document may be deleted; undefined where never. */
export function expireAtOf(document: Stored | undefined): Date | undefined {
  return rawOf(document).expireAt;
}

/** The latest instant that a document has seen, which a caller's estimate may have brought. */
export function seenBy(document: Stored | undefined): Date | undefined {
  return rawOf(document).seen;
}
