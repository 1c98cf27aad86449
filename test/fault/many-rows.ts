import type { Db } from 'mongodb';
import { HeadroomError, UndecidedError } from '../../lib/shared/errors.ts';
import type { SettlementAnswer } from '../../lib/limits/answer.ts';
import type { ManyResult } from '../../lib/limits/many.ts';
import type { CheckRequest, SettlementRequest, Subjects } from '../../lib/shared/request.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import type { ModelRule } from '../model/model-types.ts';
import { checkOf, orderOf } from '../support/limits-fixture.ts';
import type { Sums } from '../support/broken-orders.ts';
import {
  copyTemplate,
  counted,
  HELD,
  NOTHING,
  rulesOf,
  USED,
  withShares,
} from '../support/broken-orders.ts';

/**
 * Users `a` and `b` and a merchant, who has 1.00 used and 0.50 held before, as both users have: of
 * 8.00, two orders of 3.00 fit. Nothing else limits.
 */
export const MANY_RULES: readonly ModelRule[] = rulesOf({ user: 9_999, merchant: 800 }, true);

/** What three subjects count, in the order of their names: user a, user b, the merchant. */
export type SumsOfAll = readonly [Sums, Sums, Sums];

/** What a caller does with orders of 3.00 CNY each. */
export type ManyAct =
  | { readonly call: 'checks'; readonly orders: readonly OrderName[]; readonly atomic: boolean }
  | { readonly call: 'settlements'; readonly ends: Readonly<Partial<Record<OrderName, End>>> };

type OrderName = keyof typeof WHOSE;
type End = 'confirmed' | 'rolledBack';

/** The subjects of each order: o-3 lives in one document, the others in two. */
const WHOSE = {
  'o-1': { user: 'a', isTwo: true },
  'o-2': { user: 'b', isTwo: true },
  'o-3': { user: 'a', isTwo: false },
  'o-4': { user: 'b', isTwo: true },
} as const;

/** The subjects of an order in a case of this name. */
export function subjectsIn(name: string, orderId: OrderName): Subjects {
  const { user, isTwo } = WHOSE[orderId];
  return { user: `${name}-${user}`, ...(isTwo ? { merchant: `${name}-m` } : {}) };
}

/** A check of an order in a case of this name. */
export function checkIn(name: string, orderId: OrderName): CheckRequest {
  return checkOf({ orderId, subjects: subjectsIn(name, orderId), amountMinor: 300 });
}

/** Makes a case's subjects from the template. */
export async function copySubjects(db: Db, name: string): Promise<void> {
  for (const subject of ['a', 'b', 'm']) await copyTemplate(db, `${name}-${subject}`);
}

/**
 * Does what a caller does; each order is answered by its decision, its state, or the code of its error.
 *
 * @throws UndecidedError where one order is undecided
 */
export async function performMany(
  limits: Limits,
  act: ManyAct,
  name: string,
  at?: Date,
): Promise<readonly string[]> {
  if (act.call === 'checks') {
    const orders = act.orders.map((orderId) => checkIn(name, orderId));
    return (await limits.checkMany(orders, act.atomic, at)).map(shortOf);
  }
  const settlements = Object.entries(act.ends).map(([orderId, to]): SettlementRequest => ({
    // The keys are names of orders.
    ...orderOf(orderId, subjectsIn(name, orderId as OrderName)),
    to,
  }));
  return (await limits.settleMany(settlements, at)).map(shortOf);
}

function shortOf(result: ManyResult<{ readonly kind: string } | SettlementAnswer>): string {
  if (result.kind === 'answered')
    return 'kind' in result.answer ? result.answer.kind : result.answer.state;
  const { error } = result;
  if (!(error instanceof HeadroomError) || error instanceof UndecidedError) throw error;
  return error.code;
}

/** What orders were answered last, and what the three subjects of a case count. */
export async function countedOfAll(
  limits: Limits,
  name: string,
  answers: readonly string[],
  at?: Date,
) {
  const [a, merchant] = await counted(limits, subjectsIn(name, 'o-1'), at);
  const [b] = await counted(limits, subjectsIn(name, 'o-2'), at);
  return { answers, after: [a, b, merchant] };
}

