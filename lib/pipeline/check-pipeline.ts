import type { CheckData, CheckKind } from './check-data.ts';
import { reading } from './check-reading.ts';
import { outcomes, written } from './check-writing.ts';
import { documentTime } from './document-reading.ts';
import type { Expression, PipelineStage } from './expression.ts';
import { madeOnce, updating } from './expression.ts';

const updateOf = madeOnce((kind: CheckKind) =>
  updating(reading(kind, outcomes(kind)), written(kind)),
);

/**
 * The update of `check`. A constant for each kind of check: the request arrives as data.
 *
 * 1. Lay down the request and the document's time.
 * 2. Find the plan of this instant, what lapsed, the buckets that count, whether the order is known.
 * 3. Release what lapsed.
 * 4. Find each counter's buckets.
 * 5. Find the counters without room, and the buckets to make.
 * 6. Decide: not known, no rule says no, room for the hold and its buckets.
 * 7. Only when it fits, write; otherwise leave every byte as it is. (A document that did not exist
 *    gets the date at which it may go.)
 *
 * @param now the server's instant, or another in its place in tests and local mode
 */
export function checkPipeline(
  request: CheckData,
  kind: CheckKind,
  now: Expression,
): readonly PipelineStage[] {
  return updateOf(kind)(request, documentTime(now));
}
