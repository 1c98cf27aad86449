import { beforeAll, describe, expect, inject, it } from 'vitest';
import { UndecidedError } from '../../lib/shared/errors.ts';
import type { Subjects } from '../../lib/shared/request.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import { useDatabase } from '../support/database.ts';
import { someOf } from '../support/extent.ts';
import { limitsOver } from '../support/limits-fixture.ts';
import type { Trap } from '../support/tcp-proxy.ts';
import {
  PATIENCE_MS,
  fewAtATime,
  startBrokenWay,
  type BrokenWay,
  withUpTo,
} from '../support/broken-way.ts';
import type { Act, Maxima, Sums } from '../support/broken-orders.ts';
import {
  ALL_BACK,
  copySubjects,
  countedOfAll,
  MANY_CALLS,
  MANY_RULES,
  NOTHING_OF_ALL,
  performMany,
} from './many-rows.ts';
import {
  CAPTURE,
  CHECK,
  copyTemplate,
  counted,
  lastOf,
  NOTHING,
  perform,
  prepareTemplate,
  ROLLBACK,
  rulesOf,
  subjectsOf,
  USED,
} from '../support/broken-orders.ts';

/** Cases of one row at once. */
const AT_ONCE = 6;

/** The step has not happened, it has, and it has while nobody says so; one-call.test.ts has every fault. */
const BREAKS = ['request-lost', 'answer-lost', 'answer-swallowed'] as const;

/**
 * When a call that is given up may leave what another document holds. Where that document's answer is
 * lost, the share is given back once, within the time of one statement, and the driver takes half a
 * second to find its server again; where home's is lost, home may hold it.
 */
const OTHERS_HOLD = { one: [0, 1], many: [1, 2, 3, 4, 5] } as const;

/** A hold lasts 15 minutes, a share beside home two seconds longer. */
const AFTER_EVERY_HOLD_MS = 16 * 60_000;

/** What a document beside home may count: shares that nobody settles. */
const besideHome = (sums: Sums, { after }: Trap, hold: readonly number[], most: number) =>
  withUpTo(hold.includes(after) ? most : 0, sums);

// prettier-ignore
const ROWS: readonly {
  readonly what: string;
  readonly act: Act;
  readonly isTwo: boolean;
  readonly max?: Maxima;
  /** It may have been counted: then a rollback comes too late, and the repeat counts it everywhere. */
  readonly counts: boolean;
  readonly why: string;
}[] = [
  { what: 'one document',                       act: CHECK,   isTwo: false, counts: false, why: 'nothing is held' },
  { what: 'two documents',                      act: CHECK,   isTwo: true,  counts: false, why: 'nothing is held in either, but a share for a while' },
  { what: 'two documents, one of which refuses', act: CHECK,  isTwo: true,  counts: false, why: 'nothing is written in either', max: { merchant: 449 } },
  { what: 'one document, counting at once',     act: CAPTURE, isTwo: false, counts: true,  why: 'it is counted or it is not' },
  { what: 'two documents, counting at once',    act: CAPTURE, isTwo: true,  counts: true,  why: 'it is counted in both or in neither' },
];

const database = useDatabase();
beforeAll(() => prepareTemplate(database.db, true));

function wayTo(rules: typeof MANY_RULES, timeoutMs?: number): Promise<BrokenWay> {
  return startBrokenWay(inject('mongodbUri'), database.db.databaseName, rules, { timeoutMs });
}

type Call = (limits: Limits, name: string) => Promise<unknown>;

/** How many requests a call sends where nothing breaks. */
async function requestsOf(rules: typeof MANY_RULES, call: Call, name: string): Promise<number> {
  const way = await wayTo(rules, PATIENCE_MS);
  way.proxy.set({ fault: 'request-lost', after: Infinity, times: 0 });
  await call(way.limits, name);
  await way.stop();
  return way.proxy.requestCount();
}

/**
 * Gives a call up at one of its requests; then rolls back until that is answered. On a busy machine a
 * call may also be given up that the server has yet to do: late-request.test.ts says what that means.
 */
