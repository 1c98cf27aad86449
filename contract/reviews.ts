import { called } from '../lib/schema/said.ts';
import { actor } from './terms.ts';
import * as say from './words.ts';

/** How answers to checks tell what would let an order pass. */

/** The proofs that an order lacks. */
export const challenges = say.list(
  say.text('A proof, such as `sca`.'),
  'With the reason `challenge`: proofs that the order lacks. Have the payer prove them, and check again with `proofs`.',
);

const proposal = say.text('The id of the proposal: `GET /v1/proposals/{id}` has it.');

/** Where a second person decides about an order. */
export const review = say.named(
  'Review',
  'With the reasons `review` and `rejected`: the proposal. Absent if Headroom could not store it, or if it is approved and another order of an atomic call is in the way. A dry run opens none.',
  {
    proposal,
    state: say.oneOf(['open', 'rejected'], '`open`: it waits for a decision.'),
    until: say.instant('The instant at which an open proposal expires.'),
  },
);

/** By which approval an order passes. */
export const approval = say.named(
  'Approval',
  'A second person approved the order. Absent in a repeat.',
  { proposal, by: called(actor, 'The second person.') },
);
