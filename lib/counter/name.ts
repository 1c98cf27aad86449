import type { BucketReference } from './sums.ts';

/**
 * Names a bucket as a text without `.` and `$`, as it is stored; equal names are equal texts. Of one
 * counter, names sort by the end of the window, until the year 5188.
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

/** The end of a window in a bucket's name: milliseconds since 1970 in base 36, at least 9 digits. */
export function endText(untilMs: number): string {
  return untilMs.toString(36).padStart(9, '0');
}

/** The inverse of `bucketName`. */
export function readBucketName(name: string): BucketReference {
  const [counter = '', end = ''] = name.split(' ');
  return { counter, until: new Date(Number.parseInt(end, 36)) };
}
