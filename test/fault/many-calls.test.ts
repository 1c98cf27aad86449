import type { Db } from 'mongodb';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import type { Limits } from '../../lib/edge/limits.ts';
import { ABANDONED_MS, useDatabase, useShortCommits } from '../support/database.ts';
import { someOf } from '../support/extent.ts';
import { limitsOver } from '../support/limits-fixture.ts';
import type { Breakage, BrokenWay } from '../support/broken-way.ts';
import {
  PATIENCE_MS,
  breakagesOf,
  fewAtATime,
  startBrokenWay,
  untilDecided,
} from '../support/broken-way.ts';
import type { ManyRow } from './many-rows.ts';
import {
  ATOMIC_CALLS,
  copySubjects,
  countedOfAll,
  MANY_CALLS,
  MANY_RULES,
  NOTHING_OF_ALL,
  performMany,
} from './many-rows.ts';
import { prepareTemplate } from '../support/broken-orders.ts';

/** Cases of one row at once. */
const AT_ONCE = 6;

/** Each holds documents of its own for as long as its commit lasts. */
const ATOMIC_AT_ONCE = 12;

const database = useDatabase();
const shortCommits = useShortCommits();
beforeAll(async () => {
  await prepareTemplate(database.db, true);
  await prepareTemplate(shortCommits.db, true);
});

/** Where a call is played: an atomic one where commits that nobody ends do not last. */
type Where = { readonly db: Db; readonly uri: string };

function wayTo({ db, uri }: Where, timeoutMs?: number): Promise<BrokenWay> {
  return startBrokenWay(uri, db.databaseName, MANY_RULES, { timeoutMs });
}

async function prepare(row: ManyRow, name: string, { db }: Where): Promise<void> {
  await copySubjects(db, name);
  const limits = limitsOver(db, MANY_RULES);
  for (const before of row.before) await performMany(limits, before, name);
}

/** Faults at requests of the call: all of them, or some. */
async function namedBreakages(row: ManyRow, turn: number, names: string, where: Where) {
  const name = `${names}-whole`;
  await prepare(row, name, where);
  const way = await wayTo(where, PATIENCE_MS);
  expect(await performMany(way.limits, row.act, name)).toEqual(row.ending.answers);
  const requests = way.proxy.requestCount();
  await way.stop();
  expect(requests).toBeGreaterThan(1);
  const all = breakagesOf(requests).map((breakage) => {
    const { trap, timeoutMs = 'hurried' } = breakage;
    return { name: `${names}-${trap.fault}-${trap.after}-${timeoutMs}`, ...breakage };
  });
  return someOf('manyCallsBreakages', all, turn);
}

/** On a busy machine a call is slow, asks more often, and may end undecided before it comes to its fault. */
function expectHits(hits: number): void {
  expect(hits).toBeGreaterThan(0);
}

type Named = Breakage & { readonly name: string };

/** Breaks the call and asks on in some way; then what was kept arrives, long after it was given up. */
async function playBroken(
  row: ManyRow,
  { name, trap, timeoutMs }: Named,
  askOn: (way: BrokenWay) => Promise<readonly string[]>,
  where: Where,
) {
  await prepare(row, name, where);
  const way = await wayTo(where, timeoutMs);
  // Connected before it breaks, so that what breaks is the call.
  await way.untilDecided((limits) => countedOfAll(limits, 'nobody', []));
  way.proxy.set(trap);
  const answers = await askOn(way);
  const isHit = way.proxy.faultCount() > 0;
  await way.proxy.release();
  await way.stop();
  return { isHit, answers };
}

describe('fault-1: wherever a call of many orders over three documents breaks', () => {
  it.concurrent.each(MANY_CALLS)(
    '$what: repeated, each order has one outcome, and no hold is lost or doubled',
    async (row) => {
      const where = { db: database.db, uri: inject('mongodbUri') };
      const turn = MANY_CALLS.indexOf(row);
      const breakages = await namedBreakages(row, turn, `many-${turn}`, where);
      const limits = limitsOver(database.db, MANY_RULES);
      let hits = 0;
      await fewAtATime(breakages, AT_ONCE, async (breakage) => {
        const { name } = breakage;
        const call = (through: Limits) => performMany(through, row.act, name);
        const { isHit, answers } = await playBroken(
          row,
          breakage,
          async (way) => (await way.untilDecided(call)).answer,
          where,
        );
        hits += isHit ? 1 : 0;
        const after = await countedOfAll(limits, name, await call(limits));
        const endings = [row.ending, ...(row.orElse ?? [])];
        expect({ name, ...after, first: answers }).toEqual({
          name,
          ...endings.find((one) => String(one.answers) === String(answers)),
          first: after.answers,
        });
      });
      expectHits(hits);
    },
    2 * ABANDONED_MS,
  );
});

describe('wherever an atomic call of orders over three documents breaks', () => {
  it.concurrent.each(ATOMIC_CALLS)(
    '$what: all are held or none, and a repeat ends every order once the database has ended the commit',
    async (row) => {
      const { db } = shortCommits;
      const turn = ATOMIC_CALLS.indexOf(row);
      const breakages = await namedBreakages(row, turn, `atomic-${turn}`, shortCommits);
      const limits = limitsOver(db, MANY_RULES);
      let hits = 0;
      await fewAtATime(breakages, ATOMIC_AT_ONCE, async (breakage) => {
        const { name } = breakage;
        const { isHit } = await playBroken(
          row,
          breakage,
          async (way) => performMany(way.limits, row.act, name).catch(() => []),
          shortCommits,
        );
        hits += isHit ? 1 : 0;
        const there = await countedOfAll(limits, name, []);
        expect({ name, there: there.after }).toEqual({
          name,
          there: expect.toBeOneOf([NOTHING_OF_ALL, row.ending.after]) as unknown,
        });
        const { answer } = await untilDecided(() => performMany(limits, row.act, name));
        expect({ name, ...(await countedOfAll(limits, name, answer)) }).toEqual({
          name,
          ...row.ending,
        });
      });
      expectHits(hits);
    },
    2 * ABANDONED_MS,
  );
});
