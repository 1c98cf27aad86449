import { describe, expect, it } from 'vitest';
import type { AuditRow, AuditStore } from '../../lib/audit/audit.ts';
import { UndecidedError } from '../../lib/shared/errors.ts';
import type { CheckRequest } from '../../lib/shared/request.ts';
import type { DecidingSettings } from '../../lib/audit/mongo-settings.ts';
import { notingSettings, settingsCollection } from '../../lib/audit/mongo-settings.ts';
import { rowsInOrder } from '../../lib/audit/audit.ts';
import { losingStore } from '../../lib/audit/losing-store.ts';
import { auditCollection, mongoAuditStore } from '../../lib/audit/mongo-audit-store.ts';
import { AUDITED, auditOver } from '../support/audit-fixture.ts';
import type { ModelRule } from '../model/model-types.ts';
import { useDatabase } from '../support/database.ts';
import { USER_DAY, checkOf, limitsOver, orderOf } from '../support/limits-fixture.ts';
import { untilDecided } from '../support/broken-way.ts';

/** What rows keep of a check so that it can be decided again. */

const database = useDatabase();
const NEWER = { ...USER_DAY, id: 'user-day-2', version: 7, max: { count: 1 } };
const MERCHANT_DAY: ModelRule = {
  ...USER_DAY,
  id: 'merchant-day',
  per: ['merchant'],
  max: { count: 1 },
};
const OLDER = { ...USER_DAY, version: 3 };
const ROW: AuditRow = {
  id: 'a',
  appId: 'default',
  orderId: 'lossy',
  operation: 'check',
  outcome: 'refused',
  effective: false,
  at: new Date(),
  subjects: {},
  violations: [],
  documents: [],
  shares: [],
};
const attributes = { tier: 'gold', newDevice: true };

describe.each(AUDITED)('with the audit $mode', ({ mode, over }) => {
  const named = (orderId: string) =>
    checkOf({ orderId: `${mode}-${orderId}`, subjects: { user: `asked-${mode}` }, attributes });

  it('rows have the attributes and the revision of the rules, refused ones how they would be held', async () => {
    const { limits, rowsOf } = over(database.db, [NEWER, OLDER]);
    await limits.check({ ...named('held'), holdMs: 60_000 });
    await limits.check({ ...named('refused'), holdMs: 60_000 });
    await limits.check({ ...named('captured'), capture: true });
    const [held] = await rowsOf(`${mode}-held`);
    const [refused] = await rowsOf(`${mode}-refused`);
    const [captured] = await rowsOf(`${mode}-captured`);
    expect(held).toMatchObject({ outcome: 'held', attributes, rules: 7 });
    expect(held).not.toHaveProperty('holdSeconds');
    expect(refused).toMatchObject({ outcome: 'refused', attributes, rules: 7, holdSeconds: 60 });
    expect(captured).toMatchObject({ outcome: 'refused', attributes, rules: 7, capture: true });
    expect(captured).not.toHaveProperty('holdSeconds');
  });

  it('rows of a check that takes what fits say its least, however it ends', async () => {
    const rules = [{ ...USER_DAY, max: { amount: 100 } }];
    const { limits, rowsOf } = over(database.db, rules, { openHoldsMax: 1 });
    const subjects = { user: `least-${mode}` };
    const order = (name: string, least: Partial<CheckRequest>) =>
      checkOf({ orderId: `least-${mode}-${name}`, subjects, ...least });
    const held = order('held', { amountMinor: 10, leastMinor: 10 });
    const full = order('full', { amountMinor: 20, leastMinor: 5 });
    const refused = order('refused', { amountMinor: 200, leastMinor: 95 });
    const part = order('part', { amountMinor: 200, leastMinor: 50, capture: true });
    await limits.check(held);
    await expect(limits.check(full)).rejects.toThrow('has 1 open hold');
    await limits.check(refused);
    await limits.check(part);
    const rows = await Promise.all([held, full, refused, part].map((one) => rowsOf(one.orderId)));
    expect(rows.flat()).toMatchObject([
      { outcome: 'held', amountMinor: 10, leastMinor: 10 },
      { outcome: 'TOO_MANY_OPEN_HOLDS', amountMinor: 20, leastMinor: 5 },
      { outcome: 'refused', amountMinor: 95, askedMinor: 200, leastMinor: 95 },
      { outcome: 'confirmed', amountMinor: 90, askedMinor: 200, leastMinor: 50 },
    ]);
  });

  it('rows of a call of all or none say so', async () => {
    const { limits, rowsOf } = over(database.db, [OLDER]);
    const all = { subjects: { user: `all-${mode}` }, holdMs: 60_000 };
    const one = { ...named('one'), ...all };
    const other = { ...named('other'), ...all, count: 1e9 };
    await limits.checkMany([one, other], true);
    expect(await rowsOf(one.orderId)).toMatchObject([{ atomic: true, holdSeconds: 60 }]);
    expect(await rowsOf(other.orderId)).toMatchObject([{ atomic: true, outcome: 'refused' }]);
    await limits.check(one);
    expect((await rowsOf(one.orderId)).at(-1)).not.toHaveProperty('atomic');
  });

  it.each([
    { kept: ['tier'] as const, rest: { tier: 'gold' } },
    { kept: ['country'] as const, rest: {} },
    { kept: 'none' as const, rest: undefined },
  ])('rows keep of the attributes no others than $kept', async ({ kept, rest }) => {
    const audit = { ...auditOver(database.db, mode), attributes: kept };
    const limits = limitsOver(database.db, [OLDER], { audit });
    const orderId = `kept-${mode}-${String(kept)}`;
    await limits.check({ ...checkOf({ orderId, subjects: { user: orderId } }), attributes });
    const rows = await auditCollection(database.db).find({ orderId }).toArray();
    expect(rows.map((row) => row.attributes)).toEqual([rest]);
  });
});

