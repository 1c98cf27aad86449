import { SETTLED_STATES } from '../lib/shared/states.ts';
import * as say from './words.ts';

/** The ends of orders that a rule counts, where these are not confirms alone. */
export const countedEnds = {
  outcomes: say.list(
    say.oneOf(SETTLED_STATES, 'An end of an order.'),
    'The ends with which orders count. Absent if only those count that are confirmed.',
  ),
  reasonCodes: say.list(
    say.text('A reason code.'),
    'A rollback counts only if its reason code is one of these. Absent if each counts.',
  ),
};
