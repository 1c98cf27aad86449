/** Counters of several subjects in one document, once no stored rule reads them any more. */
import { Long } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { lookAt } from '../../lib/audit/reconcile/mongo-reconciling.ts';
import { nextSet } from '../../lib/changes/rule-change.ts';
import { bucketName } from '../../lib/counter/name.ts';
import type { StoredDocument } from '../../lib/document/stored.ts';
import { tidy } from '../../lib/document/tidy.ts';
import type { Limits, LimitsOptions } from '../../lib/edge/limits.ts';
import { readableRules } from '../../lib/rule-file/rule-list.ts';
import type { RuleSet, StoredRule } from '../../lib/rule-file/rule-set.ts';
import { counterKey, stillReadUnder } from '../../lib/rule/counter.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import { NEVER } from '../../lib/shared/bounds.ts';
import { auditOver } from '../support/audit-fixture.ts';
import { useDatabase } from '../support/database.ts';
import {
  byReservation,
  checkOf,
  limitsOver,
  orderOf,
  refundOf,
  reservationOf,
  tidyingNonce,
} from '../support/limits-fixture.ts';
import { bucketsIn, storedCounters } from '../support/stored-buckets.ts';

const AT = new Date('2026-03-02T10:00:00.000Z');
/** Holds of AT are over. */
const LATER = new Date('2026-03-02T10:20:00.000Z');
const author = { at: AT, by: { kind: 'local', id: 'l' } } as const;
const database = useDatabase({ withIndexes: true });

const FEW = { per: ['user', 'payee'], window: 'lifetime', max: { count: 3 } } as const;
const OLD = { ...FEW, id: 'old', match: { type: 'OLD' } };
const NEXT = { ...FEW, id: 'next', match: { type: 'NEW' } };
const ALONE = { id: 'alone', per: ['user'], window: 'lifetime', max: { count: 2_000 } };
const RETIRED = { ...OLD, mode: 'retired' };

/** Rules as processes read them, after each change of the stored set. */
function setsOf(...changes: readonly (readonly StoredRule[])[]): readonly (readonly Rule[])[] {
  let set: RuleSet = { revision: 0, rules: [] };
  return changes.map((rules) => {
    ({ set } = nextSet(set, rules, author));
    return readableRules(set);
  });
}

function limitsUnder(rules: readonly Rule[] = [], options: Partial<LimitsOptions> = {}): Limits {
  return limitsOver(database.db, () => Promise.resolve(rules), { nonce: tidyingNonce, ...options });
}

/** A payment of some type by a user to a payee. */
const paid = (user: string, payee: string, type: string, more = {}) =>
  checkOf({ orderId: `${user} ${payee} ${type}`, subjects: { user, payee }, type, ...more });

/** Lifetime buckets of the rule `old` with so many payees, one payment in each. */
async function fill(rules: readonly Rule[] = [], user: string, pairs: number): Promise<void> {
  const rule = rules.find(({ id }) => id === 'old');
  if (rule === undefined) throw new TypeError('the set has the rule');
  const names = Array.from({ length: pairs }, (_, index) => {
    const counter = counterKey(rule, { user, payee: `p-${index}` });
    return bucketName({ counter, until: NEVER });
  });
  const sums = { n: Long.ONE, un: Long.ONE };
  await storedCounters(database.db).insertOne({
    _id: `user:${user}`,
    b: Object.fromEntries(names.map((name) => [name, sums])),
    madeAt: AT,
    expireAt: NEVER,
  });
}

const sumsIn = async (user: string) =>
  (await bucketsIn(database.db, `user:${user}`)).map((one) => [one.usedCount, one.heldCount]);