describe.each(AUDITED)('the writes of a document, with the audit $mode', ({ mode, over }) => {
  it('are numbered in rows, without a gap at home, however many come at once', async () => {
    const { limits } = over(database.db, [{ ...USER_DAY, max: { count: 30 } }]);
    const subjects = { user: `numbered-${mode}` };
    const orders = Array.from({ length: 24 }, (_, order) => `${mode}-${order}`);
    await Promise.all(
      orders.map(async (orderId, order) => {
        const capture = order % 4 === 0;
        await untilDecided(() => limits.check(checkOf({ orderId, subjects, capture })));
        const named = orderOf(orderId, subjects);
        if (order % 4 === 1) await untilDecided(() => limits.confirm(named));
        if (order % 4 === 2) await untilDecided(() => limits.rollback(named));
      }),
    );
    const refund = { amountMinor: 40, reason: 'late', refundId: 'r' };
    await limits.refund({ ...orderOf(`${mode}-0`, subjects), ...refund });
    const refused = `${mode}-refused`;
    await limits.check(checkOf({ orderId: refused, subjects, count: 31 }));
    const rows = await auditCollection(database.db)
      .find({ 'subjects.user': subjects.user }, { sort: { 'q.0': 1 } })
      .toArray();
    const ofWrites = rows.filter(({ effective }) => effective);
    expect(ofWrites.map(({ q }) => q)).toEqual(ofWrites.map((_, before) => [before + 1]));
    expect(ofWrites.at(-1)).toMatchObject({ outcome: 'refunded' });
    expect(rows.filter(({ effective }) => !effective)).toMatchObject([
      { orderId: refused, q: [ofWrites.length] },
    ]);
  });

  it('are numbered in each document that an order concerns, and repeats have none', async () => {
    const rules = [USER_DAY, MERCHANT_DAY];
    const { limits, rowsOf } = over(database.db, rules);
    const of = (user: string) => ({ user: `${user}-${mode}`, merchant: `places-${mode}` });
    const name = (orderId: string) => `places-${mode}-${orderId}`;
    await limits.check(checkOf({ orderId: name('a'), subjects: of('u') }));
    await limits.check(checkOf({ orderId: name('a'), subjects: of('u') }));
    await limits.rollback(orderOf(name('a'), of('u')));
    await limits.check(checkOf({ orderId: name('b'), subjects: of('v') }));
    await limits.check(checkOf({ orderId: name('c'), subjects: of('u') }));
    expect(await rowsOf(name('a'))).toMatchObject([{ q: [1, 1] }, { q: [2, 2] }]);
    expect(await rowsOf(name('b'))).toMatchObject([{ q: [1, 3] }]);
    const [refused] = await rowsOf(name('c'));
    expect(refused).toMatchObject({ outcome: 'refused', documents: expect.any(Array) as [] });
    expect(refused?.q?.[refused.documents.indexOf(`merchant:places-${mode}`)]).toBe(3);
  });

  it('are one for all orders of a call, and rows say in which order', async () => {
    const { limits, rowsOf } = over(database.db, [USER_DAY]);
    const subjects = { user: `group-${mode}` };
    const orders = ['a', 'b', 'c'].map((one) => checkOf({ orderId: `${mode}-${one}`, subjects }));
    await limits.checkMany(orders, false);
    const rows = await Promise.all(['a', 'b', 'c'].map((one) => rowsOf(`${mode}-${one}`)));
    expect(rows.flat().map(({ q, inCall }) => ({ q, inCall }))).toEqual([
      { q: [1], inCall: undefined },
      { q: [1], inCall: 1 },
      { q: [1], inCall: 2 },
    ]);
  });
});

