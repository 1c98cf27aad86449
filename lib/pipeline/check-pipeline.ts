import type { CheckData } from './check-data.ts';
import {
  allFit,
  decided,
  entries,
  mayTake,
  room,
  shadows,
  taken,
  targets,
} from './check-deciding.ts';
import {
  endedIds,
  entered,
  filled,
  kept,
  lapsedBeside,
  lapsedHere,
  outcomes,
  ownHolds,
  share,
  tidy,
  written,
} from './check-writing.ts';
import { buckets, counts, documentTime, lapsed, open, plan, released } from './document-reading.ts';
import type { Expression, PipelineStage } from './expression.ts';
import { those, updating } from './expression.ts';

const GROUPS = [
  { plan, lapsed, open, buckets, entries },
  { released },
  { live: those('$work.released', 'bucket', counts('$$bucket', '$work.now')) },
  { targets },
  { room, shadows, mayTake },
  { allFit },
  { decided },
  { taken },
  { share, endedIds, lapsedHere, lapsedBeside, tidy },
  { entered, outcomes, kept },
  { filled, ownHolds },
];

const update = updating(GROUPS, written);

/**
 * The update of `check` in the general lane, of one order or of many of one document with the same
 * plans. A constant: the request arrives as data.
 *
 * 1. Lay down the request and the document's time.
 * 2. Find the plan of this instant, what lapsed, the buckets, what home knows of the orders.
 * 3. Release what lapsed.
 * 4. Find the buckets that count.
 * 5. Find each counter's bucket and its room, once for all orders.
 * 6. Find the tightest room, and whether anything may be taken at all.
 * 7. Go through the orders as given: one is taken if it is not known, no rule says no, and it fits
 *    after those before it. Where all fit together, there is no need to go.
 * 8. Work out what those that are taken add, and what has to go: buckets whose windows are over,
 *    holds whose time is over, which are remembered or kept for a late confirm.
 * 9. Only when one is taken, write; otherwise leave every byte as it is. (A document that did not
 *    exist gets the date at which it may go.)
 *
 * @param now the server's instant, or another in its place in tests and local mode
 */
export function checkPipeline(request: CheckData, now: Expression): readonly PipelineStage[] {
  return update(request, documentTime(now));
}
