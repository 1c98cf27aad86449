import type { nearAnswer, nearRow } from '../../contract/limits.ts';
import type { Told } from '../../contract/words.ts';
import { NEVER } from '../shared/bounds.ts';
import type { NearPercent, NearRow } from './near.ts';
import { NEAR_PERCENTS, NEAR_SHARES } from './near.ts';
import type { NearAnswer } from './near-list.ts';
import { placeText } from '../http/page.ts';
import { modeOf, quantityJson } from '../http/standing-answer.ts';

/** Writes who is near a maximum. Amounts are minor units, instants RFC 3339 in UTC. */
export function nearAnswerJson({
  rows,
  next,
  isKept,
  scannedAt,
  now,
}: NearAnswer): Told<typeof nearAnswer> {
  return {
    near: rows.map(({ percent, ...row }) => nearRowJson(row, percent)),
    next: next === undefined ? null : placeText(next.percent, next.id),
    kept: isKept,
    scannedAt: scannedAt?.toISOString() ?? null,
    now: now.toISOString(),
  };
}

/**
 * Writes a row, with a part of its maximum. `taken` is used and held; `start` and `until` are null where
 * the window has none.
 */
export function nearRowJson(row: NearRow, percent: NearPercent): Told<typeof nearRow> {
  const { rule, subjects, currency, start, until, max, isOverride, taken, at } = row;
  return {
    ...{ rule, mode: modeOf(row), subjects },
    currency,
    share: NEAR_SHARES[NEAR_PERCENTS.indexOf(percent)] ?? 1,
    max: quantityJson(max),
    overridden: isOverride,
    taken: quantityJson(taken),
    start: start?.toISOString() ?? null,
    until: until < NEVER ? until.toISOString() : null,
    at: at.toISOString(),
  };
}
