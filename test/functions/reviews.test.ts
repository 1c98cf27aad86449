import { beforeEach, describe, expect, it } from 'vitest';
import { USER_DAY } from '../support/stored-rules.ts';
import { useDatabase } from '../support/database.ts';
import type { Handlers } from '../support/handlers.ts';
import type { RoutedAnswer, RoutedCall } from '../support/routed-call.ts';
import { callRoute } from '../support/routed-call.ts';
import { callDirectly, handlersOn } from '../support/service-on-database.ts';

const DAY = { ...USER_DAY, id: 'day', max: { amount: 100 }, onExceed: 'review' };
const HARD = { ...USER_DAY, id: 'hard', max: { amount: 500 } };
const SHOP = { 'x-actor': 'till-1' };
const JOE = { 'x-actor': 'joe' };
const NOW = '2026-03-02T04:00:00Z';
const at = (now: string) => ({ 'x-headroom-now': now });

const database = useDatabase({ withIndexes: true });
let handlers: Handlers;
const on = async (more: object = {}): Promise<void> => {
  const set = { LOCAL_CLOCK: 'on', AUDIT: 'best-effort', RULES_CACHE_SECONDS: '0' };
  handlers = await handlersOn(database, [DAY, HARD], { ...set, ...more });
};
beforeEach(async () => {
  for (const name of ['proposals', 'counters', 'audit', 'rules', 'rule_versions'])
    await database.db.collection(name).deleteMany({});
  await on();
});

const call = (
  of: 'check' | 'checks' | 'status' | 'proposals',
  { headers, ...asked }: RoutedCall,
): Promise<RoutedAnswer> =>
  callRoute(handlers[of], { ...asked, headers: { ...at(NOW), ...headers } });
const order = (orderId: string, amount: number, more: object = {}) => ({
  ...{ orderId, amount, currency: 'CNY', subjects: { user: 'u-1' } },
  ...more,
});
const check = (orderId: string, amount: number, headers: RoutedCall['headers'] = SHOP, more = {}) =>
  call('check', {
    method: 'POST',
    route: '/v1/check',
    body: order(orderId, amount, more),
    headers,
  });
const decide = (
  id: string,
  way: 'approve' | 'reject',
  headers: RoutedCall['headers'] = JOE,
  more: object = {},
) =>
  call('proposals', {
    ...{ method: 'POST', route: `/v1/proposals/{id}/${way}`, parameters: { id } },
    ...{ body: { reason: 'he called', ...more }, headers },
  });
const look = (id: string, headers: RoutedCall['headers'] = {}) =>
  call('proposals', { method: 'GET', route: '/v1/proposals/{id}', parameters: { id }, headers });
const list = (query: string) => call('proposals', { method: 'GET', route: '/v1/proposals', query });
const reviewIn = ({ body }: RoutedAnswer): string => {
  expect(body).toMatchObject({ decision: 'refused', reason: 'review', refusedBy: ['day'] });
  return (body.review as { readonly proposal: string }).proposal;
};

