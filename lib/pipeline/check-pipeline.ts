import { EMPTY_DOCUMENT_MS } from '../domain/bounds.ts';
import type { CheckData } from './check-data.ts';
import {
  entered,
  entries,
  fits,
  known,
  leftOut,
  missing,
  existing,
  takesOver,
  targets,
} from './check-reading.ts';
import { change, enteredNames, outcomes, share, until } from './check-writing.ts';
import type { Expression, PipelineStage } from './expression.ts';
import { plan, lapsed, live, released, open } from './document-reading.ts';
import { plus, updating } from './expression.ts';

const GROUPS = [
  { plan, lapsed, live, entries },
  { buckets: released, open, known, takesOver },
  { targets, existing },
  { entered, leftOut, missing },
  { fits, enteredNames, share, until },
  { outcomes },
  { change },
];

/**
 * The update of `check`. A constant: the request arrives as data.
 *
 * 1. Lay down the request and the server's instant.
 * 2. Find the plan of this instant, what lapsed, the buckets that count, what is known of the order.
 * 3. Release what lapsed; see whether the order stands already, or was left incomplete.
 * 4. Find each counter's bucket and whether it has room.
 * 5. List the buckets to enter, and those to make.
 * 6. Decide: not known, no rule says no, room for the hold and its buckets.
 * 7. Only when it fits, write; otherwise leave every byte as it is. (A document that did not exist
 *    gets the date at which it may go.)
 *
 * @param now the server's instant, or another in its place in tests and local mode
 */
export function checkPipeline(request: CheckData, now: Expression): readonly PipelineStage[] {
  return updating(request, now, GROUPS, { expireAt: plus(now, EMPTY_DOCUMENT_MS) });
}
