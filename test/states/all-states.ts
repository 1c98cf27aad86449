import { ENDED_STATES } from './ended-states.ts';
import { OPEN_STATES } from './open-states.ts';

/** Every state, in the order of the page. */
export const STATES = { ...OPEN_STATES, ...ENDED_STATES };

/** The name of a state. */
export type StateName = keyof typeof STATES;