describe('an order that a second person may approve', () => {
  it('waits, is shown with its sums, and passes once it is approved', async () => {
    await check('o-0', 90);
    const answer = await check('o-1', 30);
    const id = reviewIn(answer);
    expect(answer.body.review).toEqual({
      ...{ proposal: id, state: 'open', until: '2026-03-09T04:00:00.000Z' },
    });
    expect((await list('state=open&about=order')).body.proposals).toMatchObject([
      {
        ...{ id, about: 'order', operation: 'check', subject: { user: 'u-1' }, rule: 'day' },
        ...{ order: { app: 'default', orderId: 'o-1', amount: 30 }, currency: 'CNY' },
        by: { kind: 'local', person: 'till-1' },
      },
    ]);
    expect((await list('about=rules')).body.proposals).toEqual([]);
    const { body, headers } = await look(id, { 'accept-language': 'zh' });
    expect(headers['content-language']).toBe('zh');
    expect(body).toMatchObject({
      asked: { orderId: 'o-1', subjects: { user: 'u-1' }, amount: 30, currency: 'CNY', count: 1 },
      ...{ changes: null, refused: null, terms: null, effect: null, lookAlikes: [] },
      refusals: [
        {
          ...{ rule: 'day', outcome: 'exceeded', max: { amount: 100 } },
          ...{ used: { amount: 0, count: 0 }, held: { amount: 90, count: 1 } },
          upTo: { amount: 120 },
        },
      ],
    });
    expect((body.refusals as { sentence: string }[])[0]?.sentence).toContain('每');
    expect(await decide(id, 'approve', JOE, { for: 'PT2H' })).toMatchObject({
      status: 200,
      body: { state: 'approved', decided: { passesUntil: '2026-03-02T06:00:00.000Z' } },
    });
    expect((await check('o-1', 30)).body).toMatchObject({
      ...{ decision: 'allowed', state: 'held', repeated: false },
      approval: { proposal: id, by: { kind: 'local', person: 'joe' } },
      rules: [{ rule: 'day', max: { amount: 100 }, held: { amount: 120 }, outcome: 'reached' }, {}],
    });
    const status = await call('status', {
      ...{ method: 'GET', route: '/v1/transactions/{orderId}', parameters: { orderId: 'o-1' } },
    });
    expect(status.body.history).toMatchObject([
      { operation: 'check', outcome: 'refused', violations: ['day'], proposal: id },
      { operation: 'check', outcome: 'held', proposal: id, approvedBy: { person: 'joe' } },
    ]);
    expect((await decide(id, 'reject')).body.code).toBe('PROPOSAL_CLOSED');
  });

  it('is told as approved, too, if another bound is in its way', async () => {
    await on({ MAX_OPEN_HOLDS: '1' });
    await check('o-0', 90);
    const id = reviewIn(await check('o-1', 30));
    await decide(id, 'approve');
    expect((await check('o-1', 30)).body.code).toBe('TOO_MANY_OPEN_HOLDS');
    const rows = await database.db
      .collection('audit')
      .find({ orderId: 'o-1' })
      .sort({ outcome: -1 })
      .toArray();
    expect(rows).toMatchObject([
      { outcome: 'refused', proposal: id },
      { outcome: 'TOO_MANY_OPEN_HOLDS', proposal: id, approvedBy: { person: 'joe' } },
    ]);
  });

  it('is approved by another person alone, and rejected for good', async () => {
    const id = reviewIn(await check('o-1', 130));
    expect((await decide(id, 'approve', SHOP)).body.code).toBe('WRONG_PERSON');
    expect((await decide(id, 'approve', {})).body.code).toBe('WRONG_PERSON');
    await decide(id, 'reject');
    expect((await check('o-1', 130)).body).toMatchObject({
      ...{ decision: 'refused', reason: 'rejected', review: { proposal: id, state: 'rejected' } },
    });
  });

  it('is taken back by whom the check named', async () => {
    const id = reviewIn(await check('o-1', 130));
    const asked = { method: 'DELETE', route: '/v1/proposals/{id}', parameters: { id } } as const;
    const taken = (headers: Readonly<Record<string, string>>) =>
      call('proposals', { ...asked, query: 'reason=he+left', headers });
    expect((await taken(JOE)).body.code).toBe('WRONG_PERSON');
    expect((await taken(SHOP)).body).toMatchObject({ state: 'withdrawn' });
    expect(reviewIn(await check('o-1', 130))).not.toBe(id);
  });

  it('opens nothing in a dry run, which says what the check would answer', async () => {
    const dry = { dryRun: true };
    const { body } = await check('o-1', 130, SHOP, dry);
    expect(body).toMatchObject({ reason: 'review' });
    expect(body).not.toHaveProperty('review');
    expect((await list('')).body.proposals).toEqual([]);
    const id = reviewIn(await check('o-1', 130));
    expect((await check('o-1', 130, SHOP, dry)).body).toMatchObject({ review: { proposal: id } });
    await decide(id, 'approve');
    expect((await check('o-1', 130, SHOP, dry)).body).toMatchObject({
      ...{ decision: 'allowed', state: 'none', approval: { proposal: id } },
    });
  });

  it('waits among many; of all or none, all pass once each is approved', async () => {
    const of = (user: string) => ({ subjects: { user } });
    const orders = [order('o-1', 130), order('o-2', 1, of('u-2')), order('o-3', 140, of('u-3'))];
    const many = async (atomic: boolean) => {
      const body = { orders, atomic };
      const route = { method: 'POST', route: '/v1/checks', body, headers: SHOP } as const;
      return (await call('checks', route)).body as {
        readonly allAllowed: boolean;
        readonly results: readonly Record<string, { readonly proposal?: string }>[];
      };
    };
    const first = await many(true);
    expect(first.results).toMatchObject([
      { reason: 'review' },
      { problem: { code: 'NOT_ALL_ALLOWED' } },
      { reason: 'review' },
    ]);
    const [one = '', other = ''] = [0, 2].map((place) => first.results[place]?.review?.proposal);
    await decide(one, 'approve');
    expect((await many(true)).results).toMatchObject([
      { reason: 'review' },
      { problem: { code: 'NOT_ALL_ALLOWED' } },
      { reason: 'review', review: { proposal: other } },
    ]);
    await decide(other, 'approve');
    expect(await many(true)).toMatchObject({
      allAllowed: true,
      results: [{ approval: { proposal: one } }, {}, { approval: { proposal: other } }],
    });
    expect((await many(false)).results.map(({ repeated }) => repeated)).toEqual([true, true, true]);
  });

  it('passes among many, though others of the call wait', async () => {
    const id = reviewIn(await check('o-1', 130));
    await decide(id, 'approve');
    const orders = [order('o-1', 130), order('o-2', 1), order('o-3', 140)];
    const { body } = await call('checks', {
      ...{ method: 'POST', route: '/v1/checks', body: { orders }, headers: SHOP },
    });
    expect(body.results).toMatchObject([
      { decision: 'refused', reason: 'review' },
      { decision: 'allowed' },
      { decision: 'refused', reason: 'review' },
    ]);
    const [again] = body.results as readonly { readonly review: { readonly proposal: string } }[];
    expect((await look(again?.review.proposal ?? '')).body.refusals).toMatchObject([
      { upTo: { amount: 131 } },
    ]);
  });

  it('says who is another person of a direct invocation by its field', async () => {
    const direct = async (name: keyof Handlers, event: object) => {
      const answer = await callDirectly(handlers[name], event);
      return { headers: {}, ...answer };
    };
    const asked = { ...order('o-9', 130), actor: 'till-1' };
    const id = reviewIn(await direct('check', asked));
    const approve = { operation: 'approve', id, reason: 'yes', actor: 'joe' };
    expect((await direct('proposals', approve)).body).toMatchObject({ state: 'approved' });
    expect((await direct('check', asked)).body).toMatchObject({ decision: 'allowed' });
  });
});

