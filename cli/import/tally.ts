import * as z from 'zod/mini';
import type { RecordedPayment } from '../../packages/client/src/index.ts';

const numbers = z.record(z.string(), z.number());

/** The outcomes of the rows so far. Every row is in exactly one of the first five. */
export const tallySchema = z.object({
  /** Count now in one window at least. */
  counted: z.number(),
  /** Were recorded before: by an earlier import, or by a row before. */
  repeated: z.number(),
  /** No rule counts them: every window of their time is over. */
  over: z.number(),
  /** No rule counts such payments. */
  withoutRule: z.number(),
  /** Are in the file of rows that were not taken. */
  rejected: z.number(),
  /** Rows that were not taken, by the code of their problem. */
  codes: numbers,
  /** By rule: payments that count in a window of it now. */
  countedBy: numbers,
  /** By rule: payments that count above its maximum. */
  exceededBy: numbers,
});

/** As it stands in the file of an import's progress. */
export type Tally = z.infer<typeof tallySchema>;

/** Nothing yet. */
export function emptyTally(): Tally {
  return {
    counted: 0,
    repeated: 0,
    over: 0,
    withoutRule: 0,
    rejected: 0,
    codes: {},
    countedBy: {},
    exceededBy: {},
  };
}

/** Adds what one payment was answered. */
export function addAnswer(tally: Tally, answer: RecordedPayment): void {
  if (answer.repeated) tally.repeated += 1;
  else if (answer.counted.length > 0) tally.counted += 1;
  else if (answer.over.length > 0) tally.over += 1;
  else tally.withoutRule += 1;
  if (answer.repeated) return;
  for (const rule of answer.counted) addOne(tally.countedBy, rule);
  for (const { rule } of answer.exceeded) addOne(tally.exceededBy, rule);
}

/** Adds a row that was not taken. */
export function addRejected(tally: Tally, code: string): void {
  tally.rejected += 1;
  addOne(tally.codes, code);
}

function addOne(numbers: Record<string, number>, name: string): void {
  numbers[name] = (numbers[name] ?? 0) + 1;
}
