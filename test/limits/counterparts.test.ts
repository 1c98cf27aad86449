import { Long } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { lookAt } from '../../lib/audit/reconcile/mongo-reconciling.ts';
import { bucketName } from '../../lib/counter/name.ts';
import type { CounterStore } from '../../lib/document/counter-store.ts';
import { counterKey } from '../../lib/rule/counter.ts';
import { documentOf } from '../../lib/shared/subject.ts';
import type { Subjects } from '../../lib/shared/request.ts';
import type { ModelRule } from '../model/model-types.ts';
import { AUDITED } from '../support/audit-fixture.ts';
import { useDatabase } from '../support/database.ts';
import {
  USER_DAY,
  USER_TODAY,
  byReservation,
  checkOf,
  limitsOver,
  orderOf,
  recordOf,
  refundOf,
  reservationOf,
} from '../support/limits-fixture.ts';
import { patientCounters } from '../support/patient-counters.ts';
import { libRule } from '../support/service-under-test.ts';
import { storedCounters } from '../support/stored-buckets.ts';

const AT = new Date('2026-03-02T10:00:00.000Z');
const MIDNIGHT = new Date('2026-03-02T16:00:00.000Z');
const database = useDatabase({ withIndexes: true });

const PAYEE: ModelRule = { ...USER_DAY, id: 'payee', per: ['user', 'payee'], counterparts: 'many' };
const SHOP: ModelRule = { ...USER_DAY, id: 'shop', per: ['shop', 'user'], counterparts: 'many' };

type Sums = { readonly n?: Long | number; readonly un?: Long | number };

/** What counts in a document: used and held together, and used. */
async function countsIn(_id: string) {
  const found = await storedCounters(database.db).findOne({ _id });
  const buckets = Object.values((found?.b ?? {}) as Readonly<Record<string, Sums>>);
  return buckets.map(({ n = 0, un = 0 }) => [Number(n), Number(un)]);
}

/** Documents of many pairs, each with five payments today: as many as the rule allows. */
async function fill(rule: ModelRule, pairs: readonly Subjects[]) {
  const counter = counterKey(libRule(rule), {});
  const name = bucketName({ counter, until: MIDNIGHT });
  const five = Long.fromNumber(5);
  const sums = { a: five, n: five, ua: five, un: five };
  const kind = rule.per.join('|');
  await storedCounters(database.db).insertMany(
    pairs.map((subjects) => ({
      _id: documentOf(kind, subjects),
      b: { [name]: sums },
      madeAt: AT,
      expireAt: new Date(MIDNIGHT.getTime() + 60_000),
    })),
  );
}

const MANY = Array.from({ length: 20_000 }, (_, index) => String(index));

describe('a rule with many counterparts', () => {
  it.each([
    { rule: PAYEE, one: { user: 'payer' }, other: 'payee', whose: 'a payer' },
    { rule: SHOP, one: { shop: 'shop' }, other: 'user', whose: 'a shop' },
  ])('lets the next one of 20,000 pass: $whose', async ({ rule, one, other: kind }) => {
    const of = (other: string): Subjects => ({ ...one, [kind]: other });
    await fill(rule, MANY.map(of));
    const limits = limitsOver(database.db, [rule]);
    const check = (other: string) =>
      limits.check(checkOf({ orderId: `${rule.id} ${other}`, subjects: of(other) }), AT);
    expect(await check('20000')).toMatchObject({ kind: 'allowed' });
    expect(await check('777')).toMatchObject({ kind: 'refused' });
    const asked = { appId: 'default', subjects: of('777') };
    expect((await limits.usage(asked, AT)).rules).toMatchObject([{ used: { count: 5 } }]);
  });

  it('needs no bucket in the documents of its subjects', async () => {
    const limits = limitsOver(database.db, [PAYEE]);
    const orders = Array.from({ length: 100 }, (_, index) =>
      checkOf({ orderId: `b-${index}`, subjects: { user: 'no-bucket', payee: `p-${index}` } }),
    );
    const said = await limits.checkMany(orders, false, AT);
    expect(said.every((one) => one.kind === 'answered')).toBe(true);
    expect(await countsIn('user:no-bucket')).toEqual([]);
    expect(await countsIn('user:no-bucket|payee:p-99')).toEqual([[1, 0]]);
  });

  it('leaves a document that TTL deletes a week after its last payment', async () => {
    const limits = limitsOver(database.db, [PAYEE]);
    const subjects = { user: 'ttl', payee: 'p-1' };
    await limits.check(checkOf({ orderId: 'ttl', subjects, capture: true }), AT);
    const _id = documentOf('user|payee', subjects);
    const found = await storedCounters(database.db).findOne({ _id });
    expect(found?.expireAt).toEqual(new Date('2026-03-09T11:00:00.000Z'));
  });

  it.each([
    { by: 'its reservation', of: (token: string) => byReservation('whole', token) },
    { by: 'all subjects', of: () => orderOf('whole', { user: 'a|b:c', payee: 'p|1' }) },
    { by: 'home alone', of: () => orderOf('whole', { user: 'a|b:c' }) },
  ])('is settled wherever it is held, by $by, with ids that have what joins them', async (row) => {
    const by = row.by.replaceAll(' ', '-');
    const limits = limitsOver(database.db, [{ ...PAYEE, match: { channel: by } }]);
    const subjects = { user: 'a|b:c', payee: 'p|1' };
    const order = { subjects, attributes: { channel: by } };
    const orderId = `whole-${by}`;
    const answer = await limits.check(checkOf({ ...order, orderId }), AT);
    const asked = row.of(reservationOf(answer));
    await limits.confirm({ ...asked, orderId }, AT);
    const found = await storedCounters(database.db).findOne({ _id: 'user:a\\|b\\:c|payee:p\\|1' });
    const until = bucketName({
      counter: counterKey(libRule({ ...PAYEE, match: { channel: by } }), {}),
      until: MIDNIGHT,
    });
    const sums = ((found?.b ?? {}) as Readonly<Record<string, Sums>>)[until];
    expect([Number(sums?.n), Number(sums?.un)]).toEqual([1, 1]);
  });
});

