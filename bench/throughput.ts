import type { Db } from 'mongodb';
import type { Build } from './builds.ts';
import { nameIn } from './builds.ts';
import {
  blindFloor,
  calls,
  floor,
  groups,
  makeDocuments,
  peers,
  placementsOf,
  refusals,
} from './contenders.ts';
import type { ProcessorFigures } from './figures.ts';
import { latencyMs, latencyMsOf, named, processorFigures, ratio, throughput } from './figures.ts';
import type { Comparison } from './goals.ts';
import { GOAL_CALLERS, comparisonsOf } from './goals.ts';
import type { Contender, Effort, Figure, Measured } from './measure.ts';
import { interleave } from './measure.ts';
import type { Meter } from './processor-time.ts';
import { situations } from './situations.ts';
import { REPEATED_STATEMENT, checkStatement } from './statement.ts';
import type { Where } from './contenders.ts';

/** One line of the comparison: a contender, and the figures that it is compared by. */
export type ThroughputRow = {
  readonly placement: Where;
  readonly callers: number;
  readonly contender: string;
  readonly perSecond: Figure;
  /** Medians of the rounds, least and most. */
  readonly medianMs: Figure;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Times the speed of `findOneAndUpdate` with an increment, in the same round. */
  readonly toFloor: Figure;
  /** Processor time of one order, over all rounds, in milliseconds. */
  readonly processorMs: ProcessorFigures;
  /** How long the contender was warmed. */
  readonly warmedMs: number;
};

/** A ratio of two contenders, and what is asked of it. */
export type GoalRow = Comparison & {
  readonly placement: Where;
  readonly callers: number;
  readonly ratio: Figure;
  /** Time of one call of each, the medians of the rounds. */
  readonly ofMs: Figure;
  readonly toMs: Figure;
};

/** All contenders beside one another. */
export type Throughput = {
  readonly rows: readonly ThroughputRow[];
  readonly goals: readonly GoalRow[];
};

/** The contenders, and the means to measure them. */
export type Subject = {
  readonly db: Db;
  /** A client whose driver may repeat writes gives this database too. */
  readonly repeating: Db;
  /** This build, then another revision's where one is measured beside it. */
  readonly builds: readonly [Build, ...Build[]];
  readonly meter: Meter;
};

/** How much of it is measured. */
export type ThroughputSizes = {
  /** Documents where operations do not meet at one. */
  readonly subjects: number;
  /** One comparison for each, on many documents and on one. */
  readonly efforts: readonly Effort[];
  /** The contenders to measure beside the floor. Default: all. */
  readonly only?: readonly string[];
};

const FLOOR = 'findOneAndUpdate';

/** Measures floor, calls and peers in turns, for each placement and number of callers. */
export async function measureThroughput(
  { db, repeating, builds, meter }: Subject,
  { subjects, efforts, only }: ThroughputSizes,
  report: (line: string) => void,
): Promise<Throughput> {
  const [own, ...others] = builds;
  const placements = placementsOf(subjects);
  const [distinct] = placements;
  const rows: ThroughputRow[] = [];
  const goals: GoalRow[] = [];
  const add = async (where: Where, all: readonly Contender[], effort: Effort): Promise<void> => {
    const contenders = all.filter(({ name }) => isAsked(name, only));
    if (contenders.length < 2) return; // the floor is not asked for alone
    report(`${where}, ${effort.callers} callers…`);
    const measured = await interleave(contenders, effort, meter);
    rows.push(...rowsOf(where, effort, measured));
    goals.push(...goalsOf(where, effort, measured, others));
  };
  for (const placement of placements) {
    for (const build of builds) await makeDocuments(build, placement);
    const floors = [
      blindFloor(db, placement),
      floor(db, placement),
      checkStatement(db, placement),
      checkStatement(repeating, placement, REPEATED_STATEMENT),
    ];
    const rivals = await peers(db, placement);
    const ofBuild = (build: Build): readonly Contender[] => [
      ...calls(build, placement),
      refusals(build, placement),
      ...groups(build, placement),
    ];
    const mine = ofBuild(own);
    const theirs = others.flatMap(ofBuild);
    for (const effort of efforts) {
      const beside = effort.callers === GOAL_CALLERS ? theirs : [];
      await add(placement.name, [...floors, ...mine, ...beside, ...rivals], effort);
    }
  }
  const effort = efforts.find(({ callers }) => callers === GOAL_CALLERS) ?? efforts[0];
  if (effort !== undefined)
    await add(
      'situation',
      [floor(db, distinct), ...builds.flatMap((build) => situations(build, distinct))],
      effort,
    );
  return { rows, goals };
}

/** Says whether a contender is measured, of whichever revision; the floor always is. */
function isAsked(name: string, only: readonly string[] | undefined): boolean {
  return only === undefined || name === FLOOR || only.includes(name.replace(/ of .*$/, ''));
}

function rowsOf(
  placement: Where,
  { callers }: Effort,
  measured: readonly Measured[],
): readonly ThroughputRow[] {
  const base = named(measured, FLOOR);
  return measured.map((one) => ({
    placement,
    callers,
    contender: one.name,
    perSecond: throughput(one),
    medianMs: latencyMsOf(one, 0.5),
    p50Ms: latencyMs(one, 0.5),
    p99Ms: latencyMs(one, 0.99),
    toFloor: ratio(one, base),
    processorMs: processorFigures(one),
    warmedMs: one.warmedMs,
  }));
}

function goalsOf(
  placement: Where,
  { callers }: Effort,
  measured: readonly Measured[],
  others: readonly Build[],
): readonly GoalRow[] {
  const revisions = others.map((build) => (name: string) => nameIn(build, name));
  return comparisonsOf(placement, callers, measured, revisions).map(({ comparison, of, to }) => ({
    ...comparison,
    placement,
    callers,
    ratio: ratio(of, to),
    ofMs: latencyMsOf(of, 0.5),
    toMs: latencyMsOf(to, 0.5),
  }));
}
