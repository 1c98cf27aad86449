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
  /** Digests of its values, by that of their name. */
  readonly v?: Readonly<Record<string, string>>;
};

/** A bucket that counts different values, with the counts by the digest of each. */
export type StoredValues = Pick<StoredBucket, 'name' | 'counter' | 'until'> &
  Readonly<Record<'all' | 'used', number>> &
  Readonly<Record<'allOf' | 'usedOf', Readonly<Record<string, number>>>>;

/** What the key of a counter says, as it stands before the end of a window in the name of a bucket. */
export const KEYS = {
  /** It counts orders that are rolled back. */
  ofFailures: /^[^ ]*~[a-z]+~c?r/,
  /** It counts them by their codes. */
  ofCodes: /^[^ ]*~[a-z]+~c?r~[^ ]/,
  /** It counts attempts that nobody ends. */
  ofExpired: /^[^ ]*~[a-z]+~x /,
  /** It has what lowers a sum. */
  ofLowering: /^[^ ]*~[acn]*t /,
} as const;

/** When a window of a counter ends that a hold entered; undefined where it entered none. */
export function enteredUntil({ buckets }: StoredHold, counter: string): number | undefined {
  const [entered] = buckets.map((name) => name.split(' ')).filter(([key]) => key === counter);
  return entered && untilOf(entered);
}

/** When the window of a bucket ends, by the parts of its name: minutes, and perhaps four digits of milliseconds. */
export function untilOf([, end = '']: readonly string[]): number {
  const [, minutes = '', rest = '0'] = /^(\w{6,7}?)(\w{4})?$/.exec(end) ?? [];
  return Number.parseInt(minutes, 36) * 60_000 + Number.parseInt(rest, 36);
}

export type StoredOutcome = {
  readonly id: string;
  readonly nonce: string;
  readonly amount: number;
  readonly state: 'expired' | 'confirmed' | 'rolledBack';
  readonly reasonCode?: string;
};

type RawSums = Readonly<Record<'a' | 'n' | 'ua' | 'un', number | null | undefined>> &
  Readonly<Partial<Record<'d' | 'ud', Readonly<Record<string, number>>>>>;

