import type { DocumentPlan } from '../document/document-plan.ts';
import { pairsAmong, planFor } from '../document/document-plan.ts';
import type { DocumentView } from '../document/document.ts';
import { BUCKETS_HIGH, OPEN_SHARES_HIGH } from '../shared/bounds.ts';
import { readDocumentId } from '../shared/subject.ts';
import type { Context } from './context.ts';

/** Tells where a document beside home has nearly as many shares as it may. */
export function tellShares(
  { openSharesMax: most, onCrowded }: Context,
  document: string,
  { openShares: open }: DocumentView,
): void {
  if (open >= most * OPEN_SHARES_HIGH)
    onCrowded({ of: 'shares', kind: readDocumentId(document).kind, open, most });
}

/**
 * Tells where rules of several subjects have filled most of their part of a document. A plain add sees its own buckets,
 * but for one in eight, which sees all: that one tells.
 */
export function tellPairs(
  { onCrowded }: Context,
  document: string,
  plans: readonly DocumentPlan[],
  { now, buckets }: DocumentView,
): void {
  const pairs = planFor(plans, now)?.pairs;
  if (pairs === undefined) return;
  const { most } = pairs;
  if (buckets.length < most * BUCKETS_HIGH) return;
  const windows = pairsAmong(buckets, pairs);
  if (windows >= most * BUCKETS_HIGH)
    onCrowded({ of: 'pairs', kind: readDocumentId(document).kind, windows, most });
}