describe.each(AUDITED)('a check that passes undecided, with the audit $mode', ({ mode }) => {
  it('has a row, which comes with the next call', async () => {
    const audit = auditOver(database.db, mode);
    const user = `undecided-${mode}`;
    let isDown = true;
    const rules = () =>
      isDown ? Promise.reject(new UndecidedError('it is down')) : Promise.resolve([]);
    const passing = { onNoRule: 'allow', onUndecided: 'allow' } as const;
    const limits = limitsOver(database.db, rules, { ...passing, audit });
    const [one, two, three, dry, four] = ['1', '2', '3', '4', '5'].map((name) =>
      checkOf({ orderId: `undecided-${name}-${mode}`, subjects: { user }, attributes }),
    ) as [CheckRequest, CheckRequest, CheckRequest, CheckRequest, CheckRequest];
    expect(await limits.check(one)).toMatchObject({ kind: 'undecided' });
    expect(await limits.check({ ...dry, dryRun: true })).toMatchObject({ kind: 'undecided' });
    await limits.checkMany([two, three], false);
    await expect(limits.checkMany([two, three], true)).rejects.toThrow(UndecidedError);
    isDown = false;
    await limits.check(four);
    const rows = await auditCollection(database.db)
      .find({ 'subjects.user': user }, { sort: { orderId: 1 } })
      .toArray();
    expect(rows.map(({ orderId, outcome }) => [orderId, outcome])).toEqual([
      [`undecided-1-${mode}`, 'UNDECIDED'],
      [`undecided-2-${mode}`, 'UNDECIDED'],
      [`undecided-3-${mode}`, 'UNDECIDED'],
      [`undecided-5-${mode}`, 'held'],
    ]);
    expect(rows[0]).toMatchObject({ effective: false, attributes, documents: [] });
    expect(await limits.status(one)).toMatchObject({ state: 'unknown' });
  });
});

describe('the settings by which a process decides', () => {
  it('are noted with its first rows, if they are others than the last', async () => {
    const noting = (settings: DecidingSettings) => notingSettings(database.db, settings, 10_000);
    const noted = async () => {
      const found = await settingsCollection(database.db)
        .find({}, { sort: { at: 1 } })
        .toArray();
      return found.map(({ settings, at }) => ({ ...settings, isDated: at instanceof Date }));
    };
    const first = { homeKinds: ['user'], onNoRule: 'refuse' };
    const audit = { ...auditOver(database.db, 'best-effort'), noteSettings: noting(first) };
    const limits = limitsOver(database.db, [OLDER], { audit });
    await limits.check(checkOf({ orderId: 'noting', subjects: { user: 'noting' } }));
    await limits.check(checkOf({ orderId: 'noting-2', subjects: { user: 'noting' } }));
    await noting({ onNoRule: 'refuse', homeKinds: ['user'] })();
    expect(await noted()).toEqual([{ ...first, isDated: true }]);
    await noting({ homeKinds: ['$user'], onNoRule: 'allow' })();
    await noting(first)();
    expect((await noted()).map((one) => Object.entries(one)[0]?.[1])).toEqual([
      ['user'],
      ['$user'],
      ['user'],
    ]);
  });
});