describe('a document that a rule of several subjects has filled', () => {
  it.each([
    { how: 'retired', end: [RETIRED, NEXT] },
    { how: 'deleted', end: [NEXT] },
    { how: 'a draft again', end: [{ ...OLD, mode: 'draft' }, NEXT] },
    { how: 'counting something else', end: [{ ...OLD, match: { type: 'X' } }, NEXT] },
  ])('has room for pairs of the next one, once it is $how', async ({ how, end }) => {
    const user = `full ${how}`;
    const [before, after] = setsOf([OLD, NEXT], end);
    await fill(before, user, 950);
    const full = { code: 'TOO_MANY_BUCKETS' };
    await expect(limitsUnder(before).check(paid(user, 'p', 'NEW'), AT)).rejects.toMatchObject(full);
    const limits = limitsUnder(after);
    expect(await limits.check(paid(user, 'p', 'NEW'), AT)).toMatchObject({ kind: 'allowed' });
    expect(await sumsIn(user)).toEqual([[0, 1]]);
  });

  it('is tidied by a check of its subject alone, and keeps what other rules read', async () => {
    const [before, after] = setsOf([OLD, NEXT, ALONE], [NEXT, ALONE]);
    await fill(before, 'alone', 20);
    const limits = limitsUnder(before);
    await limits.check(paid('alone', 'p', 'NEW', { capture: true }), AT);
    expect(await sumsIn('alone')).toHaveLength(22);
    const order = checkOf({ orderId: 'o-1', subjects: { user: 'alone' }, capture: true });
    await limitsUnder(after).check(order, AT);
    expect(await sumsIn('alone')).toEqual([
      [2, 0],
      [1, 0],
    ]);
  });

  it('stays as it is, as far as a process knows, whose rules are older or of no stored set', async () => {
    const [before, after] = setsOf([ALONE], [ALONE, OLD]);
    await fill(after, 'older', 20);
    const [unstored = []] = setsOf([ALONE]);
    const without = unstored.map(({ asOf: _asOf, ...rule }) => rule);
    for (const [place, rules] of [before, without].entries()) {
      const order = checkOf({ orderId: `o-${place}`, subjects: { user: 'older' } });
      await limitsUnder(rules).check(order, AT);
    }
    expect(await sumsIn('older')).toHaveLength(21);
  });

  it('stays full of what expired: a late confirm takes it off', async () => {
    const expiring = { ...OLD, outcome: ['expired'] };
    const [before, after] = setsOf([expiring, NEXT], [NEXT]);
    await fill(before, 'expired', 20);
    await limitsUnder(after).check(paid('expired', 'p', 'NEW'), AT);
    expect(await sumsIn('expired')).toHaveLength(21);
  });
});

describe('an order in a counter whose rule ended', () => {
  const [before, after] = setsOf([OLD, NEXT], [NEXT]);

  it('is settled in time, because its bucket stays while it is held', async () => {
    await fill(before, 'held', 20);
    const held = await limitsUnder(before).check(paid('held', 'p', 'OLD'), AT);
    const limits = limitsUnder(after);
    await limits.check(paid('held', 'q', 'NEW'), AT);
    expect(await sumsIn('held')).toEqual([
      [0, 1],
      [0, 1],
    ]);
    const asked = byReservation('held p OLD', reservationOf(held));
    expect(await limits.confirm(asked, AT)).toMatchObject({ state: 'confirmed' });
    expect(await sumsIn('held')).toContainEqual([1, 0]);
  });

  it.each([
    { capture: false, how: 'held', stays: 20, why: 'its confirm needs the bucket' },
    { capture: true, how: 'counted', stays: 0, why: 'nothing is to come' },
  ])(
    'leaves $stays buckets, if a process with older rules has it $how while another tidies: $why',
    async ({ capture, how, stays }) => {
      const [user, document] = [`while ${how}`, `user:while ${how}`];
      await fill(before, user, 20);
      const counters = storedCounters(database.db);
      const read = async () =>
        ((await counters.findOne({ _id: document })) ?? {}) as StoredDocument;
      const asRead = { databaseNow: AT, stillRead: stillReadUnder(after ?? []) };
      const { filter, update } = tidy(document, { stored: await read(), ...asRead }, 100, 1);
      const told = await limitsUnder(before).check(paid(user, 'p-3', 'OLD', { capture }), AT);
      await counters.updateOne(filter, update);
      expect(await sumsIn(user)).toHaveLength(stays);
      if (capture) return;
      const asked = byReservation(`${user} p-3 OLD`, reservationOf(told));
      expect(await limitsUnder(after).confirm(asked, AT)).toMatchObject({ state: 'confirmed' });
      expect(await sumsIn(user)).toContainEqual([2, 0]);
      const again = tidy(document, { stored: await read(), ...asRead }, 100, 1);
      await counters.updateOne(again.filter, again.update);
      expect(await sumsIn(user)).toEqual([]);
    },
  );

  it('is confirmed late, and the next tidy drops what that adds', async () => {
    await fill(before, 'late', 20);
    const held = await limitsUnder(before).check(paid('late', 'p', 'OLD'), AT);
    const limits = limitsUnder(after);
    await limits.check(paid('late', 'q', 'NEW', { capture: true }), LATER);
    expect(await sumsIn('late')).toEqual([[1, 0]]);
    const asked = byReservation('late p OLD', reservationOf(held));
    expect(await limits.confirm(asked, LATER)).toMatchObject({ late: true });
    expect(await sumsIn('late')).toEqual([
      [1, 0],
      [1, 0],
    ]);
    const open = paid('late', 'r', 'NEW', { holdMs: 1_000 });
    await limits.check(open, LATER);
    await limits.check(paid('late', 's', 'NEW'), new Date(LATER.getTime() + 2_000));
    expect(await sumsIn('late')).not.toContainEqual([1, 1]);
    expect((await bucketsIn(database.db, 'user:late')).length).toBe(3);
  });

  it('is refunded, recorded again by a process with older rules, and reconciled, as often as it is dropped', async () => {
    const audit = auditOver(database.db, 'best-effort');
    const old = limitsUnder(before, { audit });
    const limits = limitsUnder(after, { audit });
    await fill(before, 'refunded', 0);
    for (let pair = 0; pair < 10; pair++)
      await old.check(paid('refunded', `p-${pair}`, 'OLD', { capture: true }), AT);
    await limits.check(paid('refunded', 'q', 'NEW', { capture: true }), AT);
    expect(await sumsIn('refunded')).toEqual([[1, 0]]);
    const refund = refundOf('refunded p-0 OLD', 'r-1');
    expect(await limits.refund(refund, AT)).toMatchObject({ state: 'refunded' });
    expect(await sumsIn('refunded')).toEqual([[1, 0]]);
    const again = paid('refunded', 'p-0', 'OLD', { orderId: 'again', capture: true });
    expect(await old.check(again, AT)).toMatchObject({ kind: 'allowed' });
    expect(await sumsIn('refunded')).toHaveLength(2);
    const document = 'user:refunded';
    const look = async (stillRead = stillReadUnder(after ?? [])) => {
      const looking = { lateMs: 0, stillRead: () => Promise.resolve(stillRead) };
      return (await lookAt(database.db, [document], looking)).get(document)?.differences;
    };
    expect(await look()).toEqual([]);
    // By the rules before, what was dropped would be missing.
    expect(await look(stillReadUnder(before ?? []))).not.toEqual([]);
  });
});

