import { NEAR_ROWS_DEFAULT, NEAR_ROWS_MAX } from '../../lib/domain/near-bounds.ts';
import type { JsonObject } from '../../lib/edge/answers.ts';
import { NEAR_SHARE_DEFAULT, NEAR_SHARES } from '../../lib/edge/near-request.ts';
import { GIVEN_PLACE } from './given-patterns.ts';
import type { Operation } from './operation.ts';
import {
  called,
  flag,
  instant,
  list,
  nullable,
  object,
  oneOf,
  referenceTo,
  sum,
  text,
} from './json-schema.ts';
import { pageSize } from './parameters.ts';

/** The list of those who are near a maximum. */

const quantity = (description: string): JsonObject =>
  object(description, {}, { amount: sum('Minor units.'), count: sum('Transactions.') });

const share: JsonObject = {
  type: 'number',
  enum: NEAR_SHARES,
  description: 'The largest of these shares that was reached in the window.',
};

/** Components for its answer. */
export const NEAR_ANSWER: Readonly<Record<string, JsonObject>> = {
  NearRow: object(
    'A maximum that is nearly taken, or more.',
    {
      rule: text("The rule's id."),
      mode: oneOf(['enforce', 'shadow'], '`shadow` is on trial and refuses nothing.'),
      subjects: called('Subjects', 'Whose it is.'),
      share,
      max: quantity('The maximum when the row was written.'),
      overridden: flag("It is the subject's own."),
      taken: quantity('What was used and held then.'),
      start: nullable(instant('When the window begins; null where it is no calendar’s.')),
      until: nullable(
        instant(
          'When the row goes: the end of the window; of a rolling one, when what crossed has left it; null for never.',
        ),
      ),
      at: instant('The instant of the counters that the row tells of.'),
    },
    { currency: text('What amounts are in.') },
  ),
  NearAnswer: object('A page, nearest first.', {
    near: list(referenceTo('NearRow'), 'Rows whose window is not over.'),
    next: nullable(text('For the next page; null on the last.')),
    kept: flag('Calls write what they cross (`NEAR`).'),
    scannedAt: nullable(instant('When the list was made from the counters last; null for never.')),
    now: instant('The instant of the answer.'),
  }),
};

const parameter = (
  name: string,
  description: string,
  schema: JsonObject,
  example: string,
): JsonObject => ({ name, in: 'query', description, schema, example });

const row = {
  ...{ rule: 'merchant-day', mode: 'enforce', subjects: { merchant: 'm-1' }, currency: 'CNY' },
  share: 0.8,
  max: { amount: 5_000_000 },
  overridden: false,
  taken: { amount: 4_120_000 },
  start: '2026-11-20T16:00:00.000Z',
  until: '2026-11-21T16:00:00.000Z',
  at: '2026-11-21T10:10:57.782Z',
};

/** The call. */
export const NEAR_OPERATION: Operation = {
  ...{ method: 'get', path: '/v1/near', tag: 'Limits', name: 'Near' },
  summary: 'Who is near a maximum',
  description:
    'Subjects of which 50, 80, 95 or 100 % of a maximum were taken in its window, nearest first. It is written as best it can be; a scan of the counters mends it.',
  answers: 'A page of the list.',
  codes: ['NO_SUCH_RULE'],
  example: {
    answer: {
      near: [row],
      next: null,
      kept: true,
      scannedAt: null,
      now: '2026-11-21T10:11:02.104Z',
    },
  },
  parameters: [
    parameter('rule', 'Of one rule.', referenceTo('Text'), 'merchant-day'),
    parameter('kind', 'Of one kind of subject.', referenceTo('Kind'), 'merchant'),
    {
      name: 'share',
      in: 'query',
      description: `At least so much of the maximum; ${NEAR_SHARE_DEFAULT} where nothing is said.`,
      schema: { type: 'number', enum: NEAR_SHARES, default: NEAR_SHARE_DEFAULT },
    },
    pageSize(NEAR_ROWS_DEFAULT, NEAR_ROWS_MAX),
    {
      name: 'next',
      in: 'query',
      description: 'The `next` of the page before, unchanged.',
      schema: GIVEN_PLACE,
    },
  ],
};
