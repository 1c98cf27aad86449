import { beforeAll, describe, expect, it } from 'vitest';
import { UndecidedError } from '../../lib/shared/errors.ts';
import { ensureIndexes } from '../../lib/health/mongo-indexes.ts';
import type { KeptAttributes } from '../../lib/audit/recorded.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import type { SettlementRequest } from '../../lib/shared/request.ts';
import { AUDIT, auditCollection } from '../../lib/audit/mongo-audit-store.ts';
import { auditOver } from '../support/audit-fixture.ts';
import { useDatabase } from '../support/database.ts';
import {
  USER_DAY,
  byOrder,
  byReservation,
  checkOf,
  limitsOver,
  orderOf,
  reservationOf,
  sentDuring,
} from '../support/limits-fixture.ts';
import { libRule } from '../support/service-under-test.ts';

/** A late or larger confirm above a maximum that only its check could tell: the row of the check says it. */

const database = useDatabase({ monitorCommands: true });
beforeAll(() => ensureIndexes(database.db));

const AT = new Date('2026-03-02T10:00:00.000Z');
const LATE = new Date('2026-03-02T11:00:00.000Z');

const dayOf = (id: string, more: Partial<Rule>): Rule => ({
  ...libRule({ ...USER_DAY, id, max: { amount: 200 } }),
  ...more,
});
/** 5.00 a day for gold, 2.00 for all others. */
const byTier = dayOf('by-tier', {
  maxBy: { amountMinor: { by: 'tier', values: { gold: 500 } } },
});
const forCards = dayOf('for-cards', { appliesTo: { is: { type: ['CARD'] }, not: {} } });
const sincePayday = dayOf('since-payday', {
  window: { kind: 'since', since: { attribute: 'payday' }, forMs: 86_400_000 },
});
const wide = dayOf('wide', { max: { amountMinor: 9_000 } });
const ofMerchant: Rule = { ...byTier, id: 'of-merchant', per: ['merchant'] };

const MODES = ['best-effort', 'session'] as const;

function over(
  mode: (typeof MODES)[number],
  rules: readonly Rule[],
  attributes: KeptAttributes = 'all',
  inOneCommit = false,
): Limits {
  const audit = { ...auditOver(database.db, mode), attributes };
  return limitsOver(database.db, () => Promise.resolve(rules), { audit, inOneCommit });
}

/** Holds 0.50 for a second, and confirms another amount an hour later. */
async function confirmedLate(
  limits: Limits,
  id: string,
  said: Pick<Parameters<typeof checkOf>[0], 'attributes' | 'type'>,
  amountMinor: number,
) {
  const subjects = { user: id };
  const check = checkOf({ orderId: id, subjects, amountMinor: 50, holdMs: 1_000, ...said });
  expect(await limits.check(check, AT)).toMatchObject({ kind: 'allowed' });
  const told = await limits.confirm({ ...orderOf(id, subjects), amountMinor }, LATE);
  return told.exceeded;
}

const by = (rule: string, amount: number) => [{ rule, amount }];

// prettier-ignore
const CASES: readonly {
  readonly rules: readonly Rule[];
  readonly says: { readonly attributes?: Record<string, string>; readonly type?: string };
  readonly kept?: KeptAttributes;
  readonly amount: number;
  readonly exceeded: unknown;
  readonly why: string;
}[] = [
  { rules: [byTier], says: { attributes: { tier: 'gold' } }, amount: 500, exceeded: undefined, why: 'gold has room' },
  { rules: [byTier], says: { attributes: { tier: 'gold' } }, amount: 501, exceeded: by('by-tier', 1), why: 'it is above that of gold' },
  { rules: [byTier], says: { attributes: { tier: 'tin' } }, amount: 260, exceeded: by('by-tier', 60), why: 'another tier has the maximum of all others' },
  { rules: [byTier], says: {}, amount: 201, exceeded: by('by-tier', 1), why: 'an order without a tier has it, too' },
  { rules: [byTier], says: { attributes: { tier: 'gold' } }, kept: ['tier'], amount: 501, exceeded: by('by-tier', 1), why: 'rows keep the tier' },
  { rules: [byTier], says: { attributes: { tier: 'gold' } }, kept: ['country'], amount: 501, exceeded: null, why: 'rows keep another attribute' },
  { rules: [byTier], says: { attributes: { tier: 'gold' } }, kept: 'none', amount: 501, exceeded: null, why: 'rows keep no attribute' },
  { rules: [forCards], says: { type: 'CARD' }, kept: 'none', amount: 201, exceeded: by('for-cards', 1), why: 'rows keep the type' },
  { rules: [forCards, wide], says: { type: 'WALLET' }, amount: 201, exceeded: undefined, why: 'the maximum is not for wallets' },
  { rules: [sincePayday], says: { attributes: { payday: '2026-03-02T00:00:00Z' } }, amount: 201, exceeded: by('since-payday', 1), why: 'the row has the instant' },
  { rules: [sincePayday], says: { attributes: { payday: '2026-03-02T00:00:00Z' } }, kept: 'none', amount: 201, exceeded: null, why: 'the row has no instant' },
  { rules: [byTier, dayOf('plain', {})], says: { attributes: { tier: 'gold' } }, amount: 501, exceeded: [...by('by-tier', 1), ...by('plain', 301)], why: 'the row tells of the one, and all know the other' },
];

