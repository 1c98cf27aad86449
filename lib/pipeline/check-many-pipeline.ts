import { allFit, decided, taken } from './check-many-deciding.ts';
import type { CheckManyData } from './check-many-data.ts';
import { bucketsFit, entries, room, shadows, targets } from './check-many-reading.ts';
import {
  entered,
  longest,
  memoryStays,
  outcomes,
  ownHolds,
  share,
  takenIds,
  written,
} from './check-many-writing.ts';
import type { Expression, PipelineStage } from './expression.ts';
import { documentTime, lapsed, live, open, plan, released } from './document-reading.ts';
import { updating } from './expression.ts';

const GROUPS = [
  { plan, lapsed, live, entries },
  { buckets: released, open },
  { targets },
  { room, shadows, bucketsFit },
  { allFit },
  { decided },
  { taken },
  { share, takenIds, longest },
  { entered, ownHolds, memoryStays },
  { outcomes },
];

const pipeline = updating(GROUPS, written);

/**
 * The update of a check of many orders of one document, all with the same plans. A constant: the
 * request arrives as data. A check of one order has a pipeline of its own, which does not pay for this.
 *
 * 1. Lay down the request and the server's instant.
 * 2. Find the plan of this instant, what lapsed, the buckets that count, what is known of the orders.
 * 3. Release what lapsed.
 * 4. Find each counter's bucket and its room, once for all orders.
 * 5. Find the tightest room, and whether the document has room for the buckets.
 * 6. Go through the orders as given: one is taken if it is not known, no rule says no, and it fits
 *    after those before it. Where all fit together, there is no need to go.
 * 7. Only when one is taken, write; otherwise leave every byte as it is. (A document that did not
 *    exist gets the date at which it may go.)
 *
 * @param now the server's instant, or another in its place in tests and local mode
 */
export function checkManyPipeline(
  request: CheckManyData,
  now: Expression,
): readonly PipelineStage[] {
  return pipeline(request, documentTime(now));
}
