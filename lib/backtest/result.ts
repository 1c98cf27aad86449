import type { backtestAnswer, backtestOrdersAnswer } from '../../contract/backtests.ts';
import type { Told } from '../../contract/words.ts';
import type { Language } from '../shared/language.ts';
import type { ReplayKind } from './one-replay.ts';

/** The result without the question, and without its orders, which have pages of their own. */
export type BacktestSummary = NonNullable<Told<typeof backtestAnswer>['result']>;

/** What the past does not tell. */
export type Missing = BacktestSummary['missing'];

/** How many checks a replay under the rules of the time decided otherwise than they were. */
export type Differences = BacktestSummary['control'][ReplayKind];

/** Subjects that a draft newly refuses: the most concerned, and how many were refused how often. */
export type ConcernedSubjects = BacktestSummary['subjects'][ReplayKind];

/** Amounts are never added up over currencies. */
export type CurrencyResult = BacktestSummary['currencies'][number];

/** What a draft makes of the checks of one currency. */
export type DraftEnds = CurrencyResult[ReplayKind];

/** How checks of one currency ended. */
export type Ends = CurrencyResult['recorded'];

/** So many checks, and what they asked for, in minor units. */
export type Checks = Ends['allowed'];

/** Refused checks: tries of one order are one of `orders`, and likely tries of one payment one of `payments`. */
export type RefusedChecks = Ends['refused'];

/** What a rule refuses. `alone`: no other rule refused it. */
export type ByRule = DraftEnds['byRule'][number];

/** Allowed and refused checks of a day. A day without checks is not there. */
export type ByDay = DraftEnds['byDay'][number];

/**
 * Allowed and refused checks of an hour of the week. Hours and days are counted from the first instant: day 0 begins
 * with it, and again a week later. An hour without checks is not there.
 */
export type ByHour = DraftEnds['byHour'][number];

/** What became of an order that a draft refuses. `held`: its hold went on beyond the end. */
export type FateKind = keyof DraftEnds['outcomes'];

/** An order that a draft decides otherwise. */
export type ChangedOrder = Omit<Told<typeof backtestOrdersAnswer>['orders'][number], 'sentence'> & {
  /** Why the draft refuses it. */
  readonly sentences?: Readonly<Record<Language, string>>;
};

type ChangedOrders = Readonly<Record<'newlyRefused' | 'newlyAllowed', readonly ChangedOrder[]>>;

/** What a back-test answers. */
export type BacktestResult = BacktestSummary & {
  readonly from: string;
  readonly to: string;
  readonly freed: string;
  readonly orders: Readonly<Record<ReplayKind, ChangedOrders>>;
};
