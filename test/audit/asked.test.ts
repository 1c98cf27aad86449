import { describe, expect, it } from 'vitest';
import type { AuditRow, AuditStore } from '../../lib/audit/audit.ts';
import { UndecidedError } from '../../lib/shared/errors.ts';
import type { CheckRequest } from '../../lib/shared/request.ts';
import type { DecidingSettings } from '../../lib/audit/mongo-settings.ts';
import { notingSettings, settingsCollection } from '../../lib/audit/mongo-settings.ts';
import { losingStore } from '../../lib/audit/losing-store.ts';
import { auditCollection, mongoAuditStore } from '../../lib/audit/mongo-audit-store.ts';
import { AUDITED, auditOver } from '../support/audit-fixture.ts';
import { useDatabase } from '../support/database.ts';
import { USER_DAY, checkOf, limitsOver } from '../support/limits-fixture.ts';

/** What rows keep of a check so that it can be decided again. */

const database = useDatabase();
const NEWER = { ...USER_DAY, id: 'user-day-2', version: 7, max: { count: 1 } };
const OLDER = { ...USER_DAY, version: 3 };
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

describe('a check that passes undecided', () => {
  it('has a row, which comes with the next call', async () => {
    const audit = auditOver(database.db, 'best-effort');
    let isDown = true;
    const limits = limitsOver(database.db, [], {
      rules: () =>
        isDown ? Promise.reject(new UndecidedError('it is down')) : Promise.resolve([]),
      onNoRule: 'allow',
      onUndecided: 'allow',
      audit,
    });
    const [one, two, three, dry, four] = ['1', '2', '3', '4', '5'].map((name) =>
      checkOf({ orderId: `undecided-${name}`, subjects: { user: 'undecided' }, attributes }),
    ) as [CheckRequest, CheckRequest, CheckRequest, CheckRequest, CheckRequest];
    expect(await limits.check(one)).toMatchObject({ kind: 'undecided' });
    expect(await limits.check({ ...dry, dryRun: true })).toMatchObject({ kind: 'undecided' });
    await limits.checkMany([two, three], false);
    await expect(limits.checkMany([two, three], true)).rejects.toThrow(UndecidedError);
    isDown = false;
    await limits.check(four);
    const rows = await auditCollection(database.db)
      .find({ 'subjects.user': 'undecided' }, { sort: { orderId: 1 } })
      .toArray();
    expect(rows.map(({ orderId, outcome }) => [orderId, outcome])).toEqual([
      ['undecided-1', 'UNDECIDED'],
      ['undecided-2', 'UNDECIDED'],
      ['undecided-3', 'UNDECIDED'],
      ['undecided-5', 'held'],
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

    const row = (id: string): AuditRow => ({
      id,
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
    });
    await store.append([row('a'), row('b')]);
    await store.append([row('c')]);
    isDown = false;
    await store.append([row('d'), row('e')]);
    await store.append([row('f')]);
    expect(lost.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    const written = await auditCollection(database.db).find({ orderId: 'lossy' }).toArray();
    expect(written.map(({ _id, lost: n }) => [_id, n])).toEqual([
      ['d', 3],
      ['e', undefined],
      ['f', undefined],
    ]);
  });
});
