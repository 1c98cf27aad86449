import type { Period } from './zoned.ts';

/** Near a boundary checks ask for the stretches on both sides of it. */
const LAST_MAX = 3;

/** Works something out for a stretch of time, and remembers it for the last few. */
export function byStretch<Value>(
  make: (at: Date) => Value,
  boundsOf: (value: Value) => Period,
): (at: Date) => Value {
  let last: readonly (readonly [fromMs: number, untilMs: number, value: Value])[] = [];
  return (instant) => {
    const ms = instant.getTime();
    for (const [fromMs, untilMs, value] of last) if (fromMs <= ms && ms < untilMs) return value;
    const made = make(instant);
    const { start, until } = boundsOf(made);
    last = [...last.slice(1 - LAST_MAX), [start.getTime(), until.getTime(), made]];
    return made;
  };
}
