/** The one place here that knows how a document is stored. */

/** A document as the store keeps it. */
export type Stored = Readonly<Record<string, unknown>>;

/** What one bucket counts. */
export type StoredBucket = {
  readonly counter: string;
  /** Tells buckets of one counter apart. */
  readonly start: number;
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
};

/** What home remembers of an order. */
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
  readonly settled?: readonly ((StoredHold & { readonly expired: true }) | ShortOutcome)[];
  readonly remembered?: number;
  readonly forgotUntil?: Date;
};

type ShortOutcome = { readonly id: string; readonly is: string; readonly amount: number };

/** A digest has so many characters, at the end of an outcome. */
const DIGEST_LENGTH = 16;

function rawOf(document: Stored | undefined): Raw {
  return document ?? {}; // as pipeline/stored-document.ts says it is stored
}

/** The buckets of a document, those that are over among them as long as they are stored. */
export function bucketsOf(document: Stored | undefined): readonly StoredBucket[] {
  return Object.entries(rawOf(document).buckets ?? {}).map(([name, sums]) => {
    const [counter = '', start] = name.split(' ');
    const [amount, count] = [sums.amount ?? 0, sums.count ?? 0];
    const [heldAmount, heldCount] = [sums.heldAmount ?? 0, sums.heldCount ?? 0];
    return {
      counter,
      start: Number(start),
      heldAmount,
      heldCount,
      usedAmount: amount - heldAmount,
      usedCount: count - heldCount,
    };
  });
}

/** Holds and shares, those whose time is over among them until they are released. */
export function holdsOf(document: Stored | undefined): readonly StoredHold[] {
  return rawOf(document).holds ?? [];
}

/** Shares that are kept for a late confirm. */
export function keptOf(document: Stored | undefined): readonly StoredHold[] {
  return rawOf(document).kept ?? [];
}

/** Outcomes that are remembered. */
export function outcomesOf(document: Stored | undefined): readonly StoredOutcome[] {
  return (rawOf(document).settled ?? []).map((outcome) => {
    const { id, amount } = outcome;
    if (!('is' in outcome)) return { id, amount, nonce: outcome.nonce, state: 'expired' };
    const nonce = outcome.is.slice(1, -DIGEST_LENGTH);
    return { id, amount, nonce, state: outcome.is.startsWith('r') ? 'rolledBack' : 'confirmed' };
  });
}

/** Outcomes that there ever were. */
export function rememberedOf(document: Stored | undefined): number {
  return rawOf(document).remembered ?? 0;
}

/** The end of the latest kept share that had to go. */
export function forgotUntilOf(document: Stored | undefined): Date | undefined {
  return rawOf(document).forgotUntil;
}