describe.each(AUDITED)('with the audit, $mode: many counterparts', ({ mode, over }) => {
  const user = `audited-${mode}`;
  const subjects = { user, payee: 'p-1' };
  const document = documentOf('user|payee', subjects);

  it('are refunded, recorded and reconciled as others are', async () => {
    const rule = { ...PAYEE, window: USER_TODAY.window, max: { amount: 1_000 } };
    const { limits } = over(database.db, [rule]);
    const paid = checkOf({ orderId: `${mode}-paid`, subjects, amountMinor: 700, capture: true });
    await limits.check(paid);
    await limits.recordMany([
      recordOf({ orderId: `${mode}-seen`, subjects, amountMinor: 200, happenedAt: new Date() }),
    ]);
    await limits.check(checkOf({ orderId: `${mode}-held`, subjects, amountMinor: 100 }));
    expect(
      await limits.check(checkOf({ orderId: `${mode}-no`, subjects, amountMinor: 1 })),
    ).toMatchObject({ kind: 'refused' });
    expect(await limits.refund(refundOf(`${mode}-paid`, 'r-1', 300))).toMatchObject({
      windows: { open: 1, over: 0 },
    });
    expect(await countsIn(document)).toEqual([[3, 2]]);
    const whole = await lookAt(database.db, [document, `user:${user}`], { lateMs: 0 });
    expect([...whole.values()].map(({ differences }) => differences)).toEqual([[], []]);
    expect(whole.get(document)?.rows).toBeGreaterThan(0);
    const damaged = Object.keys(
      (await storedCounters(database.db).findOne({ _id: document }))?.b as object,
    );
    const path = `b.${damaged[0] ?? ''}`;
    await storedCounters(database.db).updateOne(
      { _id: document },
      { $inc: { [`${path}.n`]: 1, [`${path}.un`]: 1 } },
    );
    const found = await lookAt(database.db, [document], { lateMs: 0 });
    expect(found.get(document)?.differences).toMatchObject([{ sum: 'usedCount' }]);
  });
});

describe('terms of the first subject that change while a check holds its share of a pair', () => {
  it.each([
    { max: 2, kind: 'refused', why: 'the share is given back' },
    { max: 9, kind: 'allowed', why: 'the check begins again with the higher maximum' },
  ])('decide with a maximum of $max: $kind, because $why', async ({ max, kind }) => {
    const subjects = { shop: `shop ${max}`, user: `between ${max}` };
    const usual = max === 2 ? 3 : 2;
    const rule: ModelRule = { ...SHOP, max: { count: usual } };
    const limits = limitsOver(database.db, [rule]);
    for (const orderId of ['one', 'two'])
      await limits.check(checkOf({ orderId, subjects, capture: true }), AT);
    const own = patientCounters(database.db);
    let tell: () => void = () => undefined;
    const changed = new Promise<void>((resolve) => {
      tell = resolve;
    });
    let changes = 0;
    const counters: CounterStore = {
      ...own,
      async hold(ask, at) {
        if (ask.document === `shop:${subjects.shop}`) await changed;
        const holding = await own.hold(ask, at);
        if (ask.document.includes('|') && changes++ === 0) {
          await override(own, `shop:${subjects.shop}`, max);
          tell();
        }
        return holding;
      },
    };
    const meeting = limitsOver(counters, [rule]);
    expect(await meeting.check(checkOf({ orderId: 'three', subjects }), AT)).toMatchObject({
      kind,
    });
    const held = kind === 'allowed' ? 1 : 0;
    expect(await countsIn(documentOf('shop|user', subjects))).toEqual([[2 + held, 2]]);
  });
});

async function override(counters: CounterStore, document: string, count: number) {
  const one = {
    ...{ id: 'own', rule: 'shop', max: { count }, reason: 'asked for', at: AT },
    by: { kind: 'local', id: 'local' } as const,
  };
  const terms = { version: `v-${count}`, overrides: [one] };
  expect(await counters.changeTerms(document, { expected: undefined, terms }, AT)).toBe(true);
}
