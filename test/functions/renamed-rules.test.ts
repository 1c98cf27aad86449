import { beforeEach, describe, expect, it } from 'vitest';
import type { StoredRule } from '../../lib/rule-file/rule-set.ts';
import { useDatabase } from '../support/database.ts';
import type { Handlers } from '../support/handlers.ts';
import { handlersOf } from '../support/handlers.ts';
import { callRoute } from '../support/routed-call.ts';
import { callRules } from '../support/rules-call.ts';
import { callOverHttp, serviceOn } from '../support/service-on-database.ts';
import { readRules } from '../support/stored-rules.ts';
import type { SubjectsCall } from '../support/subjects-call.ts';
import { callSubjects } from '../support/subjects-call.ts';

const DAY = { unit: 'day', timeZone: 'Asia/Shanghai' };
const PAY_DAY: StoredRule = {
  id: 'pay-day',
  per: ['user'],
  currency: 'CNY',
  window: DAY,
  max: { amount: 5_000 },
};
const OTHER: StoredRule = { ...PAY_DAY, id: 'other', window: 'lifetime', max: { amount: 90_000 } };

const RULES = [PAY_DAY, OTHER];
const database = useDatabase();
/** A process that reads the rules at once, and one that still has those from before. */
let handlers: Handlers;
let stale: Handlers;
beforeEach(async () => {
  for (const name of ['rules', 'rule_versions', 'counters', 'terms_changes', 'proposals'])
    await database.db.collection(name).deleteMany({});
  const set = { RULES_CACHE_SECONDS: '0', ON_NO_RULE: 'refuse' };
  handlers = handlersOf(await serviceOn(database, RULES, set));
  stale = handlersOf(await serviceOn(database, RULES, { RULES_CACHE_SECONDS: '300' }));
  await check('nobody', 1, stale);
});

let orders = 0;
async function check(user: string, amount: number, by = handlers) {
  const order = { orderId: `o-${orders++}`, subjects: { user }, amount, currency: 'CNY' };
  const { body } = await callOverHttp(by.check, { ...order, dryRun: true });
  return body.decision;
}
async function terms(id: string, call: Omit<SubjectsCall, 'id'>) {
  const { status, body } = await callSubjects(handlers.subjects, { id, ...call });
  return { status, ...body } as Readonly<Record<string, unknown>>;
}
const give = (id: string, amount: number, rule: string, more: object = {}) =>
  terms(id, {
    ...{ method: 'PUT', path: 'overrides', rule },
    body: { max: { amount }, reason: 'x', ...more },
  });
const replace = async (rules: readonly StoredRule[], more: object = {}) => {
  const { body, status } = await callRules(handlers.rules, {
    ...{ method: 'PUT', headers: { 'if-match': '*' } },
    body: { rules, drop: true, beginAnew: true, ...more },
  });
  return { status, ...body } as Readonly<Record<string, unknown>>;
};
const RENAMED = [{ ...PAY_DAY, id: 'pay-daily' }, OTHER];

describe('a subject’s own maximum, when its rule has a new id', () => {
  it('stays in force, in every process, and is told under the new id', async () => {
    await give('a', 1_000, 'pay-day');
    expect(await check('a', 1_001)).toBe('refused');
    await replace(RENAMED);
    expect(await check('a', 1_000)).toBe('allowed');
    expect(await check('a', 1_001)).toBe('refused');
    expect(await check('a', 1_001, stale)).toBe('refused');
    const told = { rule: 'pay-daily', currency: 'CNY', inForce: true };
    const all = await terms('a', { method: 'GET', path: 'terms' });
    expect(all).toMatchObject({ overrides: [told] });
    for (const rule of ['pay-daily', 'pay-day'])
      expect(await terms('a', { method: 'GET', path: 'overrides', rule })).toMatchObject({
        overrides: [told],
      });
    const changes = await terms('a', { method: 'GET', path: 'changes' });
    expect(changes).toMatchObject({
      changes: [{ change: 'override', rule: 'pay-daily', after: { overrides: [told] } }],
    });
    const usage = await callRoute(handlers.usage, {
      ...{ method: 'GET', route: '/v1/usage', query: 'user=a' },
    });
    expect(usage.body).toMatchObject({
      rules: [{ rule: 'other' }, { rule: 'pay-daily', max: { amount: 1_000 }, override: {} }],
    });
  });

  it('is changed and ended by either id, and a process with the rules from before sees that', async () => {
    await give('b', 1_000, 'pay-day');
    await replace(RENAMED);
    expect(await give('b', 2_000, 'pay-daily')).toMatchObject({
      overrides: [{ rule: 'pay-daily', max: { amount: 2_000 } }],
      effect: {
        steps: [{ before: { max: { amount: 1_000 } }, after: { max: { amount: 2_000 } } }],
      },
    });
    for (const by of [handlers, stale]) {
      expect(await check('b', 2_000, by)).toBe('allowed');
      expect(await check('b', 2_001, by)).toBe('refused');
    }
    expect(await give('b', 3_000, 'pay-day')).toMatchObject({
      overrides: [{ rule: 'pay-daily', max: { amount: 3_000 } }],
    });
    await replace([PAY_DAY, OTHER]);
    expect(await check('b', 3_001)).toBe('refused');
    const query = 'reason=x';
    const ended = { method: 'DELETE', path: 'overrides', rule: 'pay-day', query } as const;
    expect(await terms('b', ended)).toMatchObject({ status: 200, overrides: [] });
    expect(await check('b', 3_001)).toBe('allowed');
  });

  it('follows it where two rules exchange their ids in one change', async () => {
    await give('e', 1_000, 'pay-day');
    await give('e', 80_000, 'other');
    const exchanged = [
      { ...PAY_DAY, id: 'other' },
      { ...OTHER, id: 'pay-day' },
    ];
    const { changes } = await replace(exchanged);
    expect(changes).toMatchObject([
      { id: 'other', overrides: { fate: 'follow', rule: 'pay-day' } },
      { id: 'pay-day', overrides: { fate: 'follow', rule: 'other' } },
    ]);
    for (const by of [handlers, stale]) {
      expect(await check('e', 1_000, by)).toBe('allowed');
      expect(await check('e', 1_001, by)).toBe('refused');
    }
    expect(await terms('e', { method: 'GET', path: 'terms' })).toMatchObject({
      overrides: [
        { rule: 'other', max: { amount: 1_000 } },
        { rule: 'pay-day', max: { amount: 80_000 } },
      ],
    });
  });

  it('is not that of another rule which has the old id later', async () => {
    await give('c', 1_000, 'pay-day');
    await replace(RENAMED);
    const again = { ...PAY_DAY, window: 'lifetime', max: { amount: 7_000 } };
    await replace([...RENAMED, again]);
    const own = { rule: 'pay-daily', max: { amount: 1_000 } };
    expect(await give('c', 6_000, 'pay-day')).toMatchObject({
      overrides: [own, { rule: 'pay-day', max: { amount: 6_000 } }],
    });
    expect(await check('c', 1_001)).toBe('refused');
    expect(await check('c', 1_000)).toBe('allowed');
  });

  it('is not given where it waited for a second person meanwhile: the rule is another version', async () => {
    const set = { RULES_CACHE_SECONDS: '0', FOUR_EYES: 'raises' };
    const two = handlersOf(await serviceOn(database, RULES, set));
    const asked = await callSubjects(two.subjects, {
      ...{ method: 'PUT', path: 'overrides', id: 'd', rule: 'pay-day' },
      body: { max: { amount: 9_000 }, reason: 'x' },
      headers: { 'x-actor': 'jane' },
    });
    expect(asked.status).toBe(202);
    const { proposal } = asked.body as { readonly proposal: { readonly id: string } };
    await replace(RENAMED);
    const decided = await callRoute(two.proposals, {
      ...{ method: 'POST', route: '/v1/proposals/{id}/approve', parameters: { id: proposal.id } },
      ...{ headers: { 'x-actor': 'joe' }, body: { reason: 'seen' } },
    });
    expect(decided).toMatchObject({ status: 412, body: { code: 'RULE_CHANGED' } });
    expect(await terms('d', { method: 'GET', path: 'terms' })).toMatchObject({ overrides: [] });
  });
});

