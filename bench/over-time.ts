import { z } from 'zod';
import { FIXED_REVISION, GOAL_CALLERS } from './extent.ts';
import type { Results } from './measure-all.ts';

/** Rows whose speed is kept from run to run: what a payment pays. */
const KEPT_ROWS = ['check', 'confirm', 'checks', 'refusal', 'merchant check'];

/** A published run: how fast it was beside the fixed revision, on many subjects. */
export const pointSchema = z.object({
  measuredAt: z.string(),
  commit: z.string(),
  engine: z.string(),
  to: z.string(),
  /** By row; a row that was not measured is not there. */
  ratios: z.record(z.string(), z.number()),
});

export type Point = z.infer<typeof pointSchema>;

/** The part of a run that later pages show. */
export function overTime({ circumstances, rows }: Results): Point {
  const { measuredAt, commit = 'unknown', engine } = circumstances;
  const ratios = Object.fromEntries(
    rows
      .filter(({ name, placement, callers }) => {
        const isCounted = placement === 'distinct' && callers === GOAL_CALLERS;
        return isCounted && KEPT_ROWS.includes(name);
      })
      .flatMap(({ name, ratios: all }) => {
        const found = all.find(({ to }) => to === FIXED_REVISION);
        return found === undefined ? [] : [[name, found.ratio.median]];
      }),
  );
  return { measuredAt, commit, engine, to: FIXED_REVISION, ratios };
}

/** The cells of a table of all runs, the newest last. */
export function overTimeRows(history: readonly Point[]): {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
} {
  return {
    head: ['measured', 'commit', ...KEPT_ROWS],
    rows: history.map(({ measuredAt, commit, ratios }) => [
      measuredAt.slice(0, 10),
      commit,
      ...KEPT_ROWS.map((name) => ratios[name]?.toFixed(2) ?? ''),
    ]),
  };
}
