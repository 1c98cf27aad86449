import { beforeAll, describe, expect, inject, it } from 'vitest';
import { UndecidedError } from '../../lib/domain/errors.ts';
import type { Limits } from '../../lib/limits.ts';
import { useDatabase } from '../support/database.ts';
import { limitsOver } from '../support/limits-fixture.ts';
import type { Fault } from '../support/tcp-proxy.ts';
import { FAULTS } from '../support/tcp-proxy.ts';
import type { BrokenWay } from './broken-way.ts';
import { fewAtATime, startBrokenWay, untilDecided } from './broken-way.ts';
import type { ManyRow } from './many-rows.ts';
import {
  ALL_BACK,
  ATOMIC_CALLS,
  copySubjects,
  countedOfAll,
  MANY_CALLS,
  MANY_RULES,
  NOTHING,
  performMany,
} from './many-rows.ts';
import { prepareTemplate } from './orders.ts';

/** Cases of one row at once. */
const AT_ONCE = 6;

/** Where nothing breaks, nothing is repeated, however busy the machine is. */
const PATIENCE_MS = 20_000;

const database = useDatabase();
beforeAll(() => prepareTemplate(database.db, true));

function wayTo(retryWrites: boolean, timeoutMs?: number): Promise<BrokenWay> {
  return startBrokenWay(inject('mongodbUri'), database.db.databaseName, MANY_RULES, {
    retryWrites,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
}

async function prepare(row: ManyRow, name: string): Promise<void> {
  await copySubjects(database.db, name);
  const limits = limitsOver(database.db, MANY_RULES);
  for (const before of row.before) await performMany(limits, before, name);
}

/** Every fault at every request of the call, with and without the driver's own repeat. */
async function breakagesOf(row: ManyRow, names: string) {
  const name = `${names}-whole`;
  await prepare(row, name);
  const way = await wayTo(false, PATIENCE_MS);
  expect(await performMany(way.limits, row.act, name)).toEqual(row.ending.answers);
  const requests = way.proxy.requestCount();
  await way.stop();
  expect(requests).toBeGreaterThan(2);
  // The keys of FAULTS are the faults.
  return (Object.keys(FAULTS) as Fault[]).flatMap((fault) =>
    Array.from({ length: requests }, (_, after) =>
      [false, true].map((retryWrites) => ({
        name: `${names}-${fault}-${after}-${retryWrites ? 'again' : 'once'}`,
        trap: { fault, after, times: 1 },
        retryWrites,
      })),
    ).flat(),
  );
}

type Breakage = Awaited<ReturnType<typeof breakagesOf>>[number];

/** Breaks the call and asks on in some way; then what was kept arrives, long after it was given up. */
async function playBroken(
  row: ManyRow,
  { name, trap, retryWrites }: Breakage,
  askOn: (limits: Limits) => Promise<readonly string[]>,
) {
  await prepare(row, name);
  const way = await wayTo(retryWrites);
  way.proxy.set(trap);
  const answers = await askOn(way.limits);
  const isHit = way.proxy.faultCount() > 0;
  await way.proxy.release();
  await way.stop();
  return { isHit, answers };
}

describe('fault-1: wherever a call of many orders over three documents breaks', () => {
  it.concurrent.each(MANY_CALLS)(
    '$what: repeated, each order has one outcome, and no hold is lost or doubled',
    async (row) => {
      const breakages = await breakagesOf(row, `many-${MANY_CALLS.indexOf(row)}`);
      const limits = limitsOver(database.db, MANY_RULES);
      await fewAtATime(breakages, AT_ONCE, async (breakage) => {
        const { name } = breakage;
        const call = (through: Limits) => performMany(through, row.act, name);
        const { isHit, answers } = await playBroken(row, breakage, async (through) => {
          return (await untilDecided(() => call(through))).answer;
        });
        const after = await countedOfAll(limits, name, await call(limits));
        const endings = [row.ending, ...(row.orElse ?? [])];
        expect({ name, isHit, ...after, first: answers }).toEqual({
          ...{
            name,
            isHit: true,
            ...endings.find((one) => String(one.answers) === String(answers)),
          },
          first: after.answers,
        });
      });
    },
  );
});

/** What an atomic call is answered; undefined where an order is undecided. */
async function atomicAnswers(limits: Limits, row: ManyRow, name: string) {
  try {
    return await performMany(limits, row.act, name);
  } catch (error) {
    if (error instanceof UndecidedError) return undefined;
    throw error;
  }
}

describe('wherever an atomic call of orders over three documents breaks', () => {
  it.concurrent.each(ATOMIC_CALLS)(
    '$what: repeated, all are held or none, or a rollback of all gives all back',
    async (row) => {
      const breakages = await breakagesOf(row, `atomic-${ATOMIC_CALLS.indexOf(row)}`);
      const limits = limitsOver(database.db, MANY_RULES);
      let hits = 0;
      await fewAtATime(breakages, AT_ONCE, async (breakage) => {
        const { name } = breakage;
        const { isHit } = await playBroken(row, breakage, async (through) => {
          return (await atomicAnswers(through, row, name)) ?? [];
        });
        hits += isHit ? 1 : 0;
        const answers = await atomicAnswers(limits, row, name);
        if (answers === undefined) await performMany(limits, ALL_BACK, name);
        expect({ name, ...(await countedOfAll(limits, name, answers ?? [])) }).toEqual(
          answers === undefined ? { name, answers: [], after: NOTHING } : { name, ...row.ending },
        );
      });
      // On a busy machine some call ends undecided before it comes to its fault.
      expect(hits).toBeGreaterThan(breakages.length / 2);
    },
  );
});
