import type * as z from 'zod/mini';
import type { Find, Wrong } from '../../schema/mistakes.ts';
import type { Language } from '../../shared/language.ts';
import type { Times } from '../times.ts';
import type { Period } from '../zoned.ts';

/**
 * All that differs between kinds of windows. A kind is one file of this folder and one row of windows.ts. Every
 * other file asks the questions of windows.ts, and compares no kind.
 */
export type WindowKind<One> = {
  /** Sets its counters apart from those of other windows. Stored sums are named by it, so it never changes. */
  readonly key: (window: One) => string;
  readonly placing: Placing<One>;
  /** Whether it begins at an instant, which callers are told with its end. */
  readonly begins: boolean;
  /** When it is over, if it comes once. */
  readonly endOf?: (window: One) => Date;
  /** It follows a calendar, whose zone is that of sentences, and whose units are those of a history. */
  readonly isOfCalendar?: true;
  /** Takes up what it needs of its rule: when that begins, and its times. Absent: nothing. */
  readonly ofRule?: (window: One, rule: RuleTimes) => One;
  /** How a rule file says it. Absent: by the name of the kind. */
  readonly form?: ObjectForm<One>;
  /** What is wrong between its fields, and with fields of the rule beside it. Each may be right by itself. */
  readonly between?: (find: Find) => Iterable<Wrong>;
  /** Over what a rule sums, after its maximum: `a day in Asia/Shanghai`. */
  readonly text: Readonly<Record<Language, (window: One) => string>>;
  /** How answers show it; contract/windows.ts has the schema. */
  readonly answer: (window: One, period: ToldPeriod | undefined) => { readonly kind: string };
};

/** When a rule is in effect. */
export type RuleTimes = { readonly from?: Date; readonly when?: Times };

/**
 * Where the bucket of a payment lies.
 *
 * - `single`: it has no bucket. A rule looks at each payment alone, and counts nothing.
 * - `fixed`: in one period, the same for all payments in it.
 * - `stepped`: in a step. The window ends at each instant that is asked, and sums the steps that reach into it.
 */
type Placing<One> =
  | { readonly kind: 'single' }
  | { readonly kind: 'fixed'; readonly periodAt: (window: One, at: Date) => Period }
  | { readonly kind: 'stepped'; readonly stepsOf: (window: One) => Steps };

/** Steps of a window, aligned to the epoch. */
export type Steps = { readonly spanMs: number; readonly stepMs: number };

/** A step of one millisecond: every event is a bucket of its own. */
export const EXACT_STEP_MS = 1;

/** How long after its start a step's bucket counts: its last event comes `stepMs - 1` after that start. */
export function keepMsOf({ spanMs, stepMs }: Steps): number {
  return spanMs + stepMs - 1;
}

/** The time that a window covers, as callers are told. */
export type ToldPeriod = { readonly start: Date; readonly end: Date };

/** An object of a rule file that is a window. */
export type ObjectForm<One> = {
  /** A field that all objects of this kind have, and no others. */
  readonly mark: string;
  /** Says in a mistake what is expected: `an object with rolling`. */
  readonly expected: string;
  /** Its fields with their descriptions, for the JSON schema. */
  readonly takes: z.ZodMiniType;
  readonly reads: z.ZodMiniType<One>;
};
