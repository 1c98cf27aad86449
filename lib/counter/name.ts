import type { BucketReference } from './sums.ts';

/**
 * Names a bucket as a text without `.` and `$`, as it is stored; equal names are equal texts. Of one
 * counter, names sort by the end of the window, until the year 6109.
 */
export function bucketName({ counter, until }: BucketReference): string {
  return `${counter} ${endText(until.getTime())}`;
}

/** A bucket's name, and its paths in a document. */
export type BucketFields = Readonly<
  Record<'name' | 'path' | 'amount' | 'count' | 'usedAmount' | 'usedCount', string>
>;

/** The path of a field of a bucket in a document, which `stored.ts` explains. */
export function sumPath(name: string, field: 'a' | 'n' | 'ua' | 'un'): string {
  return `b.${name}.${field}`;
}

/** The path of the further sums of a bucket: used and held together (`d`), or used. */
export function cellsPath(name: string, field: 'd' | 'ud'): string {
  return `b.${name}.${field}`;
}

/** The path of one of them. */
export function cellPath(name: string, field: 'd' | 'ud', cell: string): string {
  return `${cellsPath(name, field)}.${cell}`;
}

/** All paths of a bucket: for one that is met once, `sumPath` is less work. */
export function bucketFields(name: string): BucketFields {
  return {
    name,
    path: `b.${name}`,
    amount: sumPath(name, 'a'),
    count: sumPath(name, 'n'),
    usedAmount: sumPath(name, 'ua'),
    usedCount: sumPath(name, 'un'),
  };
}

/** The end of a window in a bucket's name, in base 36: minutes since 1970, and what is left in milliseconds, if anything. */
export function endText(untilMs: number): string {
  const restMs = untilMs % MINUTE_MS;
  const minutes = ((untilMs - restMs) / MINUTE_MS).toString(36).padStart(MINUTES_LENGTH, '0');
  return restMs === 0 ? minutes : `${minutes}${restMs.toString(36).padStart(REST_LENGTH, '0')}`;
}

const MINUTE_MS = 60_000;
const [MINUTES_LENGTH, REST_LENGTH] = [6, 4];

/** The form of such an end: minutes from the year 6109 on have one digit more. */
export const END = `[0-9a-z]{${MINUTES_LENGTH},${MINUTES_LENGTH + 1}}(?:[0-9a-z]{${REST_LENGTH}})?`;

/** The inverse of `bucketName`. */
export function readBucketName(name: string): BucketReference {
  const at = name.indexOf(' ');
  const end = name.slice(at + 1);
  const length = end.length < MINUTES_LENGTH + REST_LENGTH ? end.length : end.length - REST_LENGTH;
  const minutes = Number.parseInt(end.slice(0, length), 36);
  const restMs = length === end.length ? 0 : Number.parseInt(end.slice(length), 36);
  return { counter: name.slice(0, at), until: new Date(minutes * MINUTE_MS + restMs) };
}