describe('what cannot be asked', () => {
  it('is an actor in a body over HTTP, and one that cannot be stored', async () => {
    const inBody = await check('o-1', 1, SHOP, { actor: 'jane' });
    expect(inBody).toMatchObject({ status: 400, body: { errors: [{ path: 'actor' }] } });
    expect((await check('o-1', 1, { 'x-actor': 'a\tb' })).body).toMatchObject({
      errors: [{ path: 'X-Actor' }],
    });
  });

  it.each(['PT0S', 'P8D', 'soon', 5])('is an approval for %s', async (span) => {
    const id = reviewIn(await check('o-1', 130));
    expect(await decide(id, 'approve', JOE, { for: span })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'for' }] },
    });
    expect((await decide(id, 'reject', JOE, { for: 'PT1H' })).body.code).toBe('INVALID_REQUEST');
    expect((await look(id)).body.state).toBe('open');
  });
});

it('with the audit in the commit, the rows name the review, and the order passes once', async () => {
  await on({ AUDIT: 'session' });
  const id = reviewIn(await check('o-1', 130));
  await decide(id, 'approve');
  const answers = await Promise.all([check('o-1', 130), check('o-1', 130), check('o-1', 130)]);
  expect(answers.map(({ body }) => body.decision)).toEqual(['allowed', 'allowed', 'allowed']);
  expect(answers.filter(({ body }) => body.repeated === false)).toHaveLength(1);
  const rows = await database.db.collection('audit').find({ proposal: id }).toArray();
  expect(rows.map(({ outcome }) => String(outcome)).sort()).toEqual(['held', 'refused']);
});

it('of many checks at once one review is opened, and what is approved passes up to its sum', async () => {
  const opened = await Promise.all(Array.from({ length: 8 }, () => check('o-1', 130)));
  const ids = new Set(opened.map(reviewIn));
  expect(ids.size).toBe(1);
  const other = reviewIn(await check('o-2', 120));
  for (const id of [...ids, other]) await decide(id, 'approve');
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? check('o-1', 130) : check('o-2', 120))),
  );
  const fresh = answers.filter(
    ({ body }) => body.repeated === false && body.decision === 'allowed',
  );
  expect(fresh).toHaveLength(1); // both together would be 250, which nobody saw
});
