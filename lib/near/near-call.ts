import * as z from 'zod/mini';
import { NEAR_ROWS_DEFAULT, NEAR_ROWS_MAX } from './near.ts';
import type { NearQuery, NearNow, NearAnswer } from './near.ts';
import { kind, pageSize, text } from '../schema/fields.ts';
import { place, placeText, readPlace } from '../http/page.ts';
import { requestSchema } from '../http/requests.ts';
import { component, said } from '../schema/said.ts';
import type { nearAnswer, nearRow } from '../../contract/limits.ts';
import type { Told } from '../../contract/words.ts';
import { NEVER, NEAR_SHARES } from '../shared/bounds.ts';
import { modeOf, quantityJson, shareJson } from '../http/standing-answer.ts';
import { NEAR_PERCENTS } from '../limits/near-row.ts';
import type { NearPercent, NearRow } from '../limits/near-row.ts';

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
    next: place(readPlace),
  }),
);

/** Which rows are asked for. */
export function nearQueryOf(asked: z.infer<typeof nearSchema>): NearQuery {
  const { rule, kind: ofKind, share = NEAR_SHARE_DEFAULT, limit = NEAR_ROWS_DEFAULT, next } = asked;
  const percent = NEAR_PERCENTS.find((one) => one / 100 === share) ?? NEAR_PERCENTS[0];
  const after = next && { percent: next[0], id: next[1] };
  return { rule, kind: ofKind, percent, limit, after };
}

/** Writes who is near a maximum. Amounts are minor units, instants RFC 3339 in UTC. */
export function nearAnswerJson(found: NearAnswer): Told<typeof nearAnswer> {
  const { next } = found;
  return {
    near: found.rows.map(({ percent, now, ...row }) => ({
      ...nearRowJson(row, percent),
      now: nearNowJson(now),
    })),
    next: next === undefined ? null : placeText(next.percent, next.id),
    kept: found.isKept,
    scannedAt: found.scannedAt ?? null,
    now: found.now,
  };
}

function nearNowJson({ used, held, max, isOverride, share }: NearNow) {
  return {
    used: quantityJson(used),
    held: quantityJson(held),
    max: quantityJson(max),
    overridden: isOverride,
    share: shareJson(share),
  };
}

/** A row, and the id that its rule has. */
type RowOfRule = Omit<NearRow, 'id' | 'rule'> & { readonly ruleId: string };

/** Writes a row; `start` and `until` are null where the window has none. */
export function nearRowJson(row: RowOfRule, percent: NearPercent): Told<typeof nearRow> {
  const { ruleId, subjects, currency, start, since, until, max, isOverride, taken, at } = row;
  return {
    rule: ruleId,
    mode: modeOf(row),
    subjects,
    currency,
    share: NEAR_SHARES[NEAR_PERCENTS.indexOf(percent)] ?? 1,
    max: quantityJson(max),
    overridden: isOverride,
    taken: quantityJson(taken),
    start: start ?? null,
    since,
    until: until < NEVER ? until : null,
    at,
  };
}
