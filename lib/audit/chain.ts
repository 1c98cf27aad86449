import { canonicalText, fullDigestOf } from '../shared/digest.ts';

/** Where a row stands in the chain of one document. */
export type ChainLink = {
  readonly document: string;
  /** From 1, without gaps. */
  readonly sequence: number;
  /** The hash of the row before it; empty of the first. */
  readonly previous: string;
  /** When the row before it may go; absent of the first. */
  readonly previousExpireAt?: Date;
};

/** The row that was added last, and when it may go. */
export type ChainHead = {
  readonly sequence: number;
  readonly hash: string;
  readonly expireAt: Date;
};

/** A row of a chain as it is stored, and its place there; all its other fields are hashed, too. */
export type ChainedRow = {
  readonly place: ChainLink;
  readonly _id: string;
  readonly at: Date;
  readonly hash?: string;
};

/** The first place of a chain where something is wrong. */
export type ChainBreak = {
  readonly kind: 'altered' | 'added' | 'taken away';
  readonly sequence?: number;
  readonly row?: string;
  /** The row that stands at the same place: one of the two was added. */
  readonly other?: string;
};

/** The place after the end of a chain; the first, where there is none. */
export function linkAfter(document: string, head: ChainHead | null): ChainLink {
  if (head === null) return { document, sequence: 1, previous: '' };
  const { sequence, hash, expireAt } = head;
  return { document, sequence: sequence + 1, previous: hash, previousExpireAt: expireAt };
}

/** The hash of a row: SHA-256 in hexadecimal over everything in it but the hash itself. */
export function rowHash(row: object): string {
  const content = Object.entries(row).filter(([name]) => name !== 'hash');
  return fullDigestOf(canonicalText(Object.fromEntries(content)));
}

/** A row of a chain that was found in order. */
export type LastRead = { readonly sequence: number; readonly row: string; readonly hash: string };

/**
 * Reads the next row of a chain, in the order of sequence, or says what is wrong there.
 *
 * @param last the row before it; undefined of the first that is there
 * @param now rows whose days are over by then are not missed
 */
export function followed(
  last: LastRead | undefined,
  { place, ...row }: ChainedRow,
  now: Date,
): LastRead | ChainBreak {
  const { sequence, previous, previousExpireAt } = place;
  const here = { sequence, row: row._id };
  const hash = rowHash(row);
  if (row.hash !== hash) return { kind: 'altered', ...here };
  if (last?.sequence === sequence) return { kind: 'added', ...here, other: last.row };
  const isNext = sequence === (last?.sequence ?? 0) + 1;
  if (!isNext && !hasExpired(previousExpireAt, now))
    return { kind: 'taken away', sequence: last === undefined ? sequence - 1 : last.sequence + 1 };
  // A row that was altered and given a new hash is not the one that its successor names.
  if (isNext && previous !== (last?.hash ?? ''))
    return last === undefined
      ? { kind: 'added', ...here }
      : { kind: 'altered', sequence: last.sequence, row: last.row };
  return { ...here, hash };
}

/** Compares the last row with the chain's end before and after it was read: rows may have been added. */
export function breakAtEnd(
  last: LastRead | undefined,
  before: ChainHead | null,
  after: ChainHead | null,
  now: Date,
): ChainBreak | undefined {
  if (before !== null && (last?.sequence ?? 0) < before.sequence)
    return hasExpired(before.expireAt, now)
      ? undefined
      : { kind: 'taken away', sequence: (last?.sequence ?? before.sequence - 1) + 1 };
  if (last === undefined) return undefined;
  const { sequence, hash, row } = last;
  if (after === null || sequence > after.sequence) return { kind: 'added', sequence, row };
  const isEnd = sequence === after.sequence;
  return isEnd && hash !== after.hash ? { kind: 'altered', sequence, row } : undefined;
}

function hasExpired(expireAt: Date | undefined, now: Date): boolean {
  return expireAt !== undefined && expireAt <= now;
}
