import { beforeEach, describe, expect, it } from 'vitest';
import { readRules, USER_LIFE } from '../support/stored-rules.ts';
import type { StoredRule } from '../../lib/rule-file/rule-set.ts';
import { useDatabase } from '../support/database.ts';
import type { Handlers } from '../support/handlers.ts';
import { handlersOf } from '../support/handlers.ts';
import { callRoute } from '../support/routed-call.ts';
import type { RulesAnswer } from '../support/rules-call.ts';
import { callRules } from '../support/rules-call.ts';
import { callOverHttp, getOverHttp, serviceOn } from '../support/service-on-database.ts';

const LIFE: StoredRule = USER_LIFE;
const life = (more: object): StoredRule => ({ ...LIFE, ...more });
const YEARS = { rolling: 'P366D' };
/** Counts in the same counter. */
const TWIN = life({ id: 'twin', max: { amount: 5_000 } });

const database = useDatabase({ withIndexes: true });
let handlers: Handlers;
beforeEach(async () => {
  const names = ['rules', 'rule_versions', 'counters', 'audit', 'refunds', 'proposals'];
  for (const name of names) await database.db.collection(name).deleteMany({});
  const set = { RULES_CACHE_SECONDS: '0', AUDIT: 'best-effort' };
  handlers = handlersOf(await serviceOn(database, [], set));
});

const revision = async (): Promise<number> =>
  Number((await callRules(handlers.rules, { method: 'GET' })).body.revision);
const versionOf = async (id: string): Promise<string> => {
  const { body } = await callRules(handlers.rules, { method: 'GET', id });
  return body.version === undefined ? '' : `"${Number(body.version)}"`;
};
const put = async (rule: StoredRule, more: object = {}): Promise<RulesAnswer> => {
  const version = await versionOf(rule.id);
  const headers = version === '' ? {} : { 'if-match': version };
  return callRules(handlers.rules, {
    ...{ method: 'PUT', id: rule.id, body: { rule, ...more }, headers },
  });
};
const drop = async (id: string): Promise<RulesAnswer> =>
  callRules(handlers.rules, {
    ...{ method: 'DELETE', id, headers: { 'if-match': await versionOf(id) } },
  });
const replace = async (rules: readonly StoredRule[], more: object = {}): Promise<RulesAnswer> => {
  const now = await revision();
  const headers = now === 0 ? {} : { 'if-match': `"${now}"` };
  return callRules(handlers.rules, { method: 'PUT', body: { rules, ...more }, headers });
};
const order = (orderId: string, amount: number, more: object = {}): Promise<unknown> =>
  callOverHttp(handlers.check, {
    ...{ orderId, subjects: { user: 'u-1' }, amount, currency: 'CNY', ...more },
  });
const pay = (orderId: string, amount: number) => order(orderId, amount, { capture: true });

type Usage = { readonly rule: string; readonly used: { readonly amount: number } };
const used = async (rule: string): Promise<number | undefined> => {
  const { body } = await getOverHttp(handlers.usage, {}, 'user=u-1');
  return (body.rules as readonly Usage[]).find((each) => each.rule === rule)?.used.amount; // a list
};
const told = ({ body }: RulesAnswer, id = 'life') =>
  (body.changes as readonly { readonly id: string }[]).find((each) => each.id === id); // a list

const ANEW = { beginAnew: true };
const MEANT = { ...ANEW, drop: true };
const BEGINS = {
  counter: 'begins',
  says: 'begins at zero: earlier payments do not count',
};

