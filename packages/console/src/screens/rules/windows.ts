import type { Rule } from '@headroom-limits/client';
import type { ToldWindow } from '../../ui/written.ts';
import type { Word } from '../../words/en.ts';
import { filled, listText, numberIn, someIn } from './filled.ts';

type Stored = Rule['window'];
type StoredCalendar = Extract<Stored, { readonly unit: unknown }>;
type StoredSince = Extract<Stored, { readonly for: unknown }>;
type StoredRolling = Extract<Stored, { readonly rolling: unknown }>;

/** Over what a rule sums, as one word of its form. */
export type WindowName =
  | Extract<Stored, string>
  | StoredCalendar['unit']
  | (Exclude<Stored, string | StoredCalendar | StoredRolling | StoredSince> extends never
      ? 'rolling' | 'since'
      : never);

/** What a form has of a window, beside its name. */
export type WindowDraft = {
  readonly timeZone: string;
  readonly every: number;
  readonly dayStart: string;
  readonly weekStart: string;
  readonly monthDay: number;
  /** Days of the week, and dates, that belong to the next open day. */
  readonly closedDays: string;
  readonly closedDates: string;
  /** An attribute that says when it begins. */
  readonly since: string;
  readonly span: string;
  readonly step: string;
};

type WindowForm = {
  readonly label: Word;
  /** The fields that it shows, in this order. */
  readonly fields: readonly (keyof WindowDraft)[];
  /** Whether it asks each payment alone, so that a rule may have a minimum. */
  readonly isSingle?: true;
  readonly write: (draft: WindowDraft, stored?: Stored) => unknown;
};

const text = (value: string): string | undefined => value.trim() || undefined;
const same = (value: number): number => value;

function sinceIn(name: string): { readonly attribute: string } | undefined {
  const attribute = text(name);
  return attribute === undefined ? undefined : { attribute };
}

/** A field of a calendar window as it is written, if its unit has it. */
const CALENDAR = {
  timeZone: ({ timeZone }) => timeZone.trim(),
  every: ({ every }) => numberIn(every, same),
  dayStart: ({ dayStart }) => text(dayStart),
  weekStart: ({ weekStart }) => weekStart || undefined,
  monthDay: ({ monthDay }) => numberIn(monthDay, same),
  since: ({ since }) => sinceIn(since),
} satisfies Partial<Record<keyof WindowDraft, (draft: WindowDraft) => unknown>>;
type CalendarField = keyof typeof CALENDAR;

const CLOSED = ['closedDays', 'closedDates'] as const;

function closedIn(draft: WindowDraft, stored: Stored | undefined): unknown {
  const { days, dates } =
    (typeof stored === 'object' && 'unit' in stored ? stored.closed : undefined) ?? {};
  return filled({ days: someIn(draft.closedDays, days), dates: someIn(draft.closedDates, dates) });
}

function calendarOf(unit: StoredCalendar['unit'], ...more: readonly CalendarField[]): WindowForm {
  const fields: readonly CalendarField[] = ['timeZone', 'every', ...more];
  const hasClosed = unit === 'day';
  return {
    label: `limit.per.${unit}`,
    fields: hasClosed ? [...fields, ...CLOSED] : fields,
    write: (draft, stored) =>
      filled({
        unit,
        ...Object.fromEntries(fields.map((field) => [field, CALENDAR[field](draft)])),
        closed: hasClosed ? closedIn(draft, stored) : undefined,
      }),
  };
}

/** Each window that a form offers, in its order. */
export const WINDOWS: Readonly<Record<WindowName, WindowForm>> = {
  transaction: {
    label: 'limit.transaction',
    fields: [],
    isSingle: true,
    write: () => 'transaction',
  },
  minute: calendarOf('minute'),
  hour: calendarOf('hour'),
  day: calendarOf('day', 'dayStart', 'since'),
  week: calendarOf('week', 'dayStart', 'weekStart', 'since'),
  month: calendarOf('month', 'dayStart', 'monthDay', 'since'),
  quarter: calendarOf('quarter', 'dayStart', 'monthDay', 'since'),
  year: calendarOf('year', 'dayStart', 'monthDay', 'since'),
  rolling: {
    label: 'edit.window.rolling',
    fields: ['span', 'step'],
    write: ({ span, step }) => filled({ rolling: span.trim(), step: text(step) }),
  },
  since: {
    label: 'edit.window.since',
    fields: ['since', 'span'],
    write: ({ since, span }) => filled({ since: sinceIn(since), for: span.trim() }),
  },
  lifetime: { label: 'limit.lifetime', fields: [], write: () => 'lifetime' },
};

const NONE: WindowDraft = {
  timeZone: '',
  every: Number.NaN,
  dayStart: '',
  weekStart: '',
  monthDay: Number.NaN,
  closedDays: '',
  closedDates: '',
  since: '',
  span: '',
  step: '',
};

/** A stored window as its form has it. */
export function windowDraft(window: Stored): WindowDraft & { readonly window: WindowName } {
  if (typeof window === 'string') return { ...NONE, window };
  if ('rolling' in window)
    return { ...NONE, window: 'rolling', span: window.rolling, step: window.step ?? '' };
  const since = window.since?.attribute ?? '';
  if ('for' in window) return { ...NONE, window: 'since', since, span: window.for };
  const { unit, closed, ...said } = window;
  const [closedDays, closedDates] = [listText(closed?.days), listText(closed?.dates)];
  return { ...NONE, ...said, closedDays, closedDates, since, window: unit } as WindowDraft & {
    readonly window: WindowName;
  }; // none of undefined: it was stored
}

/** A window as it is stored, for its words. */
export function toldWindow(window: Stored): ToldWindow {
  if (typeof window === 'string') return { kind: window };
  if ('rolling' in window) return { kind: 'rolling', span: window.rolling };
  if ('for' in window) return { kind: 'since', since: window.since, for: window.for };
  const { unit, every, since, closed } = window;
  return {
    kind: 'calendar',
    unit,
    ...(every === undefined ? {} : { every }),
    ...(since === undefined ? {} : { since }),
    ...(closed === undefined ? {} : { isClosedAtTimes: true }),
  };
}
