import type { Figure } from './measure.ts';

/** A table, in lines. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}

/** A median with the least and the most. */
export function shown({ median, least, most }: Figure): string {
  return `${digits(median)} (${digits(least)}–${digits(most)})`;
}

/** A number with as many digits as it deserves. */
export function digits(value: number): string {
  return value >= 1000 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}

/** A value and the goal that it has, if any. */
export function asked(text: string, goal: number | undefined, isReached: boolean): string {
  return goal === undefined ? text : `${text}; ${goal} ${isReached ? 'reached' : '**missed**'}`;
}
