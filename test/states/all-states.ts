import { ENDED_STATES } from './ended-states.ts';
import { OPEN_STATES } from './open-states.ts';

export const STATES = { ...OPEN_STATES, ...ENDED_STATES };

export type StateName = keyof typeof STATES;
