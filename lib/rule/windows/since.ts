import * as z from 'zod/mini';
import { NEVER, SPAN_MS_MAX, SPAN_MS_MIN } from '../../shared/bounds.ts';
import { durationText } from '../../shared/duration.ts';
import { joinParts } from '../../shared/subject.ts';
import { durationFrom, objectOf } from '../../schema/fields.ts';
import type { Period } from '../zoned.ts';
import type { Since } from './since-field.ts';
import { sinceField, sinceKey, wrongSince } from './since-field.ts';
import { spanText } from './span-text.ts';
import type { ToldPeriod, WindowKind } from './window-kind.ts';

/** The time that begins with an instant which the order says. It comes once. */
export type SinceWindow = { readonly kind: 'since'; readonly since: Since; readonly forMs: number };

const takes = objectOf('The time after an instant that each order says. It comes once.', {
  since: sinceField(
    'When it begins. An order without the instant, or after the end, is not limited. The window is open before its instant, too: a clock may be ahead.',
  ),
  for: durationFrom(
    'Duration',
    [SPAN_MS_MIN, SPAN_MS_MAX],
    'an ISO 8601 duration from PT1S to P366D, such as PT24H',
    'How long it lasts: PT1S to P366D.',
  ),
});

const reads = z.pipe(
  takes,
  z.transform(({ for: forMs, ...given }): SinceWindow => ({ kind: 'since', ...given, forMs })),
);

/** The kind `since`. */
export const since = {
  key: (window) => joinParts([...sinceKey(window.since), String(window.forMs)]),
  placing: { kind: 'fixed', periodAt: periodOf },
  begins: true,
  endOf: (window) => periodOf(window).until,
  between: wrongSince,
  form: { mark: 'for', expected: 'an object with since and for', takes, reads },
  text: {
    en: ({ since: { attribute }, forMs }) =>
      `in the first ${spanText(forMs, 'en')} after ${attribute}`,
    zh: ({ since: { attribute }, forMs }) => `${attribute}后${spanText(forMs, 'zh')}内`,
  },
  answer: sinceAnswer,
} satisfies WindowKind<SinceWindow>;

function periodOf({ since: { at }, forMs }: SinceWindow): Period {
  if (at === undefined) throw new TypeError('an order says when the window begins');
  return { start: at, until: new Date(Math.min(at.getTime() + forMs, NEVER.getTime())) };
}

function sinceAnswer({ since: { attribute }, forMs }: SinceWindow, period: ToldPeriod | undefined) {
  if (period === undefined) throw new TypeError('the window has a period');
  return {
    kind: 'since',
    since: { attribute },
    for: durationText(forMs),
    start: period.start,
    end: period.end,
  } as const;
}
