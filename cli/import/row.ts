import { describeMistake, type Mistake } from '../../lib/shared/errors.ts';
import type { Payment } from '../../packages/client/src/index.ts';

/** One row of the file: a payment as `record` takes it, and all that is wrong with it. */
export type Row = {
  /** The line of the file at which it ends, from 1 on. */
  readonly line: number;
  /** Whatever stands there; a payment where there are no mistakes. */
  readonly payment: unknown;
  readonly mistakes: readonly Mistake[];
  /** How it stands in the file of rows that were not taken, with why. */
  readonly rejectedAs: (problem: string) => string;
};

/** A row without mistakes. */
export type GoodRow = Row & { readonly payment: Payment };

/** The rows of a file, and the line that stands above those that were not taken. */
export type Rows = {
  readonly header: string | undefined;
  readonly rows: AsyncIterable<Row>;
};

/** A row's field of why it was not taken; where it is read, it is no part of the payment. */
export const PROBLEM = 'problem';

/** Says the mistakes of a row, in one line. */
export function mistakesText(mistakes: readonly Mistake[]): string {
  return mistakes.map((mistake) => describeMistake(mistake, 'the row')).join('; ');
}