describe('rows that are lost', () => {
  it('are told by the next one, until it is written', async () => {
    const inner = mongoAuditStore(auditCollection(database.db), 1);
    let isDown = true;
    const failing: AuditStore = {
      ...inner,
      append: (rows) => (isDown ? Promise.reject(new Error('it is down')) : inner.append(rows)),
    };
    const lost: AuditRow[] = [];
    const store = losingStore(failing, (_, rows) => lost.push(...rows));

    const row = (id: string): AuditRow => ({ ...ROW, id });
    await store.append([row('a'), row('b')]);
    await store.append([row('c')]);
    isDown = false;
    // What a repeat tells may be written already, and then stays as it is.
    await store.append([{ ...row('c'), repeated: true }]);
    await store.append([{ ...row('d'), repeated: true }, row('e')]);
    await store.append([row('f')]);
    expect(lost.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    const written = await auditCollection(database.db)
      .find({ orderId: 'lossy' }, { sort: { _id: 1 } })
      .toArray();
    expect(written.map(({ _id, lost: n }) => [_id, n])).toEqual([
      ['c', undefined],
      ['d', undefined],
      ['e', 3],
      ['f', undefined],
    ]);
  });
});

describe.each(AUDITED)('a clock that is set back, with the audit $mode', ({ mode, over }) => {
  it('leaves the rows of an order as they came: it is confirmed, and can be refunded', async () => {
    const { limits, rowsOf } = over(database.db, [USER_DAY]);
    const subjects = { user: `back-${mode}` };
    const order = checkOf({ orderId: `back-${mode}`, subjects, holdMs: 1_000 });
    const now = Date.now();
    await limits.check(order, new Date(now + 3_000));
    await limits.check({ ...order, orderId: `back-2-${mode}` }, new Date(now + 20_000));
    await limits.check(order, new Date(now + 2_000));
    await limits.confirm(orderOf(order.orderId, subjects), new Date(now + 2_500));
    const rows = await rowsOf(order.orderId);
    expect(rows.map(({ outcome }) => outcome)).toEqual(['held', 'held', 'confirmed']);
    expect(await limits.status(order)).toMatchObject({ state: 'confirmed' });
    await limits.refund({ ...orderOf(order.orderId, subjects), refundId: 'r' });
    expect(await limits.status(order)).toMatchObject({ state: 'refunded' });
  });
});

describe('rows of one millisecond', () => {
  const row = (id: string, operation: AuditRow['operation'], q?: readonly number[]): AuditRow => ({
    ...ROW,
    id,
    operation,
    q,
    effective: !id.startsWith('refused'),
    documents: ['user:u'],
  });

  it('stand in the order of the writes of their home, or else as an order goes', () => {
    const rows = [
      row('refused 2', 'check', [2]),
      row('held', 'check', [3]),
      row('given back', 'rollback', [2]),
      row('first', 'check', [1]),
    ];
    expect(rowsInOrder(rows).map(({ id }) => id)).toEqual([
      'first',
      'given back',
      'refused 2',
      'held',
    ]);
    const later = {
      ...row('of a later document', 'check', [1]),
      at: new Date(Date.now() + 90_000),
    };
    expect(rowsInOrder([later, ...rows]).at(-1)).toBe(later);
    const old = [row('confirmed', 'confirm'), row('checked', 'check', [4])];
    expect(rowsInOrder(old).map(({ id }) => id)).toEqual(['checked', 'confirmed']);
  });
});
