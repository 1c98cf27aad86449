import type { Db, Document } from 'mongodb';
import { BSON } from 'mongodb';
import type { Rule } from '../lib/rule/rule.ts';
import { documentId } from '../lib/shared/subject.ts';
import { latencyMsOf, ratio } from './figures.ts';
import type { Contender, Effort, Figure } from './measure.ts';
import { interleave, spread } from './measure.ts';
import type { Meter } from './processor-time.ts';
import type { Subject } from './throughput.ts';
import type { CounterDocument } from '../lib/document/mongo-counter-store.ts';
import {
  FIVE_RULES,
  calendarRule,
  checkOf,
  countersIn,
  hold,
  limitsOver,
  orderOf,
  plainIn,
} from './workload.ts';

/** One point of a curve. */
export type GrowthPoint = {
  readonly size: number;
  readonly documentBytes: number;
  /** Time of a check, in times of a `findOneAndUpdate` with an increment in the same round. */
  readonly toFloor: Figure;
  /** Time of a check, the medians of the rounds. */
  readonly medianMs: Figure;
};

/** How a check's time depends on one thing that grows. */
export type GrowthCurve = { readonly what: string; readonly points: readonly GrowthPoint[] };

/** Sizes to measure, by what grows. */
export type GrowthSizes = {
  readonly openHolds: readonly number[];
  readonly settled: readonly number[];
  readonly rules: readonly number[];
  readonly buckets: readonly number[];
};

/** A document to check against, brought to its size. */
type Scene = {
  readonly size: number;
  readonly subjects: Readonly<Record<string, string>>;
  readonly rules: readonly Rule[];
  readonly fill: () => Promise<void>;
};

const FLOOR: Contender['name'] = 'floor';
const UNTIMED_CALLERS = 8;

/** One counter for each merchant that the user pays: so buckets grow, while rules do not. */
const PAIR_RULE = calendarRule('year', { id: 'user-merchant-year', per: ['user', 'merchant'] });

const RULE_UNITS = ['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;

/**
 * Measures each curve's points in turns with the floor, one caller at a time, so that a figure is a
 * time and not a queue. After every check the document is put back as it was, untimed.
 */
export async function measureGrowth(
  { db, meter }: Pick<Subject, 'db' | 'meter'>,
  sizes: GrowthSizes,
  effort: Omit<Effort, 'callers'>,
  report: (line: string) => void,
): Promise<readonly GrowthCurve[]> {
  const curves: readonly (readonly [string, readonly Scene[]])[] = [
    ['open holds', sizes.openHolds.map((size) => withOpenHolds(db, size))],
    ['settled orders', sizes.settled.map((size) => withSettled(db, size))],
    ['rules', sizes.rules.map((size) => withRules(db, size))],
    ['buckets', sizes.buckets.map((size) => withBuckets(db, size))],
  ];
  const measured: GrowthCurve[] = [];
  for (const [what, scenes] of curves) {
    report(`growth: ${what}…`);
    measured.push({ what, points: await measureScenes(db, what, scenes, effort, meter) });
  }
  return measured;
}

async function measureScenes(
  db: Db,
  what: string,
  scenes: readonly Scene[],
  effort: Omit<Effort, 'callers'>,
  meter: Meter,
): Promise<readonly GrowthPoint[]> {
  const counters = countersIn(db);
  const stored = new Map<number, CounterDocument>();
  const contenders: Contender[] = [floorOf(db)];
  for (const scene of scenes) {
    await scene.fill();
    const _id = documentId('user', scene.subjects.user ?? '');
    // With its 64-bit integers as they are: what is put back must be what was there.
    const document = await counters.findOne({ _id }, { promoteLongs: false });
    if (document !== null) stored.set(scene.size, document);
    contenders.push(checking(db, what, scene, document));
  }
  const measured = await interleave(contenders, { ...effort, callers: 1 }, meter);
  const [floor, ...others] = measured;
  if (floor === undefined) throw new RangeError('the floor was measured first');
  return scenes.flatMap(({ size }, place) => {
    const one = others[place];
    const document = stored.get(size);
    const documentBytes = document === undefined ? 0 : BSON.calculateObjectSize(document);
    if (one === undefined) return [];
    return [{ size, documentBytes, toFloor: ratio(floor, one), medianMs: latencyMsOf(one, 0.5) }];
  });
}

function floorOf(db: Db): Contender {
  const collection = plainIn(db, 'floor');
  return {
    name: FLOOR,
    run: async () => {
      await collection.findOneAndUpdate(
        { _id: 'growth' },
        { $inc: { amount: 1, count: 1 } },
        { upsert: true, returnDocument: 'after', writeConcern: { w: 'majority' } },
      );
    },
  };
}

/** Checks in small slices: the document may grow by a slice before it is put back. */
function checking(db: Db, what: string, scene: Scene, document: Document | null): Contender {
  const limits = limitsOver(db, scene.rules);
  const counters = countersIn(db);
  const _id = documentId('user', scene.subjects.user ?? '');
  return {
    name: `${what} ${scene.size}`,
    sliceMax: 8,
    run: async (number) => {
      await hold(limits, checkOf(`growth-${number}`, scene.subjects));
    },
    tidy: async () => {
      if (document === null) await counters.deleteOne({ _id });
      else await counters.replaceOne({ _id }, document);
    },
  };
}

function orders(count: number): readonly number[] {
  return Array.from({ length: count }, (_, number) => number);
}

function withOpenHolds(db: Db, size: number): Scene {
  const subjects = { user: `holds-${size}` };
  const limits = limitsOver(db, FIVE_RULES);
  const fill = async (): Promise<void> => {
    await limits.confirm(orderOf(await hold(limits, checkOf('first', subjects))));
    await spread(orders(size), UNTIMED_CALLERS, (number) =>
      hold(limits, checkOf(`holds-${number}`, subjects)),
    );
  };
  return { size, subjects, rules: FIVE_RULES, fill };
}

function withSettled(db: Db, size: number): Scene {
  const subjects = { user: `settled-${size}` };
  const limits = limitsOver(db, FIVE_RULES);
  const fill = async (): Promise<void> => {
    await spread(orders(size), UNTIMED_CALLERS, async (number) =>
      limits.confirm(orderOf(await hold(limits, checkOf(`settled-${number}`, subjects)))),
    );
  };
  return { size, subjects, rules: FIVE_RULES, fill };
}

function withRules(db: Db, size: number): Scene {
  const subjects = { user: `rules-${size}` };
  const rules = orders(size).map((number) => {
    const unit = RULE_UNITS[number % RULE_UNITS.length] ?? 'day';
    // Rules of one unit differ in what they match, so that each has a counter of its own.
    const others = orders(number + 1).map((other) => `other-${other}`);
    return calendarRule(unit, {
      id: `rule-${number}`,
      counts: { is: { user: [subjects.user, ...others] }, not: {} },
    });
  });
  const limits = limitsOver(db, rules);
  const fill = async (): Promise<void> => {
    await limits.confirm(orderOf(await hold(limits, checkOf('first', subjects))));
  };
  return { size, subjects, rules, fill };
}

function withBuckets(db: Db, size: number): Scene {
  const user = `buckets-${size}`;
  const limits = limitsOver(db, [PAIR_RULE]);
  const fill = async (): Promise<void> => {
    await spread(orders(size), UNTIMED_CALLERS, async (number) => {
      const request = checkOf(`buckets-${number}`, { user, merchant: `m-${number}` });
      await limits.confirm(orderOf(await hold(limits, request)));
    });
  };
  return { size, subjects: { user, merchant: 'm-0' }, rules: [PAIR_RULE], fill };
}