type Raw = {
  readonly b?: Readonly<Record<string, RawSums>>;
  readonly h?: Readonly<Record<string, OpenHold>>;
  readonly open?: number;
  readonly shares?: number;
  readonly p?: Readonly<Record<string, { readonly b: string; readonly n: number }>>;
  readonly kept?: readonly ShortHold[];
  readonly settled?: readonly ShortOutcome[];
  readonly expired?: readonly ShortHold[];
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

type ShortOutcome = Pick<StoredOutcome, 'id' | 'reasonCode'> & {
  readonly is: string;
  readonly a: number;
};
type ShortHold = Omit<StoredHold, 'amount' | 'count' | 'buckets'> & {
  readonly a: number;
  readonly n?: number;
  readonly b: string;
};
type OpenHold = Omit<ShortHold, 'b'> & { readonly p?: string };

/** A digest has so many characters, at the end of an outcome. */
const DIGEST_LENGTH = 16;

function rawOf(document: Stored | undefined): Raw {
  return document ?? {}; // as limits/stored.ts says it is stored
}

/** Reads something of each document once: it is replaced when it changes, and looked at after every move. */
function remembered<Value>(
  read: (document: Raw) => Value,
): (document: Stored | undefined) => Value {
  const known = new WeakMap<Stored, Value>();
  return (document = NO_DOCUMENT) => {
    const value = known.get(document) ?? read(rawOf(document));
    known.set(document, value);
    return value;
  };
}

const NO_DOCUMENT: Stored = {};

/** The buckets of a document, those that are over among them as long as they are stored. */
export const bucketsOf = remembered(({ b = {} }): readonly StoredBucket[] =>
  Object.entries(b).map(([name, sums]) => {
    const parts = name.split(' ');
    const [counter = ''] = parts;
    const [amount, count] = [sums.a ?? 0, sums.n ?? 0];
    const [usedAmount, usedCount] = [sums.ua ?? 0, sums.un ?? 0];
    return {
      name,
      counter,
      until: untilOf(parts),
      usedAmount,
      usedCount,
      heldAmount: amount - usedAmount,
      heldCount: count - usedCount,
    };
  }),
);

/** The buckets of a document that count different values. */
export const valuesOf = remembered(({ b = {} }): readonly StoredValues[] =>
  Object.entries(b).flatMap(([name, { n, un, d, ud = {} }]) => {
    if (d === undefined) return [];
    const parts = name.split(' ');
    const [counter = ''] = parts;
    const sums = { all: n ?? 0, used: un ?? 0, allOf: d, usedOf: ud };
    return [{ name, counter, until: untilOf(parts), ...sums }];
  }),
);

/** Holds and shares, those whose time is over among them until they are released. */
export const holdsOf = remembered(({ h = {}, p = {} }): readonly StoredHold[] =>
  Object.values(h).map(({ p: names = '', ...hold }) => inFull({ ...hold, b: p[names]?.b ?? '' })),
);

/** What a document says of its open holds beside them; each with what is there. */
export const countedIn = remembered(({ h = {}, p = {}, open = 0, shares = 0 }) => {
  const holds = Object.values(h);
  const foreign = holds.filter(({ home }) => home !== undefined);
  const having = (names: string): number => holds.filter((hold) => hold.p === names).length;
  return [
    { what: 'open', says: open, has: holds.length - foreign.length },
    { what: 'shares', says: shares, has: foreign.length },
    ...Object.entries(p).map(([what, { n }]) => ({ what, says: n, has: having(what) })),
    ...holds.flatMap(({ p: what }) =>
      what === undefined || what in p ? [] : [{ what, says: 0, has: having(what) }],
    ),
  ];
});

/** A count of one is not stored. */
function inFull({ a: amount, n: count = 1, b, ...hold }: ShortHold): StoredHold {
  return { ...hold, amount, count, buckets: b === '' ? [] : b.split(',') };
}

/** A document whose shares have other nonces. */
export function renonced(document: Stored, nonceOf: (nonce: string) => string): Stored {
  const h = Object.entries(rawOf(document).h ?? {}).map(([key, hold]) => {
    if (hold.home === undefined) return [key, hold] as const;
    const nonce = nonceOf(hold.nonce);
    return [nonce, { ...hold, nonce }] as const;
  });
  return { ...document, h: Object.fromEntries(h) };
}

/** Shares that are kept for a late confirm. */
export const keptOf = remembered(({ kept = [] }): readonly StoredHold[] => kept.map(inFull));

/** Holds of home that are over and nobody settled, the oldest first. */
export const expiredOf = remembered(({ expired = [] }): readonly StoredHold[] =>
  expired.map(inFull),
);

/** How orders ended that home remembers, and the holds that expired; of each the oldest first. */
export const outcomesOf = remembered(({ settled = [], expired = [] }): readonly StoredOutcome[] => [
  ...settled.map(({ id, is, a: amount, reasonCode }): StoredOutcome => {
    const state = is.startsWith('r') ? 'rolledBack' : 'confirmed';
    const why = reasonCode === undefined ? {} : { reasonCode };
    return { id, amount, nonce: is.slice(1, -DIGEST_LENGTH), state, ...why };
  }),
  ...expired.map(({ id, a: amount, nonce }): StoredOutcome => ({
    ...{ id, amount, nonce, state: 'expired' },
  })),
]);

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

/** A document that has used so much more of a bucket, and one order more. */
export function withUsed(document: Stored, bucket: string, amount: number): Stored {
  const { b = {} } = rawOf(document);
  const added: Record<string, unknown> = { ...b[bucket] };
  for (const [field, by] of Object.entries({ a: amount, ua: amount, n: 1, un: 1 })) {
    const before = added[field];
    added[field] = typeof before === 'bigint' ? before + BigInt(by) : Number(before ?? 0) + by;
  }
  return { ...document, b: { ...b, [bucket]: added } };
}

/** How home decided about an order. */
export type Decision = {
  readonly order: number;
  readonly to: 'confirmed' | 'rolledBack';
  readonly code: string | undefined;
  /** What it was confirmed with. */
  readonly amount: number;
};

/** How an order ended in one document. */
export type Ended = Omit<Decision, 'to'> & {
  readonly nonce: string;
  readonly to: Decision['to'] | 'expired';
  /** What it held there; undefined where it counts without that, by the rules of its call. */
  readonly hold: StoredHold | undefined;
  /** Its time was over, and the document had released it. */
  readonly wasOver: boolean;
};
