import type { Db } from 'mongodb';
import { BASELINES, FLOOR } from './baselines.ts';
import type { Build } from './builds.ts';
import { nameIn } from './builds.ts';
import { makeDocuments } from './calls.ts';
import type { Extent } from './extent.ts';
import { GOAL_CALLERS } from './extent.ts';
import type { ProcessorFigures } from './figures.ts';
import {
  clientRatio,
  latencyMs,
  latencyMsOf,
  processorFigures,
  ratio,
  throughput,
} from './figures.ts';
import type { Contender, Effort, Figure, Measured } from './measure.ts';
import { interleave, tryOnce } from './measure.ts';
import type { Placement } from './placement.ts';
import { placementsOf } from './placement.ts';
import type { Meter } from './processor-time.ts';
import type { Situation } from './situations.ts';
import { BESIDE_GOAL, SITUATIONS } from './situations.ts';

/** How many times as fast as something else, round by round, and the least that is good enough. */
export type Ratio = {
  readonly to: string;
  readonly ratio: Figure;
  readonly goal?: number;
  /** How many times its processor time the client spends; of another revision, which does the same. */
  readonly client?: number;
};

/** One row of the table: what was measured of a situation, or of a baseline. */
export type RatioRow = {
  readonly name: string;
  readonly placement: Placement['name'];
  readonly callers: number;
  /** Orders that one operation decides together. */
  readonly orders: number;
  /** Orders a second. */
  readonly perSecond: Figure;
  /** Times of an operation: medians of the rounds, and over all rounds. */
  readonly p50Ms: Figure;
  readonly p99Ms: number;
  /** Processor time of one order, over all rounds, in milliseconds. */
  readonly processorMs: ProcessorFigures;
  /** The most of the client's part of it. */
  readonly clientMsMost?: number;
  /** To the baselines, and to another revision. */
  readonly ratios: readonly Ratio[];
};

/** The builds to measure, and the means to measure them. */
export type Subject = {
  readonly db: Db;
  /** This build, then those of other revisions that are measured beside it. */
  readonly builds: readonly Build[];
  readonly meter: Meter;
};

/** Everything that may be a row, in the order of the table. */
export const ROWS: readonly Pick<Situation, 'name' | 'does' | 'against' | 'clientMsMost'>[] = [
  ...SITUATIONS,
  ...BASELINES,
];

/** Measures situations and baselines in turns, for each placement and number of callers. */
export async function measureRatios(
  { db, builds, meter }: Subject,
  { subjects, efforts, only }: Extent,
  report: (line: string) => void,
): Promise<readonly RatioRow[]> {
  const isAsked = ({ name }: { readonly name: string }): boolean =>
    only === undefined || name === FLOOR || only.includes(name);
  const rows: RatioRow[] = [];
  for (const placement of placementsOf(subjects)) {
    const situations = SITUATIONS.filter(({ on = ['distinct', 'hot'] }) =>
      on.includes(placement.name),
    ).filter(isAsked);
    if (situations.length === 0) continue;
    for (const build of builds) await makeDocuments(build, placement);
    const baselines = await Promise.all(
      BASELINES.filter(isAsked).map(async ({ name, make }) => ({
        name,
        ...(await make(db, placement)),
      })),
    );
    const [own = [], ...all] = builds.map((build) =>
      situations.map(({ name, make }) => ({
        name: nameIn(build, name),
        ...make(build, placement),
      })),
    );
    const others = await Promise.all(all.map((contenders) => answering(contenders, report)));
    for (const effort of efforts) {
      report(`${placement.name}, ${effort.callers} callers…`);
      const beside = effort.callers === GOAL_CALLERS ? others.flat() : [];
      const measured = await interleave([...own, ...baselines, ...beside], effort, meter);
      rows.push(...rowsOf(placement, effort, measured, builds));
    }
  }
  return rows;
}

/** Those that a revision can answer: an older one does not know every field of a rule. */
async function answering(
  contenders: readonly Contender[],
  report: (line: string) => void,
): Promise<readonly Contender[]> {
  const able: Contender[] = [];
  for (const contender of contenders)
    try {
      await tryOnce(contender);
      able.push(contender);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      report(`  not measured, for that revision fails: ${contender.name} (${why})`);
    }
  return able;
}

/** The rows of one placement and number of callers. Another revision has no rows, only a ratio in each. */
function rowsOf(
  { name: placement }: Placement,
  { callers }: Effort,
  measured: readonly Measured[],
  builds: readonly Build[],
): readonly RatioRow[] {
  const byName = new Map(measured.map((one) => [one.name, one]));
  const isOfGoals = callers === GOAL_CALLERS;
  return ROWS.flatMap(({ name, against = {}, clientMsMost }) => {
    const one = byName.get(name);
    if (one === undefined) return [];
    const compared = (to: string, otherName: string, goal?: number): readonly Ratio[] => {
      const other = byName.get(otherName);
      if (other === undefined || other === one) return [];
      const found = { to, ratio: ratio(one, other) };
      return [goal === undefined || !isOfGoals ? found : { ...found, goal }];
    };
    const isBounded = clientMsMost !== undefined && isOfGoals && placement === 'distinct';
    return {
      name,
      placement,
      callers,
      orders: one.orders,
      perSecond: throughput(one),
      p50Ms: latencyMsOf(one, 0.5),
      p99Ms: latencyMs(one, 0.99),
      processorMs: processorFigures(one),
      ...(isBounded ? { clientMsMost } : {}),
      ratios: [
        ...BASELINES.filter(
          (baseline) => baseline.name === FLOOR || against[baseline.name] !== undefined,
        ).flatMap((baseline) =>
          compared(baseline.name, baseline.name, against[baseline.name]?.[placement]),
        ),
        ...builds.flatMap((build) => {
          const other = byName.get(nameIn(build, name));
          if (build.revision === undefined || other === undefined) return [];
          const found = compared(build.revision, nameIn(build, name), BESIDE_GOAL);
          return found.map((each) => ({ ...each, client: clientRatio(one, other) }));
        }),
      ],
    };
  });
}
