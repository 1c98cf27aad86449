import type { Period } from './zoned.ts';

/** Near a boundary checks ask for the stretches on both sides of it. */
const LAST_MAX = 3;

/** Works something out for a stretch of time, and remembers it for the last few. */
export function byStretch<Value>(
  make: (at: Date) => Value,
  boundsOf: (value: Value) => Period,
): (at: Date) => Value {
  type Stretch = { readonly fromMs: number; readonly untilMs: number; readonly value: Value };
  let last: readonly Stretch[] = [];
  return (instant) => {
    const ms = instant.getTime();
    for (const { fromMs, untilMs, value } of last) if (fromMs <= ms && ms < untilMs) return value;
    const value = make(instant);
    const { start, until } = boundsOf(value);
    const made = { fromMs: start.getTime(), untilMs: until.getTime(), value };
    last = [...last.slice(1 - LAST_MAX), made];
    return value;
  };
}
