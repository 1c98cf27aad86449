import type { Db } from 'mongodb';
import { ensureIndexes } from '../lib/store/indexes.ts';
import type { Placement } from './contenders.ts';
import { PLACEMENTS, calls, floors, groups, peers } from './contenders.ts';
import { latencyMs, named, ratio, throughput } from './figures.ts';
import type { Effort, Figure, Measured } from './measure.ts';
import { interleave } from './measure.ts';

/** One line of the comparison: a contender, and the figures that it is compared by. */
export type ThroughputRow = {
  readonly placement: Placement['name'];
  readonly callers: number;
  readonly contender: string;
  readonly perSecond: Figure;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Times the speed of `findOneAndUpdate` with an increment, in the same round. */
  readonly toFloor: Figure;
};

/** What the issue asks of the service, each a ratio of two contenders. */
export type GoalRow = {
  readonly placement: Placement['name'];
  readonly callers: number;
  readonly name: string;
  readonly ratio: Figure;
  /** The least that is good enough; absent where the ratio is only for information. */
  readonly goal?: number;
};

/** The ratios that are published, and the goals that they have. */
const RATIOS: readonly {
  readonly name: string;
  readonly of: string;
  readonly to: string;
  readonly goal?: number;
}[] = [
  { name: 'check to findOneAndUpdate', of: 'check', to: 'findOneAndUpdate', goal: 0.7 },
  { name: 'confirm to findOneAndUpdate', of: 'confirm', to: 'findOneAndUpdate', goal: 0.8 },
  { name: 'check to updateOne', of: 'check', to: 'updateOne' },
  { name: 'pair to findOneAndUpdate', of: 'pair', to: 'findOneAndUpdate' },
  { name: 'check to five limiters', of: 'check', to: 'fiveLimiters', goal: 4 },
  { name: 'check to one limiter', of: 'check', to: 'oneLimiter' },
  { name: 'check to textbook commit', of: 'check', to: 'textbookCommit', goal: 5 },
  { name: 'group to pair', of: 'group', to: 'pair' },
  { name: 'refusal to check', of: 'refusal', to: 'check', goal: 1.5 },
];

/** All contenders beside one another, on distinct subjects and on a hot one. */
export type Throughput = {
  readonly rows: readonly ThroughputRow[];
  readonly goals: readonly GoalRow[];
};

/** Measures floor, calls and peers in turns, for each placement and number of callers. */
export async function measureThroughput(
  db: Db,
  efforts: readonly Effort[],
  report: (line: string) => void,
): Promise<Throughput> {
  await ensureIndexes(db);
  const rows: ThroughputRow[] = [];
  const goals: GoalRow[] = [];
  for (const placement of PLACEMENTS) {
    const contenders = [
      ...floors(db, placement),
      ...calls(db, placement),
      ...groups(db, placement),
      ...(await peers(db, placement)),
    ];
    for (const effort of efforts) {
      report(`${placement.name}, ${effort.callers} callers…`);
      const measured = await interleave(contenders, effort);
      rows.push(...rowsOf(placement, effort, measured));
      goals.push(...goalsOf(placement, effort, measured));
    }
  }
  return { rows, goals };
}

function rowsOf(
  { name: placement }: Placement,
  { callers }: Effort,
  measured: readonly Measured[],
): readonly ThroughputRow[] {
  const floor = named(measured, 'findOneAndUpdate');
  return measured.map((one) => ({
    placement,
    callers,
    contender: one.name,
    perSecond: throughput(one),
    p50Ms: latencyMs(one, 0.5),
    p99Ms: latencyMs(one, 0.99),
    toFloor: ratio(one, floor),
  }));
}

function goalsOf(
  { name: placement }: Placement,
  { callers }: Effort,
  measured: readonly Measured[],
): readonly GoalRow[] {
  return RATIOS.map(({ name, of, to, ...goal }) => ({
    placement,
    callers,
    name,
    ratio: ratio(named(measured, of), named(measured, to)),
    ...goal,
  }));
}
