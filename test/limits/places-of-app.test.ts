import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { HeadroomError } from '../../lib/shared/errors.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import type { CheckRequest } from '../../lib/shared/request.ts';
import type { ModelRule } from '../model/model-types.ts';
import { USER_DAY, checkOf, limitsOver, sentDuring } from '../support/limits-fixture.ts';
import { Chance } from '../interleavings/chance.ts';
import { useDatabase } from '../support/database.ts';

/** An application that may have a quarter of the holds that may be open in one document. */

const database = useDatabase({ monitorCommands: true });
const AT = new Date('2026-03-02T10:00:00.000Z');
const AN_HOUR_ON = new Date('2026-03-02T11:00:00.000Z');
const RULES: readonly ModelRule[] = [
  { ...USER_DAY, max: { count: 1_000 } },
  { ...USER_DAY, id: 'shop-day', per: ['merchant'], max: { count: 1_000 } },
];
const FULL = 'TOO_MANY_OPEN_HOLDS';

let numbered = 0;

/** A check of another order, by another user, at a merchant. */
function checkAt(merchant: string, request: Partial<CheckRequest> = {}): CheckRequest {
  numbered += 1;
  const subjects = { user: `${merchant} ${numbered}`, merchant };
  return checkOf({ orderId: `o-${numbered}`, subjects, ...request });
}

const WALLET = { appId: 'wallet', openPercent: 25 };

/** Which of some checks are allowed, one after the other; otherwise their codes. */
async function told(
  limits: Limits,
  checks: readonly CheckRequest[],
  at = AT,
): Promise<readonly string[]> {
  const all: string[] = [];
  for (const check of checks)
    all.push(
      await limits.check(check, at).then(
        ({ kind }) => kind,
        (error: unknown) => (error instanceof HeadroomError ? error.code : String(error)),
      ),
    );
  return all;
}

describe.each([
  { mode: 'steps', inOneCommit: false },
  { mode: 'one commit', inOneCommit: true },
])('an application that may have 25 % of 8 places, by $mode', ({ mode, inOneCommit }) => {
  const most = { openSharesMax: 8, openHoldsMax: 8, inOneCommit };
  const limits = () => limitsOver(database.db, RULES, most);

  it('has two shares of a merchant, and leaves the others to other applications', async () => {
    const merchant = `m-1 ${mode}`;
    const of = (request: Partial<CheckRequest>) => checkAt(merchant, request);
    const others = Array.from({ length: 5 }, () => of({ appId: 'shop' }));
    expect(await told(limits(), others)).toEqual(Array.from(others, () => 'allowed'));
    const own = [of(WALLET), of(WALLET), of(WALLET), of({ ...WALLET, dryRun: true })];
    expect(await told(limits(), own)).toEqual(['allowed', 'allowed', FULL, FULL]);
    const counted = of({ ...WALLET, capture: true });
    expect(await told(limits(), [counted])).toEqual(['allowed']);
    await expect(limits().check(of(WALLET), AT)).rejects.toThrow(
      `merchant "${merchant}" has 2 open holds of application "wallet", the most that this application may have there (25 % of MAX_OPEN_SHARES): confirm or roll back some`,
    );
    // An application whose name begins alike has places of its own, up to the bound of all.
    const alike = { ...WALLET, appId: 'wallet-2' };
    expect(await told(limits(), [of(alike), of(alike), of({})])).toEqual(['allowed', FULL, FULL]);
  });

  it('has them again once they are rolled back, or once their time is over', async () => {
    const merchant = `m-2 ${mode}`;
    const [first, second, third, fourth] = [
      checkAt(merchant, WALLET),
      checkAt(merchant, WALLET),
      checkAt(merchant, WALLET),
      checkAt(merchant, WALLET),
    ];
    expect(await told(limits(), [first, second, third])).toEqual(['allowed', 'allowed', FULL]);
    const { orderId, subjects } = first;
    const whereabouts = { kind: 'subjects', subjects } as const;
    await limits().rollback({ appId: 'wallet', orderId, whereabouts }, AT);
    expect(await told(limits(), [third, fourth])).toEqual(['allowed', FULL]);
    const later = [fourth, checkAt(merchant, WALLET), checkAt(merchant, WALLET)];
    expect(await told(limits(), later, AN_HOUR_ON)).toEqual(['allowed', 'allowed', FULL]);
  });

  it('has two holds of a user whose orders have their home there, in calls of many too', async () => {
    const subjects = { user: `u-1 ${mode}` };
    const many = Array.from({ length: 3 }, () => checkAt('', { ...WALLET, subjects }));
    const results = await limits().checkMany(many, false, AT);
    expect(results).toMatchObject([
      { answer: { kind: 'allowed' } },
      { answer: { kind: 'allowed' } },
      { error: { code: FULL } },
    ]);
    const atomic = await limits().checkMany([checkAt('', { ...WALLET, subjects })], true, AT);
    expect(atomic).toMatchObject([{ error: { code: FULL } }]);
    expect(await told(limits(), [checkAt('', { subjects })])).toEqual(['allowed']);
  });

  it('has its last place beside captured orders of the same call, which need none', async () => {
    for (const [merchant, one, open] of [
      [`m-5 ${mode}`, WALLET, 1],
      [`m-6 ${mode}`, {}, 7],
    ] as const) {
      const of = (request: Partial<CheckRequest> = {}) => checkAt(merchant, { ...one, ...request });
      const before = Array.from({ length: open }, () => of());
      expect(await told(limits(), before)).toEqual(Array.from(before, () => 'allowed'));
      const many = [
        of({ capture: true }),
        of({ capture: true }),
        of(),
        of({ capture: true }),
        of(),
      ];
      const allowed = { answer: { kind: 'allowed' } };
      expect(await limits().checkMany(many, false, AT)).toMatchObject([
        ...[allowed, allowed, allowed, allowed],
        { error: { code: FULL } },
      ]);
    }
  });

  it('has no more than two, however many of its calls come at once', async () => {
    const merchant = `m-3 ${mode}`;
    const others = Array.from({ length: 3 }, () => checkAt(merchant));
    expect(await told(limits(), others)).toEqual(Array.from(others, () => 'allowed'));
    const service = limits();
    const all = await Promise.all(
      Array.from({ length: 12 }, () => told(service, [checkAt(merchant, WALLET)])),
    );
    // Two calls that held their shares at once may give them back for each other.
    const allowed = all.flat().filter((kind) => kind === 'allowed').length;
    expect(allowed).toBeLessThanOrEqual(2);
    const stored = await database.db
      .collection('counters')
      .findOne<{ readonly h: Readonly<Record<string, { readonly id: string }>> }>({
        _id: `merchant:${merchant}` as never,
      });
    const own = Object.values(stored?.h ?? {}).filter(({ id }) => id.startsWith('wallet:'));
    expect(own).toHaveLength(allowed);
  });
});

