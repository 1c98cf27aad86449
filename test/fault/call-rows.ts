import type { Act, Sums } from '../support/broken-orders.ts';
import {
  CAPTURE,
  CHECK,
  CONFIRM,
  HELD,
  NOTHING,
  ROLLBACK,
  USED,
} from '../support/broken-orders.ts';

/** A call, what was before it, its answer, and what must be counted afterwards, in every document. */
export type CallRow = {
  readonly what: string;
  readonly before: readonly Act[];
  readonly act: Act;
  /** Default: 9.99. Every rule of the row's subjects counts the same orders. */
  readonly max?: { readonly user?: number; readonly merchant?: number };
  /** Fields of the answer, or the code of the error. */
  readonly answer: Readonly<Record<string, unknown>> | string;
  readonly after: Sums;
  /**
   * A call that is given up may leave a share beside home, which nobody settles and which expires. `givenBack`: so may
   * one that loses what gives it back.
   */
  readonly leavesShares?: true | 'givenBack';
  readonly why: string;
};

const USED_LESS: Sums = { used: { amountMinor: 300, count: 2 }, held: NOTHING.held };
const AGAIN = { kind: 'allowed', repeated: true };
const PAID = { amount: 300, late: false };

/** Calls over one document or two. Before each row 1.00 is used, and 0.50 is held, each by an order of its own. */
// prettier-ignore
export const CALLS: readonly CallRow[] = [
  { what: 'a check that fits',                               before: [],                act: CHECK,    answer: { kind: 'allowed', state: 'held' },      after: HELD,    leavesShares: true, why: 'its share is held once' },
  { what: "a check that the user's rule refuses",            before: [],                act: CHECK,    answer: { kind: 'refused' }, max: { user: 449 }, after: NOTHING, leavesShares: 'givenBack', why: 'a refusal takes nothing' },
  { what: 'the repeat of a check',                           before: [CHECK],           act: CHECK,    answer: { ...AGAIN, state: 'held' },             after: HELD,    leavesShares: 'givenBack', why: 'the first one holds its share' },
  { what: 'a check that counts at once',                     before: [],                act: CAPTURE,  answer: { kind: 'allowed', state: 'confirmed' }, after: USED,    leavesShares: true, why: 'its share is used once' },
  { what: 'the repeat of a check that counted at once',      before: [CAPTURE],         act: CAPTURE,  answer: { ...AGAIN, state: 'confirmed' },        after: USED,    leavesShares: 'givenBack', why: 'the first one is counted' },
  { what: 'a check of an order that was rolled back',        before: [CHECK, ROLLBACK], act: CHECK,    answer: 'ALREADY_ROLLED_BACK',                   after: NOTHING, leavesShares: 'givenBack', why: 'an order ends once' },
  { what: 'a confirm',                                       before: [CHECK],           act: CONFIRM,  answer: PAID,                                    after: USED,    why: 'what was held is used' },
  { what: 'a confirm of less',                               before: [CHECK],           act: { ...CONFIRM, amountMinor: 200 }, answer: { ...PAID, amount: 200 }, after: USED_LESS, why: 'the rest is free at once' },
  { what: 'the repeat of a confirm',                         before: [CHECK, CONFIRM],  act: CONFIRM,  answer: { amount: 300, repeated: true },    after: USED,    why: 'the first one is counted' },
  { what: 'a confirm of an order that nobody checked',       before: [],                act: CONFIRM,  answer: 'NOT_FOUND',                             after: NOTHING, why: 'there is nothing to count' },
  { what: 'a confirm of an order that was rolled back',      before: [CHECK, ROLLBACK], act: CONFIRM,  answer: 'ALREADY_ROLLED_BACK',                   after: NOTHING, why: 'an order ends once' },
  { what: 'a rollback',                                      before: [CHECK],           act: ROLLBACK, answer: {},                                      after: NOTHING, why: 'what was held is free' },
  { what: 'a rollback by reservation',                       before: [CHECK],           act: { ...ROLLBACK, reservation: 'its own' }, answer: {},         after: NOTHING, why: 'the reservation says where the holds are' },
  { what: 'the repeat of a rollback',                        before: [CHECK, ROLLBACK], act: ROLLBACK, answer: { repeated: true },                      after: NOTHING, why: 'the first one gave it back' },
  { what: 'a rollback of an order that was confirmed',       before: [CHECK, CONFIRM],  act: ROLLBACK, answer: 'ALREADY_CONFIRMED',                     after: USED,    why: 'an order ends once' },
];

/** Calls that only two documents know. */
export const CALLS_OVER_TWO: readonly CallRow[] = [
  {
    what: "a check that the user's rule allows and the merchant's refuses",
    before: [],
    act: CHECK,
    max: { merchant: 449 },
    answer: { kind: 'refused' },
    after: NOTHING,
    why: 'neither document holds anything',
  },
];
