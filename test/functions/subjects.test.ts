import { describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import type { Handlers } from '../support/handlers.ts';
import { handlersOf } from '../support/handlers.ts';
import { callDirectly, callOverHttp, handlersOn } from '../support/service-on-database.ts';
import { addApplication, signedEvent, signedServiceOn } from '../support/signed-call.ts';
import { callSubjects, subjectsEvent } from '../support/subjects-call.ts';
import { answerTo, callRoute } from '../support/routed-call.ts';
import type { SubjectsCall } from '../support/subjects-call.ts';
import { replaceRules, USER_DAY } from '../support/stored-rules.ts';

const RULES = [
  { ...USER_DAY, id: 'day', max: { amount: 100, count: 5 } },
  { id: 'shop', per: ['merchant'], currency: 'CNY', window: 'lifetime', max: { amount: 50 } },
  { id: 'one', per: ['merchant'], currency: 'CNY', window: 'transaction', max: { amount: 40 } },
  { id: 'exact', per: ['user'], window: { rolling: 'PT1H', step: 'exact' }, max: { count: 5 } },
  {
    id: 'pin',
    per: ['user'],
    currency: 'USD',
    outcome: 'rolledBack',
    window: 'lifetime',
    max: { count: 3 },
  },
];
const database = useDatabase();

const on = (set: Readonly<Record<string, string>> = {}): Promise<Handlers> =>
  handlersOn(database, RULES, { LOCAL_CLOCK: 'on', ...set });
const ask = async (
  handlers: Handlers,
  call: SubjectsCall,
  now = '2026-03-02T04:00:00Z',
): Promise<Readonly<Record<string, unknown>>> => {
  const { status, body } = await callSubjects(handlers.subjects, {
    ...call,
    headers: { 'x-headroom-now': now, 'x-actor': 'jane', ...call.headers },
  });
  return { status, ...body };
};
const check = async (
  handlers: Handlers,
  user: string,
  amount: number,
  now = '2026-03-02T04:00:00Z',
  more: object = {},
) => {
  const order = { orderId: `${user}-${amount}-${now}`, subjects: { user }, amount };
  const body = { ...order, currency: 'CNY', capture: true, ...more };
  return (await callOverHttp(handlers.check, body, { 'x-headroom-now': now })).body;
};
const TERMS: SubjectsCall = { method: 'GET', path: 'terms' };
const freezing = (id: string, body: object = { reason: 'a lost card' }): SubjectsCall => ({
  method: 'PUT',
  path: 'freeze',
  id,
  body,
});
const put = (id: string, body: unknown, rule = 'day'): SubjectsCall => ({
  method: 'PUT',
  path: 'overrides',
  id,
  rule,
  body,
});

it('a subject of which no order is known is told so, before a change of its terms and after it', async () => {
  const handlers = await on();
  const unseen = { unseen: true };
  for (const dryRun of [true, false]) {
    const frozen = freezing('nobody', { reason: 'a lost card', dryRun });
    expect(await ask(handlers, frozen)).toMatchObject(unseen);
    expect(
      await ask(handlers, put('new', { max: { amount: 9 }, reason: 'x', dryRun })),
    ).toMatchObject(unseen);
  }
  expect(await ask(handlers, { ...TERMS, id: 'nobody' })).toMatchObject(unseen);
  await check(handlers, 'new', 5);
  for (const call of [{ ...TERMS, id: 'new' }, freezing('new')])
    expect(await ask(handlers, call)).not.toHaveProperty('unseen');
});

describe('an override', () => {
  it('is in force for the next check, is named by its answer, and ends by itself', async () => {
    const handlers = await on();
    expect(await check(handlers, 'a', 101)).toMatchObject({ decision: 'refused' });
    const until = '2026-03-02T05:00:00.000Z';
    const given = await ask(
      handlers,
      put('a', { max: { amount: 500 }, until, reason: 'a holiday' }),
    );
    const by = { kind: 'local', id: 'local', person: 'jane' };
    const own = { at: '2026-03-02T04:00:00.000Z', by, reason: 'a holiday' };
    const override = { rule: 'day', max: { amount: 500 }, inForce: true, until, ...own };
    expect(given).toMatchObject({ status: 200, subject: { user: 'a' }, overrides: [override] });
    expect(await check(handlers, 'a', 101)).toMatchObject({
      decision: 'allowed',
      rules: [
        {
          ...{ rule: 'day', max: { amount: 500, count: 5 } },
          override: { reason: 'a holiday', until, own: { amount: 100, count: 5 } },
        },
        {},
      ],
    });
    expect(await check(handlers, 'a', 1, '2026-03-02T05:00:00Z')).toMatchObject({
      decision: 'refused',
      refusedBy: ['day'],
    });
  });

  it('for a day lies above the lower one for ever, which is in force again when the day ends', async () => {
    const handlers = await on();
    const lower = { max: { amount: 20 }, reason: 'fraud' };
    expect(await ask(handlers, put('layers', lower))).toMatchObject({ status: 200 });
    const until = '2026-03-03T04:00:00.000Z';
    const raised = await ask(
      handlers,
      put('layers', { max: { amount: 90 }, until, reason: 'a wedding' }),
    );
    const now = '2026-03-02T04:00:00.000Z';
    const state = (amount: number) => ({ max: { amount, count: 5 } });
    expect(raised).toMatchObject({
      overrides: [
        { max: { amount: 20 }, inForce: false, until: null, currency: 'CNY' },
        { max: { amount: 90 }, inForce: true, until },
      ],
      effect: {
        currency: 'CNY',
        steps: [
          { from: now, until, before: state(20), after: state(90) },
          { from: until, until: null, before: state(20), after: state(20) },
        ],
      },
    });
    expect(await check(handlers, 'layers', 60)).toMatchObject({
      decision: 'allowed',
      rules: [{ max: { amount: 90 }, override: { reason: 'a wedding', until } }, {}],
    });
    const usage = await callRoute(handlers.usage, {
      ...{ method: 'GET', route: '/v1/usage', query: 'user=layers' },
      headers: { 'x-headroom-now': now },
    });
    expect(usage.body).toMatchObject({
      rules: [
        { max: { amount: 90 }, later: [{ from: until, ...state(20) }] },
        { rule: 'exact' },
        { rule: 'pin' },
      ],
    });
    expect(await check(handlers, 'layers', 21, until)).toMatchObject({ decision: 'refused' });
    expect(await check(handlers, 'layers', 20, until)).toMatchObject({ decision: 'allowed' });
  });

  it('of the count alone keeps the amount that is in force, and says so', async () => {
    const handlers = await on();
    await ask(handlers, put('part', { max: { amount: 20 }, reason: 'fraud' }));
    const counted = await ask(handlers, put('part', { max: { count: 2 }, reason: 'seldom' }));
    expect(counted).toMatchObject({
      overrides: [
        { max: { amount: 20 }, inForce: true },
        { max: { count: 2 }, inForce: true },
      ],
      effect: { steps: [{ after: { max: { amount: 20, count: 2 } } }] },
    });
    expect(await check(handlers, 'part', 21)).toMatchObject({ decision: 'refused' });
  });

  it('for ever takes the place of those whose sums it says; sent again, its own place', async () => {
    const handlers = await on();
    const until = '2026-03-03T04:00:00.000Z';
    await ask(handlers, put('place', { max: { amount: 20 }, reason: 'fraud' }));
    await ask(handlers, put('place', { max: { amount: 10, count: 1 }, until, reason: 'worse' }));
    for (const _twice of [1, 2])
      await ask(handlers, put('place', { max: { amount: 15 }, until, reason: 'better' }));
    expect(
      await ask(handlers, put('place', { max: { amount: 30 }, reason: 'well' })),
    ).toMatchObject({
      overrides: [
        { max: { amount: 10, count: 1 }, until },
        { max: { amount: 30 }, until: null },
      ],
    });
  });

  it('ends alone by its id; without one, of several none does', async () => {
    const handlers = await on();
    await ask(handlers, put('ends', { max: { amount: 20 }, reason: 'fraud' }));
    const raise = { max: { amount: 90 }, until: '2026-03-03T04:00:00Z', reason: 'a wedding' };
    const { overrides } = await ask(handlers, put('ends', raise));
    const [lower, raised] = overrides as readonly { readonly id: string }[];
    const end = (query: string) =>
      ask(handlers, {
        ...{ method: 'DELETE', path: 'overrides', id: 'ends', rule: 'day' },
        query: `reason=over${query}`,
      });
    expect(await end('')).toMatchObject({
      ...{ status: 422, code: 'TERMS_REFUSED' },
      detail: `user:ends has 2 overrides of rule "day": end one by its overrideId ("${lower?.id}", "${raised?.id}"), or all of them by "all"`,
    });
    expect(await end('&overrideId=another')).toMatchObject({ status: 404, code: 'NO_SUCH_TERMS' });
    const states = { before: { max: { amount: 90 } }, after: { max: { amount: 20 } } };
    expect(await end(`&overrideId=${raised?.id}`)).toMatchObject({
      status: 200,
      overrides: [{ id: lower?.id, inForce: true }],
      effect: { steps: [states, {}] },
    });
    await ask(handlers, put('ends', raise));
    expect(await end('&overrideId=all')).toMatchObject({ status: 200, overrides: [] });
  });

  it.each([
    ['an override', (more: object) => put('dry', { max: { amount: 900 }, reason: 'x', ...more })],
    ['a freeze', (more: object) => freezing('dry', { reason: 'x', ...more })],
  ])('that is tried changes nothing, and says what it would do: %s', async (_, call) => {
    const handlers = await on({ FOUR_EYES: 'raises' });
    const tried = await ask(handlers, call({ dryRun: true }));
    expect(tried).toMatchObject({
      ...{ status: 200, dryRun: true, version: 'none', overrides: [], freeze: null },
      needsSecondPerson: _ === 'an override',
    });
    expect(tried.effect).toMatchObject(
      _ === 'an override'
        ? { steps: [{ before: { max: { amount: 100 } }, after: { max: { amount: 900 } } }] }
        : { steps: [{ before: { frozen: false }, after: { frozen: true } }] },
    );
    const { status, version } = await ask(handlers, { ...TERMS, id: 'dry' });
    expect([status, version]).toEqual([200, 'none']);
  });

  // client/terms.test.ts finds, delays and ends overrides, and reads their changes page by page.
  it('ends for a reason, and the changes before an instant can be read', async () => {
    const handlers = await on();
    await ask(handlers, put('c', { max: { count: null }, reason: 'x' }));
    const end: SubjectsCall = { method: 'DELETE', path: 'overrides', id: 'c', rule: 'day' };
    expect(await ask(handlers, end)).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
    await ask(handlers, { ...end, query: 'reason=over' }, '2026-03-02T04:00:01Z');
    const query = 'limit=1&before=2026-03-02T04:00:01Z';
    expect(await ask(handlers, { method: 'GET', path: 'changes', id: 'c', query })).toMatchObject({
      changes: [{ change: 'override', rule: 'day', before: null }],
      next: null,
    });
  });

  it('is kept with each change, and no page leaves out one of the same millisecond', async () => {
    const handlers = await on();
    for (const reason of ['one', 'two', 'three'])
      await ask(handlers, put('same', { max: { count: 1 }, reason }));
    const told: unknown[] = [];
    let query: string | undefined = 'limit=1';
    while (query !== undefined) {
      const page = await ask(handlers, { method: 'GET', path: 'changes', id: 'same', query });
      const { changes, next } = page as { changes: { reason: string }[]; next: string | null };
      told.push(...changes.map(({ reason }) => reason));
      query = next === null ? undefined : `limit=1&before=${next}`;
    }
    expect(told.toSorted()).toEqual(['one', 'three', 'two']);
  });

  it.each([
    ['of a rule that is not there', 'nothing', { max: { count: 1 } }, /no rule "nothing" in force/],
    ['of a rule of another kind', 'shop', { max: { count: 1 } }, /counts per merchant/],
    ['of an amount without currency', 'exact', { max: { amount: 1, count: 1 } }, /no currency/],
    ['of an amount of failures', 'pin', { max: { amount: 1 } }, /counts orders by how they ended/],
    ['that takes the end from an exact window', 'exact', { max: { count: null } }, /1 to 100/],
  ])('%s is refused, and nothing is changed', async (_, rule, body, message) => {
    const handlers = await on();
    const refused = await ask(handlers, put('d', { ...body, reason: 'x' }, rule));
    expect(refused).toMatchObject({ status: 422, code: 'TERMS_REFUSED' });
    expect(refused).toHaveProperty('detail', expect.stringMatching(message));
    expect(await ask(handlers, { ...TERMS, id: 'd' })).toMatchObject({
      freeze: null,
      overrides: [],
    });
  });

  it.each([
    ['', { until: '2026-03-02T04:00:00Z' }],
    ['and began before that', { from: '2026-03-01T00:00:00Z', until: '2026-03-02T04:00:00Z' }],
  ])('that would be over %s is refused: it would only end the one in force', async (_, over) => {
    const handlers = await on();
    await ask(handlers, put('over', { max: { amount: 10 }, reason: 'lower' }));
    const wrong = await ask(handlers, put('over', { max: { amount: 900 }, ...over, reason: 'x' }));
    expect(wrong).toMatchObject({
      ...{ status: 422, code: 'TERMS_REFUSED' },
      detail: expect.stringMatching(/would end at 2026-03-02T04:00:00.000Z/) as string,
    });
    expect(await ask(handlers, { ...TERMS, id: 'over' })).toMatchObject({
      overrides: [{ max: { amount: 10 } }],
    });
    expect(await check(handlers, 'over', 11)).toMatchObject({ decision: 'refused' });
  });

  const [MARCH_2, MARCH_3] = ['2026-03-02T00:00:00Z', '2026-03-03T00:00:00Z'];
  // prettier-ignore
  it.each([
    ['nothing',                     {},                                                                    ['max', 'reason']],
    ['an empty maximum',            { max: {}, reason: 'x' },                                              ['max']],
    ['a maximum below zero',        { max: { amount: -1 }, reason: 'x' },                                  ['max.amount']],
    ['a text for a number',         { max: { amount: '1' }, reason: 'x' },                                 ['max.amount']],
    ['another name',                { max: { sum: 1 }, reason: 'x' },                                      ['max', 'max.sum']],
    ['no reason',                   { max: { count: 1 } },                                                 ['reason']],
    ['a reason of spaces',          { max: { count: 1 }, reason: ' \u3000\t' },                            ['reason']],
    ['a field of the path',         { max: { count: 1 }, reason: 'x', id: 'other' },                       ['id']],
    ['an end before its beginning', { max: { count: 1 }, reason: 'x', from: MARCH_3, until: MARCH_2 },     ['until']],
    ['two beginnings',              { max: { count: 1 }, reason: 'x', from: MARCH_3, effectiveAfter: 'PT1H' }, ['effectiveAfter']],
  ])('that says %s is refused with every mistake', async (_, body, paths) => {
    const answer = await ask(await on(), put('e', body));
    expect(answer).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
    const { errors } = answer as unknown as { errors: { path: string }[] };
    expect(errors.map(({ path }) => path).sort()).toEqual([...paths].sort());
  });
});

describe('a freeze', () => {
  it('refuses every new check and nothing else, until it ends or is taken back', async () => {
    const handlers = await on();
    expect(await ask(handlers, freezing('f'))).toMatchObject({
      freeze: { inForce: true, until: null, reason: 'a lost card' },
    });
    expect(await check(handlers, 'f', 1)).toMatchObject({
      decision: 'refused',
      reason: 'frozen',
      refusedBy: [],
      frozen: [{ subjects: { user: 'f' }, reason: 'a lost card', until: null }],
      headroom: { amount: 0, earliestAt: null },
    });
    const usage = await callDirectly(handlers.usage, { subjects: { user: 'f' } });
    expect(usage.body).toMatchObject({ frozen: [{ subjects: { user: 'f' } }] });
    const thaw: SubjectsCall = { method: 'DELETE', path: 'freeze', id: 'f', query: 'reason=found' };
    expect(await ask(handlers, thaw)).toMatchObject({ freeze: null });
    expect(await check(handlers, 'f', 1)).toMatchObject({ decision: 'allowed' });
    expect(await ask(handlers, thaw)).toMatchObject({ status: 404, code: 'NO_SUCH_TERMS' });
  });

  it('that would be over is refused: it would only end the one in force', async () => {
    const handlers = await on();
    await ask(handlers, freezing('past'));
    const over = { reason: 'longer', until: '2026-03-02T03:59:59Z' };
    expect(await ask(handlers, freezing('past', over))).toMatchObject({
      ...{ status: 422, code: 'TERMS_REFUSED' },
      detail: expect.stringMatching(/would end at 2026-03-02T03:59:59.000Z/) as string,
    });
    expect(await check(handlers, 'past', 1)).toMatchObject({ reason: 'frozen' });
  });

  it('is for kinds that every check asks: the home of orders, and those that a setting names', async () => {
    const freeze: SubjectsCall = { ...freezing('m'), kind: 'merchant' };
    const handlers = await on();
    expect(await ask(handlers, freeze)).toMatchObject({
      status: 422,
      code: 'TERMS_REFUSED',
      detail: expect.stringContaining('FREEZABLE_KINDS') as string,
    });
    const more = await on({ FREEZABLE_KINDS: 'merchant' });
    expect(await ask(more, freeze)).toMatchObject({ status: 200 });
    const subjects = { user: 'g', merchant: 'm' };
    expect(await check(more, 'g', 1, undefined, { subjects })).toMatchObject({ reason: 'frozen' });
    // No rule counts for a merchant in this currency, so that nothing but the setting asks it.
    const foreign = { subjects, currency: 'USD', orderId: 'usd' };
    expect(await check(more, 'g', 1, undefined, foreign)).toMatchObject({ reason: 'frozen' });
    expect(
      await ask(more, { ...freeze, method: 'DELETE', body: undefined, query: 'reason=x' }),
    ).toMatchObject({ status: 200 });
    const again = { subjects, orderId: 'thawed' };
    expect(await check(more, 'g', 1, undefined, again)).toMatchObject({ decision: 'allowed' });
    const single = { max: { amount: 45 }, reason: 'x' };
    const ofSingle = { ...put('m', single, 'one'), kind: 'merchant' };
    expect(await ask(handlers, ofSingle)).toMatchObject({ status: 422 });
    expect(await ask(more, ofSingle)).toMatchObject({ status: 200 });
    const large = { subjects, orderId: 'large' };
    expect(await check(more, 'g', 45, undefined, large)).toMatchObject({ decision: 'allowed' });
  });
});

describe('terms where calls are signed', () => {
  it('are for applications that have the right, which are named with the person', async () => {
    await replaceRules(database.db, RULES);
    const { subjects } = handlersOf(signedServiceOn(database).service);
    const unsigned = await callSubjects(subjects, { method: 'GET', path: 'terms' });
    expect(unsigned).toMatchObject({ status: 401, body: { code: 'BAD_SIGNATURE' } });
    const [none, desk] = await Promise.all([
      addApplication(database, 'none'),
      addApplication(database, 'desk', [], ['subjects:write']),
    ]);
    const freeze = subjectsEvent({ ...freezing('s'), headers: { 'x-actor': 'jane@example.com' } });
    const denied = await answerTo(subjects, signedEvent(none, freeze));
    expect(denied).toMatchObject({ status: 403, body: { code: 'RIGHT_MISSING' } });
    expect(await answerTo(subjects, signedEvent(desk, freeze))).toMatchObject({
      status: 200,
      body: { freeze: { by: { kind: 'application', id: 'desk', person: 'jane@example.com' } } },
    });
  });
});

describe('a change that says for which terms it is', () => {
  const ABSENT = { headers: { 'if-none-match': '*' } };
  const when = (version: unknown) => ({ headers: { 'if-match': `"${String(version)}"` } });

  it('is made while they are so, and by one of two who read the same', async () => {
    const handlers = await on();
    const id = 'both';
    const read = await ask(handlers, { ...TERMS, id });
    expect(read).toMatchObject({ version: 'none' });
    const first = { ...put(id, { max: { count: 1 }, reason: 'fraud' }), ...when('none') };
    const made = await ask(handlers, first);
    expect(made).toMatchObject({
      status: 200,
      version: expect.stringMatching(/^\S{36}$/) as string,
    });
    const second = { ...put(id, { max: { count: 9 }, reason: 'a car' }), ...when('none') };
    expect(await ask(handlers, second)).toMatchObject({
      ...{ status: 412, code: 'TERMS_CHANGED' },
      detail: `the terms of user:both are at version "${String(made.version)}", and the change is for "none"; nothing was changed: read them again first`,
    });
    expect(await ask(handlers, { ...TERMS, id })).toMatchObject({
      ...{ version: made.version, overrides: [{ max: { count: 1 } }] },
    });
    const again = await ask(handlers, { ...second, ...when(made.version) });
    expect(again).toMatchObject({ status: 200, overrides: [{ max: { count: 9 } }] });
    expect(again.version).not.toBe(made.version);
  });

  it.each([
    { name: 'freeze', call: freezing('', { reason: 'stolen' }) },
    { name: 'unfreeze', call: { method: 'DELETE', path: 'freeze', query: 'reason=found' } },
    {
      name: 'endOverride',
      call: { method: 'DELETE', path: 'overrides', rule: 'day', query: 'reason=over' },
    },
  ] as const)('is refused otherwise: $name', async ({ name, call }) => {
    const handlers = await on();
    const id = `stale-${name}`;
    await ask(handlers, put(id, { max: { count: 1 }, reason: 'x' }));
    const { version } = await ask(handlers, freezing(id));
    expect(await ask(handlers, { ...call, id, ...when('another') })).toMatchObject({ status: 412 });
    expect(await ask(handlers, { ...TERMS, id })).toMatchObject({ version });
    expect(await ask(handlers, { ...call, id, ...when(version) })).toMatchObject({ status: 200 });
  });

  it('says so by direct invocation as well, and in words that are understood', async () => {
    const handlers = await on();
    const freeze = { operation: 'freeze', kind: 'user', id: 'direct', reason: 'lost' };
    const stale = { ...freeze, ifMatch: 'another' };
    expect(await callDirectly(handlers.subjects, stale)).toMatchObject({ status: 412 });
    const fitting = { ...freeze, ifMatch: 'none' };
    expect(await callDirectly(handlers.subjects, fitting)).toMatchObject({ status: 200 });
    const weak = { ...freezing('words'), headers: { 'if-match': 'W/"1"' } };
    const expected = 'a version from ETag, or "none" if there are no terms';
    expect(await ask(handlers, weak)).toMatchObject({
      ...{ status: 400, errors: [{ path: 'ifMatch', expected }] },
    });
    const inBody = freezing('words', { reason: 'lost', ifMatch: 'none' });
    expect(await ask(handlers, inBody)).toMatchObject({ status: 400 });
  });

  it.each([
    {
      what: 'an override',
      change: (id: string, reason: string) => put(id, { max: { count: 1 }, reason }),
    },
    { what: 'a freeze', change: (id: string, reason: string) => freezing(id, { reason }) },
  ])('is made with If-None-Match: * only where there is none yet: $what', async (row) => {
    const handlers = await on();
    const id = `first ${row.what}`;
    const change = (reason: string) => ask(handlers, { ...row.change(id, reason), ...ABSENT });
    const made = await change('first');
    expect(made).toMatchObject({ status: 200 });
    const other = await change('second');
    expect(other).toMatchObject({ status: 412, code: 'TERMS_CHANGED' });
    expect(other.detail).toContain(`user:${id}`);
    // Sent again because its answer was lost, it is what it made.
    expect(await change('first')).toMatchObject({ status: 200, version: made.version });
    expect(await ask(handlers, { ...TERMS, id })).toMatchObject({ version: made.version });
  });

  it('is made so beside terms of another kind, and after what is over', async () => {
    const handlers = await on();
    await ask(handlers, freezing('beside'));
    const own = { ...put('beside', { max: { count: 1 }, reason: 'x' }), ...ABSENT };
    expect(await ask(handlers, own)).toMatchObject({ status: 200 });
  });

  it.each([
    { headers: { 'if-none-match': '"1"' } },
    { headers: { 'if-none-match': '*', 'if-match': 'none' } },
  ])('is refused where nobody can tell for which: $headers', async ({ headers }) => {
    const odd = await ask(await on(), { ...freezing('odd'), headers });
    expect(odd).toMatchObject({ status: 400, errors: [{ path: 'ifNoneMatch' }] });
  });

  it('has no If-None-Match where it ends something', async () => {
    const thaw = { method: 'DELETE', path: 'freeze', query: 'reason=x', id: 'odd' } as const;
    expect(await ask(await on(), { ...thaw, ...ABSENT })).toMatchObject({ status: 400 });
  });
});
