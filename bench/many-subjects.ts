import { Long } from 'mongodb';
import type { Db } from 'mongodb';
import { documentId } from '../lib/shared/subject.ts';
import { latencyMsOf, ratio } from './figures.ts';
import type { Contender, Effort, Figure } from './measure.ts';
import { interleave } from './measure.ts';
import type { Subject } from './throughput.ts';
import {
  FIVE_RULES,
  checkOf,
  countersIn,
  hold,
  limitsOver,
  orderOf,
  plainIn,
  seededChance,
} from './workload.ts';

/** How a check stands to the floor when both have so many documents. */
export type ManySubjectsPoint = {
  readonly subjects: number;
  readonly toFloor: Figure;
  /** Time of a check, the medians of the rounds. */
  readonly medianMs: Figure;
};

const BATCH = 1_000;

/** Orders that are under way at once, and left open: at most a few for each subject. */
const CALLERS = 16;

/**
 * Measures checks against the floor while the collections grow from one number of subjects to the
 * next. Subjects are drawn at random from all there are.
 *
 * @param numbers rising
 */
export async function measureManySubjects(
  { db, meter }: Pick<Subject, 'db' | 'meter'>,
  numbers: readonly number[],
  effort: Omit<Effort, 'callers'>,
  report: (line: string) => void,
): Promise<readonly ManySubjectsPoint[]> {
  const points: ManySubjectsPoint[] = [];
  let present = 0;
  for (const subjects of numbers) {
    report(`growth: ${subjects} subjects…`);
    await addSubjects(db, present, subjects);
    present = subjects;
    const measured = await interleave(
      contenders(db, subjects),
      { ...effort, callers: CALLERS },
      meter,
    );
    const [floor, check] = measured;
    if (floor === undefined || check === undefined) throw new RangeError('two were measured');
    points.push({ subjects, toFloor: ratio(check, floor), medianMs: latencyMsOf(check, 0.5) });
  }
  return points;
}

/** Copies what one order leaves behind to all subjects, so that no document is made while timed. */
async function addSubjects(db: Db, from: number, until: number): Promise<void> {
  const limits = limitsOver(db, FIVE_RULES);
  const user = 'many-template';
  await limits.confirm(orderOf(await hold(limits, checkOf(`template-${from}`, { user }))));
  const counters = countersIn(db);
  const _id = documentId('user', user);
  const template = await counters.findOne({ _id }, { promoteLongs: false });
  if (template === null) throw new Error('an order leaves a document behind');
  await counters.deleteOne({ _id });
  for (let first = from; first < until; first += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, until - first) }, (_, at) => first + at);
    await counters.insertMany(
      numbers.map((number) => ({ ...template, _id: documentId('user', `many-${number}`) })),
    );
    await plainIn(db, 'floor').insertMany(
      numbers.map((number) => ({ _id: `many-${number}`, amount: Long.ZERO, count: Long.ZERO })),
    );
  }
}

function contenders(db: Db, subjects: number): readonly [Contender, Contender] {
  const limits = limitsOver(db, FIVE_RULES);
  const floor = plainIn(db, 'floor');
  const [forFloor, forCheck] = [seededChance(subjects), seededChance(subjects)];
  const subjectOf = (chance: () => number): string => `many-${Math.floor(chance() * subjects)}`;
  return [
    {
      name: 'floor',
      run: async () => {
        await floor.findOneAndUpdate(
          { _id: subjectOf(forFloor) },
          { $inc: { amount: 100, count: 1 } },
          { upsert: true, returnDocument: 'after', writeConcern: { w: 'majority' } },
        );
      },
    },
    {
      name: 'check',
      run: async (number) => {
        await hold(limits, checkOf(`many-${subjects}-${number}`, { user: subjectOf(forCheck) }));
      },
    },
  ];
}
