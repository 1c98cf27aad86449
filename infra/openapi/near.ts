import { NEAR_ROWS_DEFAULT, NEAR_ROWS_MAX, NEAR_SHARES } from '../../lib/near/near-bounds.ts';
import type { JsonObject } from '../../lib/http/json.ts';
import { NEAR_SHARE_DEFAULT } from '../../lib/near/near-request.ts';
import { GIVEN_PLACE } from './given-patterns.ts';
import { referenceTo } from './json-schema.ts';
import type { Operation } from './operation.ts';
import { pageSize } from './parameters.ts';

/** The list of those who are near a maximum. */

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
