import * as z from 'zod/mini';
import { NEAR_PERCENTS, NEAR_SHARES } from './near.ts';
import type { NearQuery } from './near-list.ts';
import { NEAR_ROWS_DEFAULT, NEAR_ROWS_MAX } from './near-list.ts';
import { kind, pageSize, text } from '../http/fields.ts';
import { place } from '../http/page.ts';
import { requestSchema } from '../http/requests.ts';
import { component, said } from '../http/said.ts';

/** The least share of the rows of a page, by default. */
const NEAR_SHARE_DEFAULT = 0.8;

/** What `near` takes. */
export const nearSchema = component(
  'NearRequest',
  requestSchema({
    rule: z.optional(text('Only rows of this rule.')),
    kind: z.optional(kind('Only rows of this kind of subject.')),
    share: z.optional(
      said(
        z.literal(NEAR_SHARES, { error: `one of ${NEAR_SHARES.join(', ')}` }),
        `The least share of the maximum. Default: ${NEAR_SHARE_DEFAULT}.`,
        { default: NEAR_SHARE_DEFAULT },
      ),
    ),
    limit: pageSize(NEAR_ROWS_DEFAULT, NEAR_ROWS_MAX),
    next: z.optional(
      place('the next of the page before, unchanged', 'The `next` of the page before, unchanged.'),
    ),
  }),
);

/** Which rows are asked for. */
export function nearQueryOf(asked: z.infer<typeof nearSchema>): NearQuery {
  const { rule, kind: ofKind, share = NEAR_SHARE_DEFAULT, limit = NEAR_ROWS_DEFAULT, next } = asked;
  const percent = NEAR_PERCENTS.find((one) => one / 100 === share) ?? NEAR_PERCENTS[0];
  const after = next && { percent: next[0], id: next[1] };
  return { rule, kind: ofKind, percent, limit, after };
}
