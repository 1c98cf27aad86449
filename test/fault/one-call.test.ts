import { beforeAll, describe, expect, inject, it } from 'vitest';
import type { Limits } from '../../lib/edge/limits.ts';
import { useDatabase } from '../support/database.ts';
import { someOf } from '../support/extent.ts';
import { limitsOver } from '../support/limits-fixture.ts';
import {
  PATIENCE_MS,
  breakagesOf,
  fewAtATime,
  startBrokenWay,
  type Breakage,
  type BrokenWay,
  withUpTo,
} from '../support/broken-way.ts';
import type { Act } from '../support/broken-orders.ts';
import { CALLS, CALLS_OVER_TWO, type CallRow } from './call-rows.ts';
import {
  copyTemplate,
  counted,
  lastOf,
  perform,
  prepareTemplate,
  rulesOf,
  subjectsOf,
} from '../support/broken-orders.ts';

/** Cases of one row at once; five rows run at once. */
const AT_ONCE = 6;

/**
 * The requests of a check over two documents at which the other one may hold its share: the share, home, what is
 * read where home does not hold the order, and what gives the share back. That is sent once where its answer is
 * lost, and the driver takes half a second to find its server again. Where home's answer is lost, home may hold the
 * order.
 */
const OTHER_HOLDS: readonly number[] = [0, 1, 2, 3];

/** On a busy machine a call may send fewer requests than were counted. */
const PLAYED_MAX = 3;

/** A hold lasts 15 minutes, a share beside home two seconds longer. */
const AFTER_EVERY_HOLD_MS = 16 * 60_000;

const database = useDatabase();

/** Makes a case's subjects and does what was before; gives the call, with the reservation it needs. */
async function prepare(row: CallRow, name: string, isTwo: boolean): Promise<Act> {
  await copyTemplate(database.db, name);
  const limits = limitsOver(database.db, rulesOf(row.max ?? {}, isTwo));
  let { act } = row;
  for (const before of row.before) {
    const answer = await perform(limits, before, subjectsOf(name, isTwo));
    const reservation = typeof answer === 'object' && 'reservation' in answer && answer.reservation;
    if (act.call === 'rollback' && act.reservation === 'its own' && reservation)
      act = { ...act, reservation };
  }
  return act;
}

/** How many requests the call sends where nothing breaks. */
async function requestsOf(row: CallRow, name: string, isTwo: boolean): Promise<number> {
  const act = await prepare(row, name, isTwo);
  const way = await wayTo(row, isTwo, PATIENCE_MS);
  await perform(way.limits, act, subjectsOf(name, isTwo));
  const requests = way.proxy.requestCount();
  await way.stop();
  return requests;
}

function wayTo(row: CallRow, isTwo: boolean, timeoutMs?: number): Promise<BrokenWay> {
  const rules = rulesOf(row.max ?? {}, isTwo);
  return startBrokenWay(inject('mongodbUri'), database.db.databaseName, rules, { timeoutMs });
}

/** Plays a case until its call comes to the request that breaks. */
async function playUntilHit(row: CallRow, name: string, isTwo: boolean, breakage: Breakage) {
  let played = await playBroken(row, name, isTwo, breakage);
  for (let times = 1; !played.isHit && times < PLAYED_MAX; times++)
    played = await playBroken(row, `${name}-${times}`, isTwo, breakage);
  return played;
}

/** Breaks the call, repeats it until it is answered, and looks at what is counted then. */
async function playBroken(row: CallRow, name: string, isTwo: boolean, breakage: Breakage) {
  const subjects = subjectsOf(name, isTwo);
  const act = await prepare(row, name, isTwo);
  const way = await wayTo(row, isTwo, breakage.timeoutMs);
  way.proxy.set(breakage.trap);
  const call = (limits: Limits) => perform(limits, act, subjects);
  const { answer, undecided } = await way.untilDecided(call);
  const isHit = way.proxy.faultCount() > 0;
  await way.proxy.release(); // what was kept arrives now, long after it was given up
  const limits = limitsOver(database.db, rulesOf(row.max ?? {}, isTwo));
  const repeat = await call(limits);
  const sums = await counted(limits, subjects);
  const later = await counted(limits, subjects, new Date(Date.now() + AFTER_EVERY_HOLD_MS));
  await way.stop();
  return { isHit, answer, repeat, sums, later, undecided };
}

/**
 * What the other document counts: also a share for each time that a check was given up when that
 * document held it, or when it arrived later; a busy machine gives up more often.
 */
function besideHome(
  { after, leavesShares }: CallRow,
  { trap }: Breakage,
  undecided: number,
): unknown {
  const isHeld = trap.fault === 'request-late' || OTHER_HOLDS.includes(trap.after);
  const most = leavesShares && (isHeld || undecided > 1) ? undecided : 0;
  return withUpTo(leavesShares === 'givenBack' ? undecided + 1 : most, after);
}

/** The repeats of an answer: the same outcome, marked as a repeat where it is not refused. */
function repeatOf({ answer }: CallRow): unknown {
  if (typeof answer === 'string' || answer.kind === 'refused') return expected(answer);
  return expected({ ...answer, repeated: true });
}

function expected(answer: CallRow['answer']): unknown {
  return typeof answer === 'string' ? answer : (expect.objectContaining(answer) as unknown);
}

describe.each([
  { documents: 'one document', isTwo: false, rows: CALLS },
  { documents: 'two documents', isTwo: true, rows: [...CALLS, ...CALLS_OVER_TWO] },
])('fault-1: wherever a call over $documents breaks', ({ isTwo, rows }) => {
  beforeAll(() => prepareTemplate(database.db, isTwo));

  it.concurrent.each(rows)('$what has one outcome, because $why', async (row) => {
    const names = `${isTwo ? 'two' : 'one'}-${rows.indexOf(row)}`;
    // On a busy machine a statement may come too late, and is sent in another form.
    const whole = [`${names}-whole`, `${names}-again`];
    const counts = await Promise.all(whole.map((name) => requestsOf(row, name, isTwo)));
    const requests = Math.min(...counts);
    expect(requests).toBeGreaterThan(0);
    const breakages = someOf(
      'oneCallBreakages',
      [...breakagesOf(requests).entries()],
      rows.indexOf(row),
    );
    await fewAtATime(breakages, AT_ONCE, async ([index, breakage]) => {
      const name = `${names}-${index}`;
      const { undecided, ...outcome } = await playUntilHit(row, name, isTwo, breakage);
      expect({ breakage, ...outcome }).toEqual({
        breakage,
        isHit: true,
        answer: expected(row.answer),
        repeat: repeatOf(row),
        sums: isTwo ? [row.after, besideHome(row, breakage, undecided)] : [row.after],
        later: isTwo ? [lastOf(row.after), lastOf(row.after)] : [lastOf(row.after)],
      });
    });
  });
});
