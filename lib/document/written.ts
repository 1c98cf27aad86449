import type { SettledState } from '../shared/states.ts';
import type { Hold, Outcome } from './document.ts';
import { listOf } from './document.ts';
import type { Value } from './update.ts';

/** What an outcome's `is` begins with: of an end in time, and of one after the hold had expired. */
export const END_LETTERS: Readonly<Record<SettledState, readonly [inTime: string, late: string]>> =
  { confirmed: ['c', 'l'], rolledBack: ['r', 'r'] };

/** A hold or a share as it is stored while it is open; `stored.ts` explains the fields. */
export function storedHold(hold: Hold): Value {
  const stored = storedShare(hold);
  if (hold.names.length > 0) stored.p = listOf(hold).digest;
  return stored;
}

/** A hold as home remembers it once it is over. */
export function expiredHold(hold: Hold): Value {
  return { ...storedShare(hold), b: hold.names };
}

/** A call of many writes many: fields are set one by one, for spreads cost more than all the rest. */
function storedShare(hold: Hold): Record<string, Value> {
  const { id, nonce, digest, amount, count, until, leftOut, others, home, values } = hold;
  const stored: Record<string, Value> = { id, nonce, digest, a: BigInt(amount) };
  if (count !== 1) stored.n = BigInt(count);
  stored.until = until;
  if (leftOut.length > 0) stored.leftOut = leftOut;
  if (others !== undefined) stored.others = others;
  if (home !== undefined) stored.home = home;
  if (values !== undefined) stored.v = values;
  return stored;
}

/** A share beside home as it is kept for a confirm that comes late. */
export function keptShare(hold: Hold): Value {
  const { id, nonce, until, names, home = '', values } = hold;
  const kept = { id, nonce, ...storedAmount(hold), until, b: names, home };
  return values === undefined ? kept : { ...kept, v: values };
}

/** An outcome as home remembers it. */
export function storedOutcome(outcome: Outcome): Value {
  const { id, nonce, digest, state, late, at, counters, leftOut = [], until, others } = outcome;
  const { reasonCode } = outcome;
  const [inTime, after] = END_LETTERS[state];
  return {
    id,
    is: `${late ? after : inTime}${nonce}${digest}`,
    ...storedAmount(outcome),
    ...(reasonCode === undefined ? {} : { reasonCode }),
    ...(at === undefined || counters === undefined ? {} : { at, counters }),
    ...(leftOut.length === 0 ? {} : { leftOut }),
    ...(others === undefined || until === undefined ? {} : { until, others }),
  };
}

function storedAmount({ amount, count }: Pick<Hold, 'amount' | 'count'>) {
  return { a: BigInt(amount), ...(count === 1 ? {} : { n: BigInt(count) }) };
}
