import { beforeAll, describe, expect, inject, it } from 'vitest';
import { UndecidedError } from '../../lib/shared/errors.ts';
import type { Statements } from '../../lib/document/statements.ts';
import { useDatabase } from '../support/database.ts';
import {
  CHECK,
  copyTemplate,
  counted,
  perform,
  prepareTemplate,
  ROLLBACK,
  rulesOf,
  subjectsOf,
} from '../support/broken-orders.ts';
import { startBrokenWay } from '../support/broken-way.ts';
import { limitsOver } from '../support/limits-fixture.ts';
import { mingoStatements, countersWithoutCommits } from '../support/mingo-store.ts';

const database = useDatabase();
beforeAll(() => prepareTemplate(database.db, false));

const RULES = rulesOf({}, false);

/**
 * The network keeps a check while its caller gives it up and rolls it back; then it arrives.
 *
 * @param after requests of the check that arrive in time
 * @param lateMs how long it is kept at least
 */
async function rolledBackFirst(name: string, after: number, lateMs: number) {
  const subjects = subjectsOf(name, false);
  const way = await startBrokenWay(inject('mongodbUri'), database.db.databaseName, RULES);
  await way.untilDecided((limits) => counted(limits, { user: 'nobody' }));
  way.proxy.set({ fault: 'request-late', about: `:${name}`, after, times: 1 });
  await expect(perform(way.limits, CHECK, subjects)).rejects.toBeInstanceOf(UndecidedError);
  const { answer } = await way.untilDecided((limits) => perform(limits, ROLLBACK, subjects));
  expect(answer).toBe('NOT_FOUND');
  await new Promise((resolve) => setTimeout(resolve, lateMs));
  await way.proxy.release();
  await way.stop();
  return { subjects, limits: limitsOver(database.db, RULES) };
}

describe('a check that arrives after its own rollback', () => {
  it('holds nothing two seconds later, on the database', async () => {
    await copyTemplate(database.db, 'known');
    const { subjects, limits } = await rolledBackFirst('known', 0, 2_100);
    const [now] = await counted(limits, subjects);
    expect(now).toMatchObject({ held: { amountMinor: 50, count: 1 } }); // as before
  });

  it.each([
    { lateMs: 1_999, held: 1, why: 'the clocks may differ by so much' },
    { lateMs: 2_000, held: 0, why: 'no statement that comes so late holds anything' },
  ])('holds $held order $lateMs ms later, because $why', async ({ lateMs, held }) => {
    let now = new Date('2026-03-02T10:00:00.000Z');
    const arrive: (() => Promise<unknown>)[] = [];
    const onTime = mingoStatements(new Map(), () => now);
    const tooLate: Statements = {
      ...onTime,
      make(...asked) {
        arrive.push(() => onTime.make(...asked));
        return Promise.reject(new UndecidedError('nobody answered'));
      },
    };
    const over = (statements: Statements) =>
      limitsOver(countersWithoutCommits(statements), RULES, { machineNow: () => now });
    const subjects = { user: 'u-1' };
    await expect(perform(over(tooLate), CHECK, subjects)).rejects.toBeInstanceOf(UndecidedError);
    expect(await perform(over(onTime), ROLLBACK, subjects)).toBe('NOT_FOUND');
    now = new Date(now.getTime() + lateMs);
    for (const statement of arrive) await statement();
    expect(arrive).toHaveLength(1);
    expect(await counted(over(onTime), subjects)).toMatchObject([{ held: { count: held } }]);
  });
});