const USED_TWICE: Sums = { used: { amountMinor: 700, count: 3 }, held: NOTHING.held };
const HELD_TWICE = withShares(NOTHING, 2);

/** As before. */
export const NOTHING_OF_ALL: SumsOfAll = [NOTHING, NOTHING, NOTHING];
/** o-1, o-2 and o-3 held. */
export const THREE_HELD: SumsOfAll = [HELD_TWICE, HELD, HELD_TWICE];
/** o-1 and o-3 used, o-2 given back. */
const TWO_USED: SumsOfAll = [USED_TWICE, NOTHING, USED];

/** Three that fit. */
export const THREE: ManyAct = { call: 'checks', orders: ['o-1', 'o-2', 'o-3'], atomic: false };
const ATOMIC: ManyAct = { ...THREE, atomic: true };
const FOUR: ManyAct = { ...THREE, orders: ['o-1', 'o-2', 'o-3', 'o-4'] };
const ENDS: ManyAct = {
  call: 'settlements',
  ends: { 'o-1': 'confirmed', 'o-2': 'rolledBack', 'o-3': 'confirmed' },
};

const THREE_ALLOWED = ['allowed', 'allowed', 'allowed'] as const;
const NOT_ALL = 'NOT_ALL_ALLOWED';

/** A call of many, what was before it, how it ends where nothing breaks, and what is counted then. */
export type ManyRow = {
  readonly what: string;
  readonly before: readonly ManyAct[];
  readonly act: ManyAct;
  readonly ending: Ending;
  /**
   * How it may end as well: where an order stays undecided at first, one after it may take the last
   * of the maximum.
   */
  readonly orElse?: readonly Ending[];
};

/** What each order is answered, and what is counted then. */
export type Ending = { readonly answers: readonly string[]; readonly after: SumsOfAll };

const ENDED = { answers: ['confirmed', 'rolledBack', 'confirmed'], after: TWO_USED };
const THREE_OF_FOUR = { answers: [...THREE_ALLOWED, 'refused'], after: THREE_HELD };
const ALL_THREE = { answers: THREE_ALLOWED, after: THREE_HELD };
const NONE = { answers: [NOT_ALL, NOT_ALL, NOT_ALL, 'refused'], after: NOTHING_OF_ALL };
const OTHERS: readonly Ending[] = [
  { answers: ['refused', ...THREE_ALLOWED], after: [HELD, HELD_TWICE, HELD_TWICE] },
  {
    answers: ['allowed', 'refused', 'allowed', 'allowed'],
    after: [HELD_TWICE, HELD, HELD_TWICE],
  },
];

/** Calls of many orders over three documents. */
// prettier-ignore
export const MANY_CALLS: readonly ManyRow[] = [
  { what: 'three orders that fit and one that does not', before: [], act: FOUR, ending: THREE_OF_FOUR, orElse: OTHERS },
  { what: 'the repeat of them', before: [FOUR], act: FOUR, ending: THREE_OF_FOUR },
  { what: 'confirms and rollbacks', before: [THREE], act: ENDS, ending: ENDED },
  { what: 'the repeat of confirms and rollbacks', before: [THREE, ENDS], act: ENDS, ending: ENDED },
];

/** Atomic calls over three documents. */
export const ATOMIC_CALLS: readonly ManyRow[] = [
  { what: 'three orders that fit', before: [], act: ATOMIC, ending: ALL_THREE },
  { what: 'the repeat of them', before: [ATOMIC], act: ATOMIC, ending: ALL_THREE },
  {
    what: 'four orders, one of which does not fit',
    before: [],
    act: { ...FOUR, atomic: true },
    ending: NONE,
  },
];

/** The rollback of every order. */
export const ALL_BACK: ManyAct = {
  call: 'settlements',
  ends: { 'o-1': 'rolledBack', 'o-2': 'rolledBack', 'o-3': 'rolledBack', 'o-4': 'rolledBack' },
};