describe.each(MODES)('a late confirm above a maximum by attribute, AUDIT=%s', (mode) => {
  it.each(CASES)(
    'of $amount by $says, where rows keep $kept, exceeds $exceeded, because $why',
    async ({ rules, says, kept, amount, exceeded, why }) => {
      const limits = over(mode, rules, kept);
      const id = `${why} ${amount} ${mode}`;
      expect(await confirmedLate(limits, id, says, amount)).toEqual(exceeded);
    },
  );

  // prettier-ignore
  it.each([
    { then: ['country'], now: 'all', says: { tier: 'gold' }, exceeded: null, why: 'the row left the tier out' },
    { then: ['country'], now: ['tier'], says: { tier: 'gold' }, exceeded: null, why: 'the row left the tier out' },
    { then: 'none', now: 'all', says: { tier: 'gold' }, exceeded: null, why: 'the row has no attributes' },
    { then: 'all', now: 'none', says: { tier: 'gold' }, exceeded: by('by-tier', 1), why: 'the row has the tier' },
    { then: ['country'], now: 'none', says: {}, exceeded: by('by-tier', 301), why: 'the row left nothing out, so the check said no tier' },
    { then: 'all', now: ['country'], says: {}, exceeded: null, why: 'a row does not say that all was kept' },
    { then: ['country'], now: 'all', says: { region: 'EU' }, exceeded: by('by-tier', 301), why: 'the row left only the region out' },
  ] as const)(
    'of a check that said $says when rows kept $then exceeds $exceeded where they keep $now by now, because $why',
    async ({ then, now, says, exceeded, why }) => {
      const user = `${why} ${String(now)} ${mode}`;
      const check = checkOf({ orderId: user, subjects: { user }, amountMinor: 50, holdMs: 1_000, attributes: says });
      await over(mode, [byTier], then).check(check, AT);
      const confirm = { ...orderOf(user, { user }), amountMinor: 501 };
      expect((await over(mode, [byTier], now).confirm(confirm, LATE)).exceeded).toEqual(exceeded);
    },
  );

  it.each([
    { now: ['country'], exceeded: null },
    { now: 'all', exceeded: by('by-tier', 301) },
  ] as const)(
    'of a row that does not list what it left out exceeds $exceeded, as if it was kept like rows of now: $now',
    async ({ now, exceeded }) => {
      const user = `older ${String(now)} ${mode}`;
      const attributes = { tier: 'gold', country: 'DE' };
      const check = checkOf({ orderId: user, subjects: { user }, amountMinor: 50, attributes });
      await over(mode, [byTier], ['country']).check({ ...check, holdMs: 1_000 }, AT);
      const rows = auditCollection(database.db);
      expect(await rows.findOne({ orderId: user })).toMatchObject({
        attributes: { country: 'DE' },
        unkept: ['tier'],
      });
      await rows.updateOne({ orderId: user }, { $unset: { unkept: '' } });
      const confirm = { ...orderOf(user, { user }), amountMinor: 501 };
      expect((await over(mode, [byTier], now).confirm(confirm, LATE)).exceeded).toEqual(exceeded);
    },
  );

  it('is told so where it is named by its reservation, by its id alone, and with others', async () => {
    const limits = over(mode, [byTier]);
    const named = (way: string) => `${way} ${mode}`;
    const user = named('ways');
    const subjects = { user };
    const attributes = { tier: 'gold' };
    const reservations: string[] = [];
    for (const way of ['a', 'b', 'c']) {
      const check = checkOf({ orderId: named(way), subjects, amountMinor: 50, attributes });
      reservations.push(reservationOf(await limits.check({ ...check, holdMs: 1_000 }, AT)));
    }
    const first = { ...byReservation(named('a'), reservations[0] ?? ''), amountMinor: 501 };
    expect(await limits.confirm(first, LATE)).toMatchObject({
      exceeded: [{ rule: 'by-tier', amount: 1 }],
    });
    const others: readonly SettlementRequest[] = [
      { ...byOrder(named('b')), amountMinor: 10, to: 'confirmed' },
      { ...orderOf(named('c'), subjects), amountMinor: 20, to: 'confirmed' },
    ];
    const told = await limits.settleMany(others, LATE);
    expect(told).toMatchObject([
      { answer: { exceeded: [{ rule: 'by-tier', amount: 11 }] } },
      { answer: { exceeded: [{ rule: 'by-tier', amount: 31 }] } },
    ]);
  });

  it.each([true, false])(
    'is told so of a document beside home, in one commit: %s',
    async (inOneCommit) => {
      const limits = over(mode, [byTier, ofMerchant], 'all', inOneCommit);
      const id = `beside ${mode} ${String(inOneCommit)}`;
      const subjects = { user: id, merchant: id };
      const attributes = { tier: 'gold' };
      const check = checkOf({ orderId: id, subjects, amountMinor: 50, holdMs: 1_000, attributes });
      await limits.check(check, AT);
      const confirm = { ...orderOf(id, subjects), amountMinor: 503 };
      expect(await limits.confirm(confirm, LATE)).toMatchObject({
        exceeded: [
          { rule: 'by-tier', amount: 3 },
          { rule: 'of-merchant', amount: 3 },
        ],
      });
    },
  );

  it('asks for the row only where that may say more', async () => {
    const limits = over(mode, [byTier]);
    const readsOf = async (amountMinor: number, at: Date): Promise<number> => {
      const id = `reads ${mode} ${amountMinor} ${at.toISOString()}`;
      const subjects = { user: id };
      const attributes = { tier: 'gold' };
      const check = checkOf({ orderId: id, subjects, amountMinor: 50, holdMs: 1_000, attributes });
      await limits.check(check, AT);
      const confirm = { ...orderOf(id, subjects), amountMinor };
      const sent = await sentDuring(database.client, () => limits.confirm(confirm, at));
      return sent.filter(({ command }) => command.find === AUDIT).length;
    };
    expect(await readsOf(50, AT)).toBe(0);
    expect(await readsOf(200, AT)).toBe(0);
    expect(await readsOf(200, LATE)).toBe(0);
    expect(await readsOf(201, AT)).toBe(1);
    expect(await readsOf(201, LATE)).toBe(1);
  });

  it.each(['subjects', 'reservation', 'order'] as const)(
    'reads the rows of 64 orders at once, each named by its %s',
    async (way) => {
      const limits = over(mode, [byTier]);
      const settlements = await Promise.all(
        Array.from({ length: 64 }, async (_, index): Promise<SettlementRequest> => {
          const orderId = `64 by ${way} ${mode} ${index}`;
          const subjects = { user: `${orderId} alone` };
          const attributes = { tier: index % 2 === 0 ? 'gold' : 'tin' };
          const check = checkOf({ orderId, subjects, amountMinor: 50, holdMs: 1_000, attributes });
          const reservation = reservationOf(await limits.check(check, AT));
          const named = {
            subjects: orderOf(orderId, subjects),
            reservation: byReservation(orderId, reservation),
            order: byOrder(orderId),
          };
          return { ...named[way], amountMinor: 501 + index, to: 'confirmed' };
        }),
      );
      let told: unknown;
      const sent = await sentDuring(database.client, async () => {
        told = await limits.settleMany(settlements, LATE);
      });
      const reads = sent.filter(({ command }) => command.find === AUDIT);
      // By the id alone, rows first say where the orders are.
      expect(reads.length).toBe(way === 'order' ? 2 : 1);
      const exceeds = (index: number) => by('by-tier', index + (index % 2 === 0 ? 1 : 301));
      expect(told).toMatchObject(
        settlements.map((_, index) => ({ answer: { exceeded: exceeds(index) } })),
      );
    },
  );

  it('counts, and is not known, if the row cannot be read', async () => {
    const audit = auditOver(database.db, mode);
    const store = { ...audit.store, effectsOf: () => Promise.reject(new UndecidedError('slow')) };
    const rules = (): Promise<readonly Rule[]> => Promise.resolve([byTier]);
    const limits = limitsOver(database.db, rules, { audit: { ...audit, store } });
    const says = { attributes: { tier: 'gold' } };
    expect(await confirmedLate(limits, `unread ${mode}`, says, 501)).toBe(null);
  });
});
