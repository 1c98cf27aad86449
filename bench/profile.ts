import type { Db } from 'mongodb';
import type { Build } from './builds.ts';
import { buildOf, ownBuild } from './builds.ts';
import type { Counting, Entered } from './entered.ts';
import { whileCounting } from './entered.ts';
import type { Revision } from './revision.ts';
import { FIVE_RULES, FULL_RULES, MERCHANT_RULES, checkOf, hold, orderOf } from './workload.ts';

/** How much of `lib` one call enters: functions and files, each counted once, and calls of them. */
type ProfileRow = {
  readonly call: keyof typeof CALLS_MAX;
  readonly calls: number;
  readonly functions: number;
  readonly files: number;
  /** The most calls that there may be. */
  readonly most: number;
};

/** Calls of functions of the library that one call may make. */
const CALLS_MAX = {
  check: 240,
  confirm: 150,
  refusal: 650,
  'check of two documents': 560,
} as const;

/** The profiles of a build. */
export type Profile = {
  /** Absent for this build. */
  readonly revision?: string;
  readonly rows: readonly ProfileRow[];
};

/** Calls that come first, so that what is computed once is computed. */
const CALLS_BEFORE = 8;

/** Calls that are counted. */
const CALLS_COUNTED = 9;

/** All calls happen then: another window would begin by the clock in one run of many. */
const INSTANT = new Date('2030-01-01T00:00:30Z');

/**
 * Counts what calls enter, in this build and in other revisions' beside it.
 */
export async function measureProfile(
  db: Db,
  revisions: readonly Revision[],
  report: (line: string) => void,
): Promise<readonly Profile[]> {
  report('profile…');
  return whileCounting(async (counting) => {
    const profiles: Profile[] = [{ rows: await profileOf(counting, await ownBuild(db)) }];
    for (const revision of revisions) {
      const rows = await profileOf(counting, await buildOf(revision, db));
      profiles.push({ revision: revision.name, rows });
    }
    return profiles;
  });
}

async function profileOf(counting: Counting, build: Build): Promise<readonly ProfileRow[]> {
  const alone = build.serve(FIVE_RULES);
  const full = build.serve(FULL_RULES);
  const two = build.serve([...FIVE_RULES, ...MERCHANT_RULES]);
  const request = (order: string) => checkOf(`profile-${order}`, { user: 'profile' });
  const refusal = (order: string) => checkOf(`profile-${order}`, { user: 'profile-full' });
  const ofTwo = (order: string) =>
    checkOf(`profile-${order}`, { user: 'profile-two', merchant: 'profile' });
  await full.check({ ...refusal('first'), capture: true }, INSTANT);
  for (let call = 0; call < CALLS_BEFORE; call++) {
    await alone.confirm(orderOf(await hold(alone, request(`${call}`), INSTANT)), INSTANT);
    await two.confirm(orderOf(await hold(two, ofTwo(`${call}`), INSTANT)), INSTANT);
    await full.check(refusal(`${call}`), INSTANT);
  }
  const { script } = build;
  const inChecks: (readonly Entered[])[] = [];
  const inConfirms: (readonly Entered[])[] = [];
  const inRefusals: (readonly Entered[])[] = [];
  const inTwos: (readonly Entered[])[] = [];
  for (let call = 0; call < CALLS_COUNTED; call++) {
    const order = `counted-${call}`;
    const [held, inCheck] = await counting(script, () => hold(alone, request(order), INSTANT));
    const [, inConfirm] = await counting(script, () => alone.confirm(orderOf(held), INSTANT));
    const [, inRefusal] = await counting(script, () => full.check(refusal(order), INSTANT));
    const [, inTwo] = await counting(script, () => hold(two, ofTwo(order), INSTANT));
    inChecks.push(inCheck);
    inConfirms.push(inConfirm);
    inRefusals.push(inRefusal);
    inTwos.push(inTwo);
  }
  return [
    rowOf('check', inChecks),
    rowOf('confirm', inConfirms),
    rowOf('refusal', inRefusals),
    rowOf('check of two documents', inTwos),
  ];
}

/** The median of some calls: one add in eight looks at all buckets, and which one it is, its nonce says. */
function rowOf(call: ProfileRow['call'], counted: readonly (readonly Entered[])[]): ProfileRow {
  const rows = counted.map((entered) => ({
    call,
    calls: entered.reduce((sum, { calls }) => sum + calls, 0),
    functions: entered.length,
    files: new Set(entered.map(({ file }) => file)).size,
    most: CALLS_MAX[call],
  }));
  const [median] = rows.sort((a, b) => a.calls - b.calls).slice(counted.length >> 1);
  if (median === undefined) throw new RangeError('a profile is of at least one call');
  return median;
}
