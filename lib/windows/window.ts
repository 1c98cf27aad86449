import { NEVER } from '../shared/bounds.ts';
import { calendarPeriod } from './calendar.ts';
import type { Period } from './calendar.ts';
import type { RollingWindow, Window } from '../rules/rule.ts';

const ALWAYS: Period = { start: new Date(0), until: NEVER };

/** How long after its start a step's bucket counts: its last event comes `stepMs - 1` after that start. */
export function rollingKeepMs(window: RollingWindow): number {
  return window.spanMs + window.stepMs - 1;
}

/** The bucket that a transaction at an instant enters, and until when it counts. */
export function bucketPeriod(window: Exclude<Window, { kind: 'transaction' }>, at: Date): Period {
  switch (window.kind) {
    case 'lifetime':
      return ALWAYS;
    case 'calendar':
      return calendarPeriod(window, at);
    case 'rolling': {
      const startMs = Math.floor(at.getTime() / window.stepMs) * window.stepMs;
      return { start: new Date(startMs), until: new Date(startMs + rollingKeepMs(window)) };
    }
  }
}
