import { fullDigestOf } from '../shared/digest.ts';

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

/** The end of a chain: the row that was added last. */
export type ChainHead = {
  readonly document: string;
  readonly sequence: number;
  readonly hash: string;
  /** When that row may go. */
  readonly expireAt: Date;
};

/** A row as it is stored, as far as its chains are concerned; whatever else it has is hashed, too. */
export type ChainedRow = {
  readonly _id: string;
  readonly at: Date;
  readonly expireAt: Date;
  readonly links?: readonly ChainLink[];
  readonly hash?: string;
};

/**
 * What is wrong with a chain, at the first row where something is: `row` was altered or added; of rows
 * that were taken away, `sequence` is the first.
 */
export type ChainBreak = {
  readonly kind: 'altered' | 'added' | 'taken away';
  readonly sequence?: number;
  readonly row?: string;
  /** The row that stands at the same place: one of the two was added. */
  readonly other?: string;
};

/** The place after the end of a chain; of none, the first. */
export function linkAfter(document: string, head: ChainHead | undefined): ChainLink {
  return head === undefined
    ? { document, sequence: 1, previous: '' }
    : {
        document,
        sequence: head.sequence + 1,
        previous: head.hash,
        previousExpireAt: head.expireAt,
      };
}

/** The hash of a row: SHA-256 in hexadecimal over everything in it but the hash itself. */
export function rowHash(row: object): string {
  const content = Object.entries(row).filter(([name]) => name !== 'hash');
  return fullDigestOf(canonicalText(Object.fromEntries(content)));
}

/**
 * Writes a value so that equal values give equal texts, whatever the order of their fields, and
 * different values never do: JSON with sorted names, instants as `@` and RFC 3339.
 */
export function canonicalText(value: unknown): string {
  if (value instanceof Date) return `@${value.toISOString()}`;
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    fields.sort(([a], [b]) => (a < b ? -1 : 1));
    const written = fields.map(
      ([name, field]) => `${JSON.stringify(name)}:${canonicalText(field)}`,
    );
    return `{${written.join(',')}}`;
  }
  return JSON.stringify(value);
}

/** Follows the chain of one document, row by row. */
export class ChainReader {
  readonly #document: string;
  readonly #now: Date;
  #last: { readonly sequence: number; readonly hash: string; readonly row: string } | undefined;

  /** @param now rows whose days are over by then are not missed */
  constructor(document: string, now: Date) {
    this.#document = document;
    this.#now = now;
  }

  /** Reads the next row in the order of sequence; gives what is wrong there, if anything. */
  next(row: ChainedRow): ChainBreak | undefined {
    const link = row.links?.find(({ document }) => document === this.#document);
    if (link === undefined) return { kind: 'added', row: row._id };
    const last = this.#last;
    const { sequence, previous } = link;
    const here = { sequence, row: row._id };
    const hash = rowHash(row);
    if (row.hash !== hash) return { kind: 'altered', ...here };
    if (last?.sequence === sequence) return { kind: 'added', ...here, other: last.row };
    if (sequence !== (last?.sequence ?? 0) + 1) {
      if (!this.#isOver(link.previousExpireAt))
        return {
          kind: 'taken away',
          sequence: last === undefined ? sequence - 1 : last.sequence + 1,
        };
    } else if (previous !== (last?.hash ?? '')) {
      // A row that was altered and given a new hash is not the one that its successor names.
      return last === undefined
        ? { kind: 'added', ...here }
        : { kind: 'altered', sequence: last.sequence, row: last.row };
    }
    this.#last = { ...here, hash };
    return undefined;
  }

  /**
   * Compares what was read with the chain's end before and after, between which rows may have been
   * added; gives what is wrong there, if anything.
   */
  end(before: ChainHead | undefined, after: ChainHead | undefined): ChainBreak | undefined {
    const last = this.#last;
    if (before !== undefined && (last?.sequence ?? 0) < before.sequence)
      return this.#isOver(before.expireAt)
        ? undefined
        : { kind: 'taken away', sequence: (last?.sequence ?? before.sequence - 1) + 1 };
    if (last === undefined) return undefined;
    const { sequence, hash, row } = last;
    if (after === undefined || sequence > after.sequence) return { kind: 'added', sequence, row };
    const isEnd = sequence === after.sequence;
    return isEnd && hash !== after.hash ? { kind: 'altered', sequence, row } : undefined;
  }

  #isOver(expireAt: Date | undefined): boolean {
    return expireAt !== undefined && expireAt <= this.#now;
  }
}