describe('a rule that is put back as it was', () => {
  // 60 are paid under the rule as it is first, and 7 before the last step.
  // prettier-ignore
  it.each<{ why: string; first?: readonly StoredRule[]; steps: readonly (() => Promise<RulesAnswer>)[]; says: object; used: number }>([
    { why: 'deleted',              steps: [() => drop('life'), () => put(LIFE)],                                             says: BEGINS, used: 0 },
    { why: 'retired',              steps: [() => put(life({ mode: 'retired' })), () => put(LIFE)],                            says: BEGINS, used: 0 },
    { why: 'a draft meanwhile',    steps: [() => put(life({ mode: 'draft' })), () => put(LIFE)],                              says: BEGINS, used: 0 },
    { why: 'for one payment only', steps: [() => put(life({ window: 'transaction' })), () => put(LIFE)],                      says: BEGINS, used: 0 },
    { why: 'another window',       steps: [() => put(life({ window: YEARS }), ANEW), () => put(LIFE, ANEW)],                says: { counter: 'anew', because: ['window'], says: 'begins at zero, because its window changed: its sum until now no longer counts' }, used: 0 },
    { why: 'another currency',     steps: [() => put(life({ currency: 'USD' }), ANEW), () => put(LIFE, ANEW)],              says: { counter: 'anew', because: ['currency'] }, used: 0 },
    { why: 'left out of a set',    steps: [() => replace([life({ id: 'x', per: ['card'] })], MEANT), () => replace([LIFE], MEANT)], says: BEGINS, used: 0 },
    { why: 'renamed',              steps: [() => replace([life({ id: 'new' })], MEANT), () => replace([LIFE], MEANT)],         says: { counter: 'joins', sharedWith: ['new'], says: 'begins with the sum of new, in the same counter' }, used: 67 },
    { why: 'with another maximum', steps: [() => put(life({ max: { amount: 70 } })), () => put(LIFE)],                        says: { counter: 'kept', says: 'keeps its sum' }, used: 67 },
    { why: 'on trial meanwhile',   steps: [() => put(life({ mode: 'shadow' })), () => put(LIFE)],                             says: { counter: 'kept' }, used: 67 },
    { why: 'deleted, and its counter goes on with another', first: [LIFE, TWIN], steps: [() => drop('life'), () => put(LIFE)], says: { counter: 'joins', sharedWith: ['twin'] }, used: 67 },
    { why: 'deleted, and so is the other that counted the same', first: [LIFE, TWIN], steps: [() => drop('life'), () => drop('twin'), () => put(LIFE)], says: BEGINS, used: 0 },
    { why: 'with another of a counter that both begin', first: [LIFE, TWIN], steps: [() => replace([life({ id: 'x', per: ['card'] })], MEANT), () => replace([LIFE, TWIN], MEANT)], says: { counter: 'begins', sharedWith: ['twin'], says: 'begins at zero, in one counter with twin: earlier payments do not count' }, used: 0 },
  ])('$why: has $used', async ({ first = [LIFE], steps, says, used: sum }) => {
    await replace(first);
    await pay('o-1', 60);
    expect(await used('life')).toBe(60);
    for (const step of steps.slice(0, -1)) expect((await step()).status).toBeOneOf([200, 201]);
    await pay('o-2', 7);
    const last = await steps.at(-1)?.();
    expect(last?.status).toBeOneOf([200, 201]);
    expect(last && told(last)).toMatchObject(says);
    expect(await used('life')).toBe(sum);
    await pay('o-3', 5);
    expect(await used('life')).toBe(sum + 5);
  });

  it('counts in the counter of another where the two are exchanged', async () => {
    const years = life({ id: 'years', window: YEARS });
    await replace([LIFE, years]);
    await pay('o-1', 60);
    const answer = await replace(
      [life({ window: YEARS }), { ...years, window: 'lifetime' }],
      MEANT,
    );
    expect(told(answer)).toMatchObject({
      ...{ counter: 'joins', because: ['window'], sharedWith: ['years'] },
      says: 'moves to another counter, because its window changed: it begins with the sum of years',
    });
    expect(await used('life')).toBe(60);
    expect(await used('years')).toBe(60);
  });

  it('is refused by no sum of before, and refuses by its own', async () => {
    await put(LIFE);
    await pay('o-1', 900);
    await drop('life');
    await put(LIFE);
    expect(await pay('o-2', 900)).toMatchObject({ body: { decision: 'allowed' } });
    expect(await pay('o-3', 101)).toMatchObject({ body: { decision: 'refused' } });
  });

  it('has nothing of an order that was held before, however that ends', async () => {
    await put(LIFE);
    await order('paid', 60);
    await order('given-back', 30);
    await order('refunded', 20);
    await drop('life');
    await put(LIFE);
    await pay('o-1', 5);
    const named = (orderId: string) => ({ orderId, subjects: { user: 'u-1' } });
    const ended = [
      await callOverHttp(handlers.confirm, named('paid')),
      await callOverHttp(handlers.rollback, named('given-back')),
      await callOverHttp(handlers.confirm, named('refunded')),
      await callOverHttp(handlers.refund, { ...named('refunded'), refundId: 'r-1' }),
    ];
    expect(ended.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { body } = await getOverHttp(handlers.usage, {}, 'user=u-1');
    expect(body.rules).toMatchObject([{ rule: 'life', used: { amount: 5 }, held: { amount: 0 } }]);
  });
});

describe('what resets a sum, or drops a rule, says that it is meant', () => {
  beforeEach(async () => {
    await replace([LIFE, TWIN]);
    await pay('o-1', 60);
  });
  const WEEK = { unit: 'week', timeZone: 'UTC' };

  // prettier-ignore
  it.each<{ why: string; asked: (more: object) => Promise<RulesAnswer>; needs: object; detail: string }>([
    { why: 'a rule counts again',  asked: (more) => put(life({ window: WEEK }), more), needs: { beginAnew: true },
      detail: 'this change lets "life" begin at zero; nothing was changed: if you want that, send "beginAnew": true' },
    { why: 'a rule of a set counts again', asked: (more) => replace([life({ window: WEEK }), TWIN], more), needs: { beginAnew: true },
      detail: 'this change lets "life" begin at zero; nothing was changed: if you want that, send "beginAnew": true' },
    { why: 'a set drops a rule',  asked: (more) => replace([LIFE], more), needs: { drop: true },
      detail: 'this change deletes "twin"; nothing was changed: if you want that, send "drop": true' },
    { why: 'a set does both',     asked: (more) => replace([life({ window: WEEK })], more), needs: { beginAnew: true, drop: true },
      detail: 'this change deletes "twin", and lets "life" begin at zero; nothing was changed: if you want that, send "drop": true, "beginAnew": true' },
  ])('$why', async ({ asked, needs, detail }) => {
    const before = await readRules(database.db);
    const problem = { code: 'CONSENT_REQUIRED', detail };
    expect(await asked({})).toMatchObject({ status: 409, body: problem });
    for (const name of Object.keys(needs))
      expect(await asked({ ...needs, [name]: false })).toMatchObject({ status: 409 });
    expect(await readRules(database.db)).toEqual(before);
    expect(await used('life')).toBe(60);
    expect(await asked({ dryRun: true })).toMatchObject({ status: 200, body: { changed: false } });
    expect(await asked(needs)).toMatchObject({ status: 200, body: { changed: true } });
  });

  it('a rule that comes to count in another’s counter loses its own sum', async () => {
    const other = life({ id: 'other', window: WEEK });
    await put(other);
    expect(await put({ ...other, window: 'lifetime' })).toMatchObject({
      status: 409,
      body: {
        detail:
          'this change lets "other" begin in another counter; nothing was changed: if you want that, send "beginAnew": true',
      },
    });
    const answer = await put({ ...other, window: 'lifetime' }, { beginAnew: true });
    expect(told(answer, 'other')).toMatchObject({ counter: 'joins', sharedWith: ['life', 'twin'] });
    expect(await used('other')).toBe(60);
  });

  it('nothing else needs it: a deletion says it by itself', async () => {
    expect(await put(life({ max: { amount: 1 } }))).toMatchObject({ status: 200 });
    expect(await put(life({ mode: 'retired' }))).toMatchObject({ status: 200 });
    expect(await drop('twin')).toMatchObject({ status: 200 });
    expect(await put(life({}))).toMatchObject({ status: 200, body: { changes: [BEGINS] } });
    expect(await put(life({ id: 'more', window: WEEK }))).toMatchObject({ status: 201 });
  });
});

describe('a proposal that resets a sum', () => {
  const MONTH = { unit: 'month', timeZone: 'UTC' };
  const jane = { 'x-actor': 'jane' };
  const joe = { 'x-actor': 'joe' };
  beforeEach(async () => {
    handlers = handlersOf(
      await serviceOn(database, [LIFE], { RULES_CACHE_SECONDS: '0', FOUR_EYES: 'raises' }),
    );
    await pay('o-1', 60);
  });
  const propose = async (more: object): Promise<RulesAnswer> =>
    callRules(handlers.rules, {
      ...{ method: 'PUT', id: 'life', body: { rule: life({ window: MONTH }), ...more } },
      headers: { ...jane, 'if-match': await versionOf('life') },
    });

  it('is made where that is said, shows it, and begins at zero once approved', async () => {
    expect(await propose({})).toMatchObject({ status: 409, body: { code: 'CONSENT_REQUIRED' } });
    const { status, body } = await propose({ beginAnew: true });
    expect(status).toBe(202);
    const { id } = body.proposal as { readonly id: string }; // it waits
    const one = { parameters: { id } };
    const look = await callRoute(handlers.proposals, {
      ...{ method: 'GET', route: '/v1/proposals/{id}', ...one },
    });
    expect(look.body).toMatchObject({
      asked: { beginAnew: true },
      changes: [
        {
          counter: 'anew',
          says: 'begins at zero, because its window changed: its sum until now no longer counts',
        },
      ],
    });
    expect(await used('life')).toBe(60);
    const approved = await callRoute(handlers.proposals, {
      ...{ method: 'POST', route: '/v1/proposals/{id}/approve', ...one },
      ...{ body: { reason: 'seen' }, headers: joe },
    });
    expect(approved.status).toBe(200);
    expect(await used('life')).toBe(0);
  });
});