describe('what a change of rules says of subjects’ own maxima', () => {
  beforeEach(async () => {
    for (const id of ['a', 'b']) await give(id, 1_000, 'pay-day');
    await give('over', 1_000, 'pay-day', {
      until: new Date(Date.now() + 200).toISOString(),
    });
    await new Promise((resolve) => setTimeout(resolve, 250));
    await give('c', 2_000, 'other');
  });

  it.each([
    {
      why: 'they go on where the rule has a new id',
      rules: RENAMED,
      told: { fate: 'follow', rule: 'pay-daily', subjects: 2, more: false },
      says: 'own maxima of 2 subjects go on with pay-daily',
    },
    {
      why: 'they end with the rule',
      rules: [OTHER],
      told: { fate: 'end', subjects: 2, more: false },
      says: 'own maxima of 2 subjects no longer apply',
    },
    {
      why: 'they end where the rule is a draft',
      rules: [{ ...PAY_DAY, mode: 'draft' }, OTHER],
      told: { fate: 'end', subjects: 2, more: false },
      says: 'own maxima of 2 subjects no longer apply',
    },
    {
      why: 'they stay where it counts otherwise',
      rules: [{ ...PAY_DAY, currency: 'USD' }, OTHER],
      told: { fate: 'stay', subjects: 2, more: false },
      says: 'own maxima of 2 subjects stay, and apply to what it counts now',
    },
  ])('$why', async ({ rules, told, says }) => {
    for (const dryRun of [true, false]) {
      const { changes } = await replace(rules, { dryRun });
      const change = (changes as readonly { readonly id: string; readonly says: string }[]).find(
        ({ id }) => id === 'pay-day',
      );
      expect(change).toMatchObject({ overrides: told });
      expect(change?.says).toContain(says);
    }
  });

  it('names them on request', async () => {
    const { changes } = await replace([OTHER], { dryRun: true, nameSubjects: true });
    expect(changes).toMatchObject([{ overrides: { named: [{ user: 'a' }, { user: 'b' }] } }]);
    const { body } = await callRules(handlers.rules, {
      ...{ method: 'DELETE', id: 'pay-day', headers: { 'if-match': '*' } },
      query: 'dryRun=true&nameSubjects=true',
    });
    expect(body).toMatchObject({
      changes: [{ overrides: { named: [{ user: 'a' }, { user: 'b' }] } }],
    });
  });

  it('tells of them where a rule comes back, and of no rule that is gone as in force', async () => {
    await replace([OTHER]);
    expect(await terms('a', { method: 'GET', path: 'terms' })).toMatchObject({
      overrides: [{ rule: 'pay-day', inForce: false }],
    });
    const { changes } = await replace([PAY_DAY, OTHER], { dryRun: true });
    expect(changes).toMatchObject([{ id: 'pay-day', overrides: { fate: 'begin', subjects: 2 } }]);
  });

  it('says so to who deletes rules and has not said that this is meant', async () => {
    const { detail } = await replace([OTHER], { drop: false });
    expect(detail).toContain('deletes "pay-day" with own maxima of 2 subjects;');
    expect(await readRules(database.db)).toHaveLength(2);
  });
});
