import * as z from 'zod/mini';
import {
  EXACT_COUNT_MAX,
  SPAN_MS_MAX,
  SPAN_MS_MIN,
  ROLLING_STEPS_DEFAULT,
  ROLLING_STEPS_MAX,
} from '../../shared/bounds.ts';
import { durationText } from '../../shared/duration.ts';
import { joinParts } from '../../shared/subject.ts';
import { durationFrom, objectOf, readDurationMs } from '../../schema/fields.ts';
import type { Find, Wrong } from '../../schema/mistakes.ts';
import { referenceTo, said } from '../../schema/said.ts';
import { spanText } from './span-text.ts';
import type { Steps, ToldPeriod, WindowKind } from './window-kind.ts';
import { EXACT_STEP_MS } from './window-kind.ts';

/** Any span, in steps aligned to the epoch. An event counts until its whole step has left: up to `stepMs` longer. */
export type RollingWindow = Steps & { readonly kind: 'rolling' };

const STEP_EXPECTED = `exact, or an ISO 8601 duration, at most the span and at least 1/${ROLLING_STEPS_MAX} of it`;

const takes = objectOf('The time just before now, such as the last 24 hours.', {
  rolling: durationFrom(
    'Duration',
    [SPAN_MS_MIN, SPAN_MS_MAX],
    'an ISO 8601 duration from PT1S to P366D, such as PT24H',
    'The length of the window: PT1S to P366D.',
  ),
  step: z.optional(
    said(
      z.custom<string>((value) => value === 'exact' || readDurationMs(value) !== undefined, {
        error: STEP_EXPECTED,
      }),
      `\`exact\`, or the length of a step: at most \`rolling\`, and at least 1/${ROLLING_STEPS_MAX} of it.`,
      { anyOf: [{ type: 'string', const: 'exact' }, referenceTo('Duration')] },
    ),
  ),
});

const reads = z.pipe(
  takes,
  z.transform(({ rolling: spanMs, step }, { issues }): RollingWindow => {
    const stepMs = stepOf(spanMs, step);
    if (stepMs === undefined)
      issues.push({ code: 'custom', path: ['step'], message: STEP_EXPECTED, input: step });
    return { kind: 'rolling', spanMs, stepMs: stepMs ?? spanMs };
  }),
);

function stepOf(spanMs: number, step: string | undefined): number | undefined {
  if (step === 'exact') return EXACT_STEP_MS;
  if (step === undefined) return Math.ceil(spanMs / ROLLING_STEPS_DEFAULT);
  const stepMs = readDurationMs(step) ?? 0;
  return stepMs <= spanMs && Math.ceil(spanMs / stepMs) <= ROLLING_STEPS_MAX ? stepMs : undefined;
}

/** The kind `rolling`. */
export const rolling = {
  key: ({ spanMs, stepMs }) => joinParts(['rolling', String(spanMs), String(stepMs)]),
  placing: { kind: 'stepped', stepsOf: (window) => window },
  begins: false,
  form: { mark: 'rolling', expected: 'an object with rolling', takes, reads },
  between: wrongExact,
  text: {
    en: ({ spanMs }) => `in any ${spanText(spanMs, 'en')}`,
    zh: ({ spanMs }) => `任意${spanText(spanMs, 'zh')}内`,
  },
  answer: rollingAnswer,
} satisfies WindowKind<RollingWindow>;

/** Each event of an exact window is stored by itself, so their number must have an end. */
function* wrongExact(find: Find): Generator<Wrong> {
  if (find('window', 'step') !== 'exact') return;
  const count = find('max', 'count');
  if (!(typeof count === 'number' && count >= 1 && count <= EXACT_COUNT_MAX))
    yield [
      ['max', 'count'],
      `a whole number from 1 to ${EXACT_COUNT_MAX}, because the window is exact`,
    ];
  if (find('appliesTo') !== undefined && find('match') === undefined)
    yield [
      ['appliesTo'],
      'nothing here: a rule with an exact window applies to everything that it counts',
    ];
}

function rollingAnswer({ spanMs, stepMs }: RollingWindow, period: ToldPeriod | undefined) {
  if (period === undefined) throw new TypeError('a rolling window covers a time');
  const isExact = stepMs === EXACT_STEP_MS;
  const step = durationText(stepMs);
  return {
    kind: 'rolling',
    span: durationText(spanMs),
    step: isExact ? 'exact' : step,
    start: period.start,
    end: period.end,
    maxEarlyRefusal: isExact ? 'PT0S' : step,
  } as const;
}