describe('an order in the document of a pair whose rule ended', () => {
  const many = { ...OLD, counterparts: 'many' } as const;
  const [before, retired, deleted] = setsOf(
    [many, ALONE],
    [{ ...RETIRED, counterparts: 'many' }, ALONE],
    [ALONE],
  );

  it.each([
    { how: 'retired', after: retired, by: 'reservation' },
    { how: 'retired', after: retired, by: 'subjects' },
    { how: 'retired', after: retired, by: 'home' },
    { how: 'deleted', after: deleted, by: 'home' },
  ] as const)(
    'is settled there, named by $by, once it is $how; the next one does not come there',
    async ({ how, after, by }) => {
      const audit = auditOver(database.db, 'best-effort');
      const user = `pair ${how} ${by}`;
      const document = `user:${user}|payee:p`;
      const inPair = async () =>
        (await bucketsIn(database.db, document)).map((one) => [one.usedCount, one.heldCount]);
      const [kept, given] = [
        paid(user, 'p', 'OLD'),
        paid(user, 'p', 'OLD', { orderId: `${user} back` }),
      ];
      const old = limitsUnder(before, { audit });
      const said = await old.check(kept, AT);
      const other = await old.check(given, AT);
      expect(await inPair()).toEqual([[0, 2]]);
      const limits = limitsUnder(after, { audit });
      const named = ({ orderId, subjects }: typeof kept, answer: typeof said) =>
        by === 'reservation'
          ? byReservation(orderId, reservationOf(answer))
          : orderOf(orderId, by === 'home' ? { user } : subjects);
      expect(await limits.confirm(named(kept, said), AT)).toMatchObject({ state: 'confirmed' });
      expect(await inPair()).toEqual([[1, 1]]);
      expect(await limits.rollback(named(given, other), AT)).toMatchObject({ state: 'rolledBack' });
      await limits.check(paid(user, 'p', 'OLD', { orderId: `${user} next` }), AT);
      expect(await inPair()).toEqual([[1, 0]]);
      const found = await lookAt(database.db, [document, `user:${user}`], { lateMs: 0 });
      expect([...found.values()].map(({ differences }) => differences)).toEqual([[], []]);
      expect(await limits.refund(refundOf(kept.orderId, 'r-1'), AT)).toMatchObject({
        state: 'refunded',
      });
      expect(await inPair()).toEqual([[0, 0]]);
    },
  );
});
