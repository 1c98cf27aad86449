import type { Language } from '../shared/language.ts';
import type { ReplayKind } from './one-replay.ts';

/** So many checks, and what they asked for, in minor units. */
export type Checks = { readonly checks: number; readonly amount: number };

/** Refused checks: tries of one order are one of `orders`, and likely tries of one payment one of `payments`. */
export type RefusedChecks = Checks & {
  readonly orders: number;
  readonly payments: number;
  readonly subjects: number;
};

/** How checks of one currency ended. */
export type Ends = { readonly allowed: Checks; readonly refused: RefusedChecks };

/** What a rule refuses. `alone`: no other rule refused it. */
export type ByRule = RefusedChecks & { readonly rule: string; readonly alone: number };

/** Allowed and refused checks of a day. A day without checks is not there. */
export type ByDay = {
  readonly from: string;
  readonly recorded: { readonly allowed: number; readonly refused: number };
  readonly draft: { readonly allowed: number; readonly refused: number };
};

/** What became of an order that a draft refuses. `held`: its hold went on beyond the end. */
export const OUTCOMES = ['paid', 'paidLate', 'givenBack', 'expired', 'refunded', 'held'] as const;
/** One of them. */
export type FateKind = (typeof OUTCOMES)[number];

/**
 * Allowed and refused checks of an hour of the week. Hours and days are counted from the first instant: day 0 begins
 * with it, and again a week later. An hour without checks is not there.
 */
export type ByHour = Omit<ByDay, 'from'> & { readonly day: number; readonly hour: number };

/** What a draft makes of the checks of one currency. */
export type DraftEnds = {
  readonly draft: Ends;
  /** Checks of orders that a draft holds already: they were tries of an order that was refused. */
  readonly notNeeded: number;
  readonly newlyRefused: RefusedChecks;
  readonly newlyAllowed: RefusedChecks;
  /** Checks that pass with less than was recorded: they take what fits. The amount is the difference. */
  readonly less: Checks;
  /** Those that pass with more. */
  readonly more: Checks;
  /** What became of the orders that are newly refused. */
  readonly outcomes: Readonly<Record<FateKind, Checks>>;
  readonly byRule: readonly ByRule[];
  readonly byDay: readonly ByDay[];
  readonly byHour: readonly ByHour[];
};

/** Amounts are never added up over currencies. */
export type CurrencyResult = { readonly currency: string; readonly recorded: Ends } & Readonly<
  Record<ReplayKind, DraftEnds>
>;

/** An order that a draft decides otherwise. */
export type ChangedOrder = {
  readonly app: string;
  readonly orderId: string;
  readonly at: string;
  readonly subjects: Readonly<Record<string, string>>;
  readonly currency: string;
  readonly amount: number;
  /** Of the refusal: by the draft, or as it was recorded. */
  readonly rules: readonly string[];
  /** Why the draft refuses it. */
  readonly sentences?: Readonly<Record<Language, string>>;
};

/** Subjects that a draft newly refuses: the most concerned, and how many were refused how often. */
export type ConcernedSubjects = {
  readonly most: readonly { readonly subject: string; readonly checks: number }[];
  readonly once: number;
  readonly twice: number;
  readonly threeToFive: number;
  readonly more: number;
};

/** How many checks a replay under the rules of the time decided otherwise than they were. */
export type Differences = { readonly differences: number; readonly share: number };

/** What the past does not tell. */
export type Missing = {
  /** At least so many rows were lost. */
  readonly lostRows: number;
  /** Ends and refunds of orders whose check has no row. */
  readonly withoutCheck: number;
  /** Payments that passed undecided. */
  readonly undecided: number;
  /** Rows that do not tell attributes, and rules that ask for some. */
  readonly withoutAttributes: number;
  readonly rulesWithAttributes: readonly string[];
  /** Rows whose order among the writes of their documents is not told. */
  readonly withoutOrder: number;
  /** Rows from before the first settings that are noted: they are taken for decided by these. */
  readonly withoutSettings: number;
  /** Rows from before the first rules that are stored: they are taken for decided by these. */
  readonly withoutRules: number;
  /** Orders that take what fits, were not refused, and do not tell their least: rows of earlier versions. */
  readonly withoutLeast: number;
  /** Orders that a second person approved: they pass under every rule with a review. */
  readonly approved: number;
  /** Rules of the draft whose windows began before the audit's first row: they are counted from that on. */
  readonly countedFrom: string | null;
  readonly rulesCountedFrom: readonly string[];
  /** Where the rows of one subject alone are read: rules whose sums others have a part in. */
  readonly rulesOfOthers: readonly string[];
};

/** What a back-test answers. */
export type BacktestResult = {
  readonly from: string;
  readonly to: string;
  readonly warmUpFrom: string;
  readonly freed: string;
  readonly rows: number;
  readonly control: { readonly checks: number } & Readonly<Record<ReplayKind, Differences>>;
  readonly currencies: readonly CurrencyResult[];
  readonly subjects: Readonly<Record<ReplayKind, ConcernedSubjects>>;
  readonly orders: Readonly<
    Record<
      ReplayKind,
      {
        readonly newlyRefused: readonly ChangedOrder[];
        readonly newlyAllowed: readonly ChangedOrder[];
      }
    >
  >;
  readonly missing: Missing;
};
