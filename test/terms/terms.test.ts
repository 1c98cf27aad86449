import { describe, expect, it } from 'vitest';
import { MEMORY_MS, NEVER } from '../../lib/shared/bounds.ts';
import type { Override } from '../../lib/rule/own-terms.ts';
import type { Terms } from '../../lib/rule/own-terms.ts';
import { patientCounters } from '../support/patient-counters.ts';
import { useDatabase } from '../support/database.ts';
import { USER_DAY, checkOf, limitsOver } from '../support/limits-fixture.ts';
import { storedCounters } from '../support/stored-buckets.ts';

const database = useDatabase();
const AT = new Date('2026-03-02T04:00:00.000Z');
const WRITTEN = {
  from: AT,
  by: { kind: 'local', id: 'local' },
  at: AT,
  reason: 'asked for',
} as const;
const DAY_MS = 86_400_000;

const counters = () => patientCounters(database.db);
const storedOf = (user: string) => storedCounters(database.db).findOne({ _id: `user:${user}` });
const override = (change: Partial<Override> = {}): Override => ({
  ...WRITTEN,
  id: 'one',
  rule: USER_DAY.id,
  max: { count: 1 },
  ...change,
});
const termsOf = async (user: string) => {
  const id = `user:${user}`;
  return (await counters().read([id], [], AT, AT)).get(id)?.terms;
};
const change = (user: string, expected: string | undefined, terms: Terms | undefined) =>
  counters().changeTerms(`user:${user}`, { expected, terms }, AT);

describe('a subject’s terms', () => {
  it('are taken for what they were made from, and for nothing else', async () => {
    const first: Terms = { version: 'v-1', overrides: [override()] };
    const second: Terms = { version: 'v-2', overrides: [override({ max: { amountMinor: null } })] };
    const rows: readonly [string | undefined, Terms | undefined, boolean, Terms | undefined][] = [
      ['v-0', first, false, undefined],
      [undefined, first, true, first],
      [undefined, second, false, first],
      ['v-1', second, true, second],
      ['v-1', undefined, false, second],
      ['v-2', undefined, true, undefined],
      ['v-2', undefined, false, undefined],
    ];
    for (const [expected, terms, isTaken, left] of rows) {
      expect(await change('others', expected, terms)).toBe(isTaken);
      expect(await termsOf('others')).toEqual(left);
    }
    expect(await storedOf('others')).not.toHaveProperty('terms');
  });

  it('keep the document while they are in force, and no longer than it is needed then', async () => {
    const expiry = async () => (await storedOf('kept'))?.expireAt as Date;
    const until = new Date(AT.getTime() + 90 * DAY_MS);
    await change('kept', undefined, { version: 'v-1', overrides: [override({ until })] });
    // A minute longer: who deletes goes by another clock than who decides.
    expect(await expiry()).toEqual(new Date(until.getTime() + 60_000));
    await change('kept', 'v-1', { version: 'v-2', overrides: [], freeze: WRITTEN });
    expect(await expiry()).toEqual(NEVER);
    await change('kept', 'v-2', undefined);
    await counters().shorten('user:kept', AT);
    expect((await expiry()).getTime()).toBe(AT.getTime() + 7 * DAY_MS + MEMORY_MS);
    const limits = limitsOver(database.db, [{ ...USER_DAY, window: 'lifetime' }]);
    await limits.check({ ...checkOf({ orderId: 'o', subjects: { user: 'kept' } }) }, AT);
    await change('kept', undefined, { version: 'v-3', overrides: [override({ until })] });
    await change('kept', 'v-3', undefined);
    await counters().shorten('user:kept', AT);
    expect(await expiry()).toEqual(NEVER); // of the sum that has no end
  });

  it('are known to every check that begins after they changed, whatever its process knew', async () => {
    const subjects = { user: 'raced' };
    const processes = Array.from({ length: 6 }, () =>
      limitsOver(database.db, [{ ...USER_DAY, max: { count: 1_000 } }]),
    );
    let orders = 0;
    const check = async (limits: (typeof processes)[number]) =>
      (await limits.check(checkOf({ orderId: `o-${orders++}`, subjects }), AT)).kind;
    await Promise.all(processes.map(check));
    let isFrozen = false;
    const said: string[] = [];
    const callers = processes.map(async (limits) => {
      for (let index = 0; index < 12; index++) {
        const isLater = isFrozen;
        const kind = await check(limits);
        if (isLater) said.push(kind);
      }
    });
    const frozen: Terms = { version: 'v-1', overrides: [], freeze: WRITTEN };
    await change('raced', undefined, frozen);
    isFrozen = true;
    await Promise.all(callers);
    expect(await Promise.all(processes.map(check))).toEqual(processes.map(() => 'refused'));
    expect(said.every((kind) => kind === 'refused')).toBe(true);
    await change('raced', 'v-1', { version: 'v-2', overrides: [override({ max: { count: 80 } })] });
    const answers = [];
    for (let round = 0; round < 20; round++)
      answers.push(...(await Promise.all(processes.map(check))));
    const view = (await counters().read(['user:raced'], [], AT, AT)).get('user:raced');
    expect(view?.openHolds).toBe(80);
    expect(answers.at(-1)).toBe('refused');
  });

  it.each([
    { name: 'alone', subjects: { user: 'repeats-alone' }, own: 'user:repeats-alone' },
    {
      name: 'of two documents',
      subjects: { user: 'repeats-two', merchant: 'repeats-two' },
      own: 'merchant:repeats-two',
    },
  ])('are in the repeat of a check, $name, by a process that did not know them', async (row) => {
    const { subjects, own } = row;
    const [owner = ''] = own.split(':');
    const rules = [{ ...USER_DAY, per: [owner] as const, max: { count: 10 } }];
    const asked = checkOf({ orderId: `o-${own}`, subjects });
    const remaining = async (isMany: boolean, limits = limitsOver(database.db, rules)) => {
      const [result] = isMany
        ? await limits.checkMany([asked], true, AT)
        : [{ kind: 'answered' as const, answer: await limits.check(asked, AT) }];
      if (result?.kind !== 'answered' || result.answer.kind !== 'allowed') return result;
      return result.answer.rules.map((one) => one.remaining);
    };
    const stale = limitsOver(database.db, rules);
    expect(await remaining(false, stale)).toEqual([{ count: 9 }]);
    const terms: Terms = { version: `v-${own}`, overrides: [override({ max: { count: 3 } })] };
    expect(await counters().changeTerms(own, { expected: undefined, terms }, AT)).toBe(true);
    expect(await remaining(false, stale)).toEqual([{ count: 2 }]);
    expect(await remaining(false)).toEqual([{ count: 2 }]);
    expect(await remaining(true)).toEqual([{ count: 2 }]);
  });
});