it('one per cent of few places is one place', async () => {
  const limits = limitsOver(database.db, RULES, { openSharesMax: 8 });
  const one = { ...WALLET, openPercent: 1 };
  const checks = [checkAt('m-4', one), checkAt('m-4', one)];
  expect(await told(limits, checks)).toEqual(['allowed', FULL]);
});

it('an application without a part of its own sends what it sent before, and one with it no further request', async () => {
  const limits = limitsOver(database.db, RULES);
  const sent = async (check: CheckRequest) => {
    const commands = await sentDuring(database.client, () => limits.check(check));
    return commands.map(({ command }) => inspect(command, { depth: null }));
  };
  const subjects = { user: 'u-2' };
  await limits.check(checkAt('', { subjects }));
  const plain = await sent(checkAt('', { subjects }));
  const bounded = await sent(checkAt('', { subjects, openPercent: 50 }));
  expect([plain.length, bounded.length]).toEqual([1, 1]);
  expect(plain.join()).not.toContain('indexOfBytes');
  expect(bounded.join()).toContain('indexOfBytes');
});

describe('three applications that share a merchant, for 120 random steps', () => {
  const PARTS: Readonly<Record<string, number | undefined>> = {
    shop: undefined,
    till: 25,
    app: 50,
  };
  const MINUTE_MS = 60_000;

  it.each([1, 2, 3])(
    'never have more than a naive count allows, nor fewer: seed %i',
    async (seed) => {
      const chance = new Chance(seed);
      const limits = limitsOver(database.db, RULES, { openSharesMax: 8 });
      const merchant = `walk-${seed}`;
      let open: { readonly app: string; readonly check: CheckRequest; readonly untilMs: number }[] =
        [];
      let nowMs = AT.getTime();
      for (let step = 0; step < 120; step++) {
        nowMs += chance.below(3) * MINUTE_MS;
        open = open.filter(({ untilMs }) => untilMs > nowMs);
        const [given] = open.splice(chance.below(4) === 0 ? chance.below(open.length + 1) : 99, 1);
        if (given !== undefined) {
          const { orderId, appId, subjects } = given.check;
          const whereabouts = { kind: 'subjects', subjects } as const;
          await limits.rollback({ appId, orderId, whereabouts }, new Date(nowMs));
        }
        const app = chance.pick(Object.keys(PARTS));
        const openPercent = PARTS[app];
        // Beside home a share lasts two seconds longer, and steps are minutes.
        const holdMs = (1 + chance.below(12)) * MINUTE_MS - 10_000;
        const check = checkAt(merchant, { appId: app, openPercent, holdMs });
        const own = open.filter((one) => one.app === app).length;
        const fits = open.length < 8 && own < ((openPercent ?? 100) * 8) / 100;
        expect([step, await told(limits, [check], new Date(nowMs))]).toEqual([
          step,
          [fits ? 'allowed' : FULL],
        ]);
        if (fits) open.push({ app, check, untilMs: nowMs + holdMs });
      }
    },
  );
});
