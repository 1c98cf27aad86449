import type { Find, Wrong } from '../../schema/mistakes.ts';
import type { Language } from '../../shared/language.ts';
import type { CalendarWindow } from '../calendar.ts';
import type { Period } from '../zoned.ts';
import { calendar } from './calendar.ts';
import type { LifetimeWindow } from './lifetime.ts';
import { lifetime } from './lifetime.ts';
import type { RollingWindow } from './rolling.ts';
import { rolling } from './rolling.ts';
import type { Since } from './since-field.ts';
import type { SinceWindow } from './since.ts';
import { since } from './since.ts';
import type { TransactionWindow } from './transaction.ts';
import { transaction } from './transaction.ts';
import type { RuleTimes, Steps, ToldPeriod, WindowKind } from './window-kind.ts';
import { EXACT_STEP_MS, keepMsOf } from './window-kind.ts';

/** What a maximum is counted over. */
export type Window =
  | TransactionWindow
  | LifetimeWindow
  | CalendarWindow
  | RollingWindow
  | SinceWindow;

/** The kinds of windows. */
export const WINDOWS = {
  transaction,
  lifetime,
  calendar,
  rolling,
  since,
} satisfies { readonly [Kind in Window['kind']]: WindowKind<Extract<Window, { kind: Kind }>> };

type Kinds = typeof WINDOWS;
/** The windows whose kind has a part. */
type WindowWith<Part> = {
  [Kind in keyof Kinds]: Kinds[Kind] extends Part ? Extract<Window, { kind: Kind }> : never;
}[keyof Kinds];

/** A window in which something is counted. */
export type CountedWindow = Exclude<Window, WindowWith<{ placing: { kind: 'single' } }>>;
/** A window that begins at an instant. */
type BeginningWindow = WindowWith<{ begins: true }>;

function windowKindOf<One extends Window>(window: One): WindowKind<One> {
  // The row of its name is that of its type, as `satisfies` says above.
  return WINDOWS[window.kind] as unknown as WindowKind<One>;
}

/** Names a window within a counter's digest. */
export function windowKey(window: Window): string {
  return windowKindOf(window).key(window);
}

/** Says whether payments are counted in a window; otherwise each is asked alone. */
export function isCounted(window: Window): window is CountedWindow {
  return windowKindOf(window).placing.kind !== 'single';
}

/** Says whether a window begins at an instant, which callers are told with its end. */
export function begins(window: Window): window is BeginningWindow {
  return windowKindOf(window).begins;
}

/** The steps in which a window moves; undefined where its bounds stay for a time. */
export function stepsOf(window: Window): Steps | undefined {
  const { placing } = windowKindOf(window);
  return placing.kind === 'stepped' ? placing.stepsOf(window) : undefined;
}

/** Says whether a window looks back from each event exactly. */
export function isExact(window: Window): boolean {
  return stepsOf(window)?.stepMs === EXACT_STEP_MS;
}

/** The bucket that a transaction at an instant enters, and until when it counts. */
export function bucketPeriod(window: CountedWindow, at: Date): Period {
  const { placing } = windowKindOf<Window>(window);
  switch (placing.kind) {
    case 'fixed':
      return placing.periodAt(window, at);
    case 'stepped': {
      const steps = placing.stepsOf(window);
      const startMs = Math.floor(at.getTime() / steps.stepMs) * steps.stepMs;
      return { start: new Date(startMs), until: new Date(startMs + keepMsOf(steps)) };
    }
    case 'single':
      throw new RangeError('nothing is counted in it');
  }
}

/** With which attribute orders say when a window begins, if they do. */
export function sinceOf(window: Window): Since | undefined {
  return 'since' in window ? window.since : undefined;
}

/** A window without the instant that an order said. */
export function asWritten(window: Window): Window {
  if (!('since' in window)) return window;
  const { attribute } = window.since;
  return { ...window, since: { attribute } };
}

/** When a window that comes once is over, once an order has said when it begins. */
export function windowEnd(window: Window): Date | undefined {
  return windowKindOf(window).endOf?.(window);
}

/** The calendar that a window follows, if it does. */
export function calendarOf(window: Window): CalendarWindow | undefined {
  return isOfCalendar(window) ? window : undefined;
}

function isOfCalendar(window: Window): window is WindowWith<{ isOfCalendar: true }> {
  return windowKindOf(window).isOfCalendar === true;
}

/** The window of a rule, with what it needs of it. */
export function windowOf(rule: RuleTimes & { readonly window: Window }): Window {
  const { window } = rule;
  return windowKindOf(window).ofRule?.(window, rule) ?? window;
}

/** Says over what a rule sums: `a day in Asia/Shanghai`, `in any 24 hours`, `每天（Asia/Shanghai）`. */
export function windowText(window: Window, language: Language): string {
  return windowKindOf(window).text[language](window);
}

type WindowAnswer = ReturnType<Kinds[keyof Kinds]['answer']>;

/** Writes a window for an answer. @param period that it covers, if it counts over a time */
export function windowAnswer(window: Window, period: ToldPeriod | undefined): WindowAnswer {
  return windowKindOf(window).answer(window, period) as WindowAnswer; // of its kind
}

/** Says whether a rule file names a window in which nothing is counted. */
export function isSingleForm(given: unknown): boolean {
  return Object.entries(WINDOWS).some(
    ([name, { placing }]) => name === given && placing.kind === 'single',
  );
}

/** Names what is wrong between the fields of a window and its rule, whichever kind it is. */
export function* wrongWindows(find: Find): Generator<Wrong> {
  const kinds: readonly Pick<WindowKind<never>, 'key' | 'between'>[] = Object.values(WINDOWS);
  for (const { between } of kinds) if (between !== undefined) yield* between(find);
}