async function giveUp(
  rules: typeof MANY_RULES,
  trap: Trap,
  call: (limits: Limits) => Promise<unknown>,
  rollBack: (limits: Limits) => Promise<unknown>,
): Promise<unknown> {
  const way = await wayTo(rules);
  // Connected before it breaks, so that what breaks is the call.
  await way.untilDecided((limits) => counted(limits, { user: 'nobody' }));
  way.proxy.set(trap);
  // Some calls find time to look, and are answered.
  await call(way.limits).catch((error: unknown) => {
    if (!(error instanceof UndecidedError)) throw error;
  });
  await way.proxy.quiet();
  const { answer } = await way.untilDecided(rollBack);
  await way.stop();
  return answer;
}

function laterOn(): Date {
  return new Date(Date.now() + AFTER_EVERY_HOLD_MS);
}

/** Faults at requests: every one of each, or some. */
function trapsOf(requests: number, turn: number): readonly Trap[] {
  const all = BREAKS.flatMap((fault) =>
    Array.from({ length: requests }, (_, after) => ({ fault, after, times: 1 })),
  );
  return someOf('givenUp', all, turn);
}

describe('an order whose check was given up anywhere, and rolled back instead of repeated', () => {
  it.each(ROWS)('$what: $why', async (row) => {
    const rules = rulesOf(row.max ?? {}, row.isTwo);
    const names = `back-${ROWS.indexOf(row)}`;
    const subjects = (name: string): Subjects => subjectsOf(name, row.isTwo);
    const call: Call = (limits, name) => perform(limits, row.act, subjects(name));
    await copyTemplate(database.db, `${names}-whole`);
    const requests = await requestsOf(rules, call, `${names}-whole`);
    expect(requests).toBeGreaterThanOrEqual(row.isTwo ? 2 : 1);
    const limits = limitsOver(database.db, rules);
    await fewAtATime(trapsOf(requests, ROWS.indexOf(row)), AT_ONCE, async (trap) => {
      const name = `${names}-${trap.fault}-${trap.after}`;
      await copyTemplate(database.db, name);
      const answer = await giveUp(
        rules,
        trap,
        (through) => call(through, name),
        (through) => perform(through, ROLLBACK, subjects(name)),
      );
      const isCounted = answer === 'ALREADY_CONFIRMED';
      expect({ trap, isCounted }).toEqual({ trap, isCounted: isCounted && row.counts });
      if (isCounted) await call(limits, name);
      const sums = isCounted ? USED : NOTHING;
      const beside = besideHome(sums, trap, OTHERS_HOLD.one, 1);
      expect({ trap, sums: await counted(limits, subjects(name)) }).toEqual({
        trap,
        sums: row.isTwo ? [sums, beside] : [sums],
      });
      const later = await counted(limits, subjects(name), laterOn());
      const last = lastOf(sums);
      expect({ trap, later }).toEqual({ trap, later: row.isTwo ? [last, last] : [last] });
    });
  });
});

describe('many orders whose checks were given up anywhere, and rolled back instead of repeated', () => {
  it('hold nothing but shares for a while', async () => {
    const [four] = MANY_CALLS;
    if (four === undefined) throw new Error('there is such a row');
    const call: Call = (limits, name) => performMany(limits, four.act, name);
    await copySubjects(database.db, 'many-whole');
    const requests = await requestsOf(MANY_RULES, call, 'many-whole');
    expect(requests).toBeGreaterThan(4);
    const limits = limitsOver(database.db, MANY_RULES);
    await fewAtATime(trapsOf(requests, 0), AT_ONCE, async (trap) => {
      const name = `many-${trap.fault}-${trap.after}`;
      await copySubjects(database.db, name);
      await giveUp(
        MANY_RULES,
        trap,
        (through) => call(through, name),
        (through) => performMany(through, ALL_BACK, name),
      );
      const { after } = await countedOfAll(limits, name, []);
      const [a, b, merchant] = NOTHING_OF_ALL;
      const beside = besideHome(merchant, trap, OTHERS_HOLD.many, 2);
      expect({ trap, after }).toEqual({ trap, after: [a, b, beside] });
      const later = await countedOfAll(limits, name, [], laterOn());
      const last = lastOf(NOTHING);
      expect({ trap, later: later.after }).toEqual({ trap, later: [last, last, last] });
    });
  });
});
