import { beforeEach, describe, expect, it } from 'vitest';
import { mongoProposalStore } from '../../lib/four-eyes/mongo-proposal-store.ts';
import { readRules, USER_DAY } from '../support/stored-rules.ts';
import { useDatabase } from '../support/database.ts';
import type { Handlers } from '../support/handlers.ts';
import { handlersOf } from '../support/handlers.ts';
import { answerTo, callRoute, routedEvent } from '../support/routed-call.ts';
import type { RoutedAnswer, RoutedCall } from '../support/routed-call.ts';
import { callDirectly, handlersOn } from '../support/service-on-database.ts';
import type { Signer } from '../support/signed-call.ts';
import { addApplication, signedEvent, signedServiceOn } from '../support/signed-call.ts';

const DAY = { ...USER_DAY, id: 'day', max: { amount: 5_000 } };
const RAISED = { ...DAY, max: { amount: 9_000 } };
const JANE = { 'x-actor': 'jane' };
const JOE = { 'x-actor': 'joe' };
const NOW = '2026-03-02T04:00:00Z';
const HOUR_LATER = { 'x-headroom-now': '2026-03-02T05:00:00Z' };

const database = useDatabase({ withIndexes: true });
let handlers: Handlers;
const on = async (fourEyes: string, more: object = {}): Promise<void> => {
  handlers = await handlersOn(database, [DAY], {
    ...{ FOUR_EYES: fourEyes, LOCAL_CLOCK: 'on', RULES_CACHE_SECONDS: '0' },
    ...more,
  });
};
beforeEach(async () => {
  for (const name of ['rules', 'rule_versions', 'proposals', 'counters', 'terms_changes', 'apps'])
    await database.db.collection(name).deleteMany({});
  await on('raises');
});

const call = (
  of: 'rules' | 'subjects' | 'proposals',
  { headers, ...asked }: RoutedCall,
): Promise<RoutedAnswer> =>
  callRoute(handlers[of], { ...asked, headers: { 'x-headroom-now': NOW, ...headers } });

const putRule = (rule: object, headers: RoutedCall['headers'] = {}, version = 1) =>
  call('rules', {
    ...theRule('PUT', { body: { rule, reason: 'they ask' } }),
    headers: { ...JANE, 'if-match': `"${version}"`, ...headers },
  });
const putOverride = (amount: number, headers: RoutedCall['headers'] = {}, more: object = {}) =>
  call('subjects', {
    ...{ method: 'PUT', route: '/v1/subjects/{kind}/{id}/overrides/{rule}' },
    parameters: { kind: 'user', id: 'u-1', rule: 'day' },
    body: { max: { amount }, reason: 'buys a car', ...more },
    headers: { ...JANE, ...headers },
  });
const ofTerms = (
  method: 'PUT' | 'DELETE',
  what: 'freeze' | 'overrides/{rule}',
  headers: RoutedCall['headers'] = {},
): Promise<RoutedAnswer> =>
  call('subjects', {
    ...{ method, route: `/v1/subjects/{kind}/{id}/${what}`, headers: { ...JANE, ...headers } },
    parameters: { kind: 'user', id: 'u-1', ...(what === 'freeze' ? {} : { rule: 'day' }) },
    ...(method === 'PUT' ? { body: { reason: 'stop' } } : { query: 'reason=enough' }),
  });
const decide = (
  id: string,
  way: 'approve' | 'reject',
  headers: RoutedCall['headers'] = JOE,
  more: object = {},
): Promise<RoutedAnswer> =>
  call('proposals', {
    ...{ method: 'POST', route: `/v1/proposals/{id}/${way}`, parameters: { id } },
    ...{ body: { reason: 'seen', ...more }, headers },
  });
const withdraw = (id: string, headers: RoutedCall['headers'] = JANE) =>
  call('proposals', {
    ...{ method: 'DELETE', route: '/v1/proposals/{id}', parameters: { id } },
    ...{ query: 'reason=a+mistake', headers },
  });
const look = (id: string) =>
  call('proposals', { method: 'GET', route: '/v1/proposals/{id}', parameters: { id } });
const list = (query = '') => call('proposals', { method: 'GET', route: '/v1/proposals', query });
const idOf = ({ status, body }: RoutedAnswer): string => {
  expect({ status, body }).toMatchObject({ status: 202, body: { proposal: { state: 'open' } } });
  return (body.proposal as { readonly id: string }).id;
};
const everyone = ['approve', 'approve', 'approve', 'approve', 'approve', 'approve'] as const;
/** Decisions of as many people at once, by how they are answered. */
const decided = async (id: string, ways: readonly ('approve' | 'reject')[]) => {
  const answers = await Promise.all(
    ways.map((way, n) => decide(id, way, { 'x-actor': `joe-${n}` })),
  );
  return answers.map(({ status, body }) => body.code ?? status).sort();
};
const ONCE = [200, ...everyone.slice(1).map(() => 'PROPOSAL_CLOSED')];
/** How many changes were made with the approval of a second person, of rules and of terms. */
const approvedChanges = async (): Promise<readonly number[]> => {
  const count = (name: string) =>
    database.db.collection(name).countDocuments({ approvedBy: { $exists: true } });
  return [await count('rule_versions'), await count('terms_changes')];
};
const theRule = (method: 'GET' | 'PUT' | 'DELETE', more: Partial<RoutedCall> = {}): RoutedCall => ({
  ...{ method, route: '/v1/rules/{id}', parameters: { id: 'day' } },
  ...more,
});
const ANY = { headers: { ...JANE, 'if-match': '*' } };
const maxOf = async (): Promise<unknown> => (await readRules(database.db))[0]?.max;
const overrides = async (): Promise<unknown> =>
  (
    await call('subjects', {
      ...{ method: 'GET', route: '/v1/subjects/{kind}/{id}/terms' },
      parameters: { kind: 'user', id: 'u-1' },
    })
  ).body.overrides;

describe('a change of a rule that needs a second person', () => {
  it('waits, is shown with what it would change, and takes effect once when another approves', async () => {
    const answer = await putRule(RAISED);
    const id = idOf(answer);
    expect(answer.headers.location).toBe(`/v1/proposals/${id}`);
    expect(await maxOf()).toEqual({ amount: 5_000 });
    expect((await look(id)).body).toMatchObject({
      ...{ id, state: 'open', about: 'rules', operation: 'put', rule: 'day', subject: null },
      ...{ by: { person: 'jane' }, at: '2026-03-02T04:00:00.000Z', reason: 'they ask' },
      until: '2026-03-09T04:00:00.000Z',
      decided: null,
      asked: { ifMatch: '"1"', rule: RAISED },
      changes: [{ id: 'day', change: 'changed', counter: 'kept', before: DAY }],
      refused: null,
    });
    expect(await decide(id, 'approve')).toMatchObject({
      status: 200,
      body: { id, state: 'approved', decided: { by: { person: 'joe' }, reason: 'seen' } },
    });
    expect(await maxOf()).toEqual({ amount: 9_000 });
    const rule = await call('rules', theRule('GET'));
    expect(rule.body).toMatchObject({
      ...{ version: 2, by: { person: 'jane' }, approvedBy: { person: 'joe' }, reason: 'they ask' },
    });
    // Once: a repeat of the same person says the same, and changes nothing.
    await putRule(DAY, {}, 2);
    expect(await decide(id, 'approve')).toMatchObject({ status: 200, body: { state: 'approved' } });
    expect(await maxOf()).toEqual({ amount: 5_000 });
    expect(await decide(id, 'approve', { 'x-actor': 'jim' })).toMatchObject({
      status: 409,
      body: { code: 'PROPOSAL_CLOSED' },
    });
  });

  it('is one proposal, however many send it at once; decided, it is another', async () => {
    const at = Array.from({ length: 20 }, () => putRule(RAISED));
    const ids = new Set((await Promise.all(at)).map(idOf));
    expect(ids.size).toBe(1);
    expect((await list()).body.proposals).toHaveLength(1);
    const terms = Array.from({ length: 20 }, () => putOverride(9_000));
    expect(new Set((await Promise.all(terms)).map(idOf)).size).toBe(1);
    await decide([...ids][0] ?? '', 'reject');
    const again = await Promise.all([putRule(RAISED), putRule(RAISED)]);
    const [next, ...others] = new Set(again.map(idOf));
    expect(others).toEqual([]);
    expect(ids.has(next ?? '')).toBe(false);
  });

  it('is the same proposal when it is sent again, and another where it is another change', async () => {
    const id = idOf(await putRule(RAISED));
    expect(idOf(await putRule(RAISED))).toBe(id);
    expect(idOf(await putRule({ ...DAY, max: { amount: 9_001 } }))).not.toBe(id);
    expect(idOf(await putRule(RAISED, { 'x-actor': 'jim' }))).not.toBe(id);
  });

  it('is another proposal with another reason: the second person reads what its author says', async () => {
    const id = idOf(await putOverride(9_000));
    const again = idOf(await putOverride(9_000, HOUR_LATER, { reason: 'buys a house' }));
    expect(again).not.toBe(id);
    expect((await list()).body.proposals).toMatchObject([
      { id: again, reason: 'buys a house' },
      { id, reason: 'buys a car' },
    ]);
    const then = { ...JOE, ...HOUR_LATER };
    expect(await decide(again, 'approve', then)).toMatchObject({ status: 200 });
    expect(await overrides()).toMatchObject([{ reason: 'buys a house' }]);
    expect((await look(id)).body.refused).toMatchObject({ code: 'TERMS_REFUSED' });
  });

  it('is listed with the maximum that it asks for, and its currency', async () => {
    const tiers = { ...DAY, max: { amount: { by: 'tier', gold: 9_000, else: 5_000 } } };
    idOf(await putOverride(9_000));
    idOf(await putRule(tiers, HOUR_LATER));
    expect((await list()).body.proposals).toMatchObject([
      { about: 'rules', max: tiers.max, currency: 'CNY' },
      { about: 'terms', max: { amount: 9_000 }, currency: 'CNY' },
    ]);
  });

  it.each([
    { who: 'who made it', headers: JANE },
    { who: 'who made it, in other letters', headers: { 'x-actor': 'Jane' } },
    { who: 'somebody unnamed of the same application', headers: {} },
  ])('is not decided by $who', async ({ headers }) => {
    const id = idOf(await putRule(RAISED));
    for (const way of ['approve', 'reject'] as const)
      expect(await decide(id, way, headers)).toMatchObject({
        status: 403,
        body: {
          code: 'WRONG_PERSON',
          detail: expect.stringMatching(/^you cannot decide a proposal that you made/) as string,
        },
      });
    expect((await look(id)).body.state).toBe('open');
    expect(await maxOf()).toEqual({ amount: 5_000 });
  });

  it('is rejected by another, or taken back by who made it, and then approved by nobody', async () => {
    const rejected = idOf(await putRule(RAISED));
    expect((await decide(rejected, 'reject')).body).toMatchObject({ state: 'rejected' });
    const withdrawn = idOf(await putRule(RAISED));
    expect(withdrawn).not.toBe(rejected);
    expect(await withdraw(withdrawn, JOE)).toMatchObject({ status: 403 });
    expect((await withdraw(withdrawn)).body).toMatchObject({
      state: 'withdrawn',
      decided: { reason: 'a mistake' },
    });
    for (const id of [rejected, withdrawn])
      expect((await decide(id, 'approve', { 'x-actor': 'jim' })).body.code).toBe('PROPOSAL_CLOSED');
    expect(await maxOf()).toEqual({ amount: 5_000 });
  });

  it('is not what it was once the rule is another: it is refused, and stays open', async () => {
    const id = idOf(await putRule(RAISED));
    await putRule({ ...DAY, max: { amount: 4_000 } });
    expect(await decide(id, 'approve')).toMatchObject({
      status: 412,
      body: { code: 'RULE_CHANGED' },
    });
    expect((await look(id)).body).toMatchObject({
      ...{ state: 'open', changes: null, refused: { code: 'RULE_CHANGED' } },
    });
    expect(await maxOf()).toEqual({ amount: 4_000 });
  });

  it.each([
    { header: '*', why: 'whatever it is now' },
    { header: '"1", "2", "3"', why: 'one of several versions' },
  ])(
    'is for the rule as it is when it is proposed with If-Match $header: $why',
    async ({ header }) => {
      const id = idOf(await putRule(RAISED, { 'if-match': header }));
      expect((await look(id)).body.asked).toMatchObject({ ifMatch: '"1"' });
      expect(idOf(await putRule(RAISED, { 'if-match': header }))).toBe(id);
      // An approval does not undo a freeze that stopped a thief meanwhile.
      expect(await putRule({ ...DAY, max: { amount: 100 } })).toMatchObject({ status: 200 });
      expect(await decide(id, 'approve')).toMatchObject({
        status: 412,
        body: { code: 'RULE_CHANGED' },
      });
      expect(await maxOf()).toEqual({ amount: 100 });
    },
  );

  it('of the whole set, for any, is for the set as it is when it is proposed', async () => {
    const other = { ...DAY, id: 'other', max: { amount: 700 } };
    const replace = (rules: readonly object[]) =>
      call('rules', {
        ...{ method: 'PUT', route: '/v1/rules', body: { rules, reason: 'they ask' } },
        headers: { ...JANE, 'if-match': '*' },
      });
    const id = idOf(await replace([RAISED]));
    expect(await replace([DAY, other])).toMatchObject({ status: 200 });
    expect(await decide(id, 'approve')).toMatchObject({ status: 412 });
    expect(await readRules(database.db)).toEqual([DAY, other]);
  });

  it('lapses after a week', async () => {
    const id = idOf(await putRule(RAISED));
    const after = { 'x-headroom-now': '2026-03-09T04:00:00Z' };
    expect(await decide(id, 'approve', { ...JOE, ...after })).toMatchObject({
      status: 409,
      body: { code: 'PROPOSAL_CLOSED', detail: expect.stringContaining('expired') as string },
    });
    const before = { 'x-headroom-now': '2026-03-09T03:59:59.999Z' };
    expect(await decide(id, 'approve', { ...JOE, ...before })).toMatchObject({ status: 200 });
  });

  it.each([
    { what: 'a change of a rule', propose: () => putRule(RAISED) },
    { what: 'a rule that goes', propose: () => call('rules', theRule('DELETE', ANY)) },
    { what: 'an override', propose: () => putOverride(8_000) },
  ])('takes effect once, however many approve at once: $what', async ({ propose }) => {
    const id = idOf(await propose());
    expect(await decided(id, everyone)).toEqual(ONCE);
    expect((await approvedChanges()).toSorted()).toEqual([0, 1]);
  });

  it('is approved or rejected, where both are asked for at once, and everybody is told which', async () => {
    const id = idOf(await putRule(RAISED));
    const both = everyone.map((way, n) => (n % 2 === 0 ? way : 'reject'));
    expect(await decided(id, both)).toEqual(ONCE);
    const isApproved = (await look(id)).body.state === 'approved';
    expect(await approvedChanges()).toEqual([isApproved ? 1 : 0, 0]);
  });

  it('is said to be done where it was done in the meantime', async () => {
    const id = idOf(await putRule(RAISED));
    await on('none');
    // handlersOn stored the rule again: as it was.
    const version = Number((await call('rules', theRule('GET'))).body.version);
    expect(await putRule(RAISED, {}, version)).toMatchObject({ status: 200 });
    expect(await decide(id, 'approve')).toMatchObject({ status: 200, body: { state: 'approved' } });
    expect(await database.db.collection('rule_versions').countDocuments({ rule: 'day' })).toBe(2);
  });

  it('is asked for by a dry run no more than by nobody', async () => {
    const dry = { body: { rule: RAISED, dryRun: true }, headers: { 'if-match': '"1"' } };
    const answer = await call('rules', theRule('PUT', dry));
    expect(answer).toMatchObject({ status: 200, body: { dryRun: true, changed: false } });
    expect((await list()).body.proposals).toEqual([]);
  });

  it('that is wrong is refused at once', async () => {
    expect(await putRule({ ...RAISED, window: 'never' })).toMatchObject({ status: 400 });
    expect(await putRule(RAISED, {}, 7)).toMatchObject({ status: 412 });
    expect((await list()).body.proposals).toEqual([]);
  });
});

describe('an approval that is repeated before its first answer', () => {
  // prettier-ignore
  it.each<{ what: string; propose: () => Promise<RoutedAnswer> }>([
    { what: 'of a rule',            propose: () => putRule(RAISED) },
    { what: 'of a rule that goes',  propose: () => call('rules', theRule('DELETE', ANY)) },
    { what: 'of an override',       propose: () => putOverride(8_000) },
    { what: 'of an override’s end', propose: async () => { await putOverride(1); return ofTerms('DELETE', 'overrides/{rule}'); } },
    { what: 'of a freeze’s end',    propose: async () => { await ofTerms('PUT', 'freeze'); return ofTerms('DELETE', 'freeze'); } },
  ])('is the same approval, $what', async ({ propose }) => {
    const id = idOf(await propose());
    const answers = await Promise.all(Array.from({ length: 5 }, () => decide(id, 'approve')));
    expect(answers.map(({ status, body }) => [status, body.state])).toEqual(
      Array.from({ length: 5 }, () => [200, 'approved']),
    );
    const others = await decide(id, 'approve', { 'x-actor': 'jim' });
    expect(others).toMatchObject({ status: 409, body: { code: 'PROPOSAL_CLOSED' } });
    expect((await approvedChanges()).toSorted()).toEqual([0, 1]);
  });

  it.each(['reject', 'withdraw'])('is the same where it is to %s', async (way) => {
    const id = idOf(await putRule(RAISED));
    const again = () => (way === 'reject' ? decide(id, 'reject') : withdraw(id));
    const answers = await Promise.all([again(), again(), again(), again()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });
});

describe('a whole set, and a rule that goes', () => {
  it.each([
    {
      asked: { method: 'PUT', route: '/v1/rules', body: { rules: [RAISED] }, ...ANY } as const,
      shown: { operation: 'replace', rule: null },
      max: { amount: 9_000 },
    },
    {
      asked: theRule('DELETE', ANY),
      shown: { operation: 'delete', rule: 'day' },
      max: undefined,
    },
  ])('$shown.operation', async ({ asked, shown, max }) => {
    const id = idOf(await call('rules', asked));
    expect((await look(id)).body).toMatchObject({ ...shown, changes: [{ id: 'day' }] });
    expect(await decide(id, 'approve')).toMatchObject({ status: 200 });
    expect(await maxOf()).toEqual(max);
  });
});

describe("a change of a subject's terms that needs a second person", () => {
  it('waits, and takes effect as if it were made when another approves', async () => {
    const id = idOf(await putOverride(8_000, {}, { effectiveAfter: 'PT24H' }));
    expect(await overrides()).toEqual([]);
    expect((await look(id)).body).toMatchObject({
      ...{ about: 'terms', operation: 'override', subject: { user: 'u-1' }, rule: 'day' },
      asked: { max: { amount: 8_000 }, effectiveAfter: 'PT24H' },
      ...{ terms: { overrides: [] }, changes: null, refused: null },
      effect: {
        currency: 'CNY',
        steps: [
          { from: '2026-03-02T04:00:00.000Z', after: { max: { amount: 5_000 } } },
          { from: '2026-03-03T04:00:00.000Z', after: { max: { amount: 8_000 } }, until: null },
        ],
      },
    });
    const later = { ...JOE, 'x-headroom-now': '2026-03-03T04:00:00Z' };
    expect(await decide(id, 'approve', later)).toMatchObject({ status: 200 });
    expect(await overrides()).toMatchObject([
      {
        ...{ max: { amount: 8_000 }, from: '2026-03-04T04:00:00.000Z', reason: 'buys a car' },
        ...{ by: { person: 'jane' }, approvedBy: { person: 'joe' } },
      },
    ]);
    const changes = await call('subjects', {
      ...{ method: 'GET', route: '/v1/subjects/{kind}/{id}/changes' },
      parameters: { kind: 'user', id: 'u-1' },
    });
    expect(changes.body.changes).toMatchObject([{ approvedBy: { person: 'joe' } }]);
  });

  it('is approved without an end: only an order passes for a time', async () => {
    const id = idOf(await putOverride(8_000));
    const expected = 'nothing: only the approval of an order ends, a change stays';
    expect((await decide(id, 'approve', JOE, { for: 'P1D' })).body).toMatchObject({
      errors: [{ path: 'for', value: '"P1D"', expected }],
    });
    expect((await look(id)).body.state).toBe('open');
  });

  it('is at once where less may pass, or everything stops', async () => {
    expect(await putOverride(4_000)).toMatchObject({ status: 200 });
    for (const setting of ['raises', 'all']) {
      await on(setting);
      expect(await ofTerms('PUT', 'freeze')).toMatchObject({ status: 200 });
      idOf(await ofTerms('DELETE', 'freeze'));
    }
  });

  it('is judged for the whole time that it lasts, and where the rule is on trial', async () => {
    expect(await putOverride(100)).toMatchObject({ status: 200 });
    // It lies above the other, which is in force again when it ends.
    const until = '2026-03-02T04:00:01.000Z';
    expect(await putOverride(90, {}, { until })).toMatchObject({ status: 200 });
    idOf(await putOverride(101, {}, { until }));
    idOf(await putOverride(95, {}, { from: '2026-03-02T04:00:00.500Z', until }));
    idOf(await putOverride(101, {}, { effectiveAfter: 'PT24H' }));
    expect(await overrides()).toMatchObject([
      { max: { amount: 100 }, until: null },
      { max: { amount: 90 }, until },
    ]);
    handlers = await handlersOn(database, [{ ...DAY, mode: 'shadow' }], {
      ...{ FOUR_EYES: 'raises', LOCAL_CLOCK: 'on', RULES_CACHE_SECONDS: '0' },
    });
    idOf(await putOverride(1));
  });

  it('is refused by what refuses any, when it is approved', async () => {
    const id = idOf(
      await putOverride(8_000, {}, { until: '2026-03-03T00:00:00Z', effectiveAfter: 'PT1H' }),
    );
    const later = { ...JOE, 'x-headroom-now': '2026-03-03T04:00:00Z' };
    expect(await decide(id, 'approve', later)).toMatchObject({
      status: 422,
      body: { code: 'TERMS_REFUSED' },
    });
    expect((await look(id)).body.state).toBe('open');
  });

  const nothing = () => Promise.resolve();
  const lowered = () => putOverride(100);
  const end = (headers?: RoutedCall['headers']) => ofTerms('DELETE', 'overrides/{rule}', headers);
  const thaw = (headers?: RoutedCall['headers']) => ofTerms('DELETE', 'freeze', headers);
  const raise = (headers?: RoutedCall['headers']) => putOverride(8_000, headers);

  /** An approval is refused, and changes nothing; what is proposed now is another proposal, and is made. */
  async function expectOutdated(
    id: string,
    again: () => Promise<RoutedAnswer>,
    when: RoutedCall['headers'],
    problem: { readonly status: number; readonly code: string; readonly detail: string },
  ): Promise<void> {
    const { status, ...body } = problem;
    const changes = () => database.db.collection('terms_changes').countDocuments({});
    const before = [await changes(), await overrides()];
    expect(await decide(id, 'approve', { ...JOE, ...when })).toMatchObject({ status, body });
    expect([await changes(), await overrides()]).toEqual(before);
    expect((await look(id)).body.state).toBe('open');
    const anew = idOf(await again());
    expect(anew).not.toBe(id);
    expect(await decide(anew, 'approve', { ...JOE, ...when })).toMatchObject({ status: 200 });
  }

  it.each([
    { what: 'a raise', first: nothing, raised: raise, stop: () => putOverride(1, HOUR_LATER) },
    { what: 'an end', first: lowered, raised: end, stop: () => putOverride(1, HOUR_LATER) },
    {
      what: 'the end of a freeze',
      first: () => ofTerms('PUT', 'freeze'),
      raised: thaw,
      stop: () => ofTerms('PUT', 'freeze', HOUR_LATER),
    },
  ])('undoes nothing that was done since: $what', async ({ first, stop, raised }) => {
    await first();
    const id = idOf(await raised());
    expect(await stop()).toMatchObject({ status: 200 });
    expect((await look(id)).body.refused).toMatchObject({ code: 'TERMS_REFUSED' });
    await expectOutdated(id, () => raised(HOUR_LATER), HOUR_LATER, {
      ...{ status: 422, code: 'TERMS_REFUSED' },
      detail: expect.stringContaining('at 2026-03-02T05:00:00.000Z') as string,
    });
  });

  it.each([
    {
      why: 'a maximum that was lowered for all may have been lowered for this subject',
      first: nothing,
      raised: raise,
    },
    { why: 'its end may let more pass by now', first: lowered, raised: end },
  ])('is for the rule as it was when it was proposed: $why', async ({ first, raised }) => {
    await first();
    const id = idOf(await raised());
    expect(await putRule({ ...DAY, max: { amount: 2_000 } })).toMatchObject({ status: 200 });
    expect((await look(id)).body.refused).toMatchObject({ code: 'RULE_CHANGED' });
    await expectOutdated(
      id,
      raised,
      {},
      {
        ...{ status: 412, code: 'RULE_CHANGED' },
        detail:
          'rule "day" is at version 2, and the change is for version 1; nothing was changed: read it again first',
      },
    );
  });

  it('does not bring back a higher maximum that was taken away since', async () => {
    const first = idOf(await putOverride(8_000));
    expect(await decide(first, 'approve')).toMatchObject({ status: 200 });
    const id = idOf(await putOverride(9_000));
    expect(await end(HOUR_LATER)).toMatchObject({ status: 200 });
    const later = { 'x-headroom-now': '2026-03-02T06:00:00Z' };
    await expectOutdated(id, () => putOverride(9_000, later), later, {
      ...{ status: 422, code: 'TERMS_REFUSED' },
      detail:
        'the terms of user:u-1 from 2026-03-02T04:00:00.000Z were ended or replaced after this change was proposed; nothing was changed: propose it again if you still want it',
    });
  });

  it('is not made as long as a lower maximum is in force that was given since', async () => {
    const first = idOf(await putOverride(8_000));
    await decide(first, 'approve');
    const id = idOf(await putOverride(9_000));
    const until = '2026-03-02T05:30:00Z';
    expect(await putOverride(1, HOUR_LATER, { until })).toMatchObject({ status: 200 });
    expect(await decide(id, 'approve', { ...JOE, ...HOUR_LATER })).toMatchObject({ status: 422 });
    // What lay below the lower one is in force again, so that nothing is brought back.
    const later = { ...JOE, 'x-headroom-now': until };
    expect(await decide(id, 'approve', later)).toMatchObject({ status: 200 });
    expect(await overrides()).toMatchObject([{ max: { amount: 9_000 }, until: null }]);
  });

  it('takes the place of what was there, however long ago', async () => {
    await putOverride(100, {}, { until: '2026-03-02T04:30:00Z' });
    const id = idOf(await putOverride(8_000));
    expect(await decide(id, 'approve', { ...JOE, ...HOUR_LATER })).toMatchObject({ status: 200 });
  });

  it('is measured by the rule as it is stored, however old the rules of checks may be', async () => {
    await on('raises', { RULES_CACHE_SECONDS: '300' });
    expect(await putRule({ ...DAY, max: { amount: 100 } })).toMatchObject({ status: 200 });
    idOf(await putOverride(3_000));
  });

  it('needs none up to the amount that a setting names', async () => {
    await on('raises', { FOUR_EYES_ABOVE: 'CNY:8000' });
    expect(await putOverride(8_000)).toMatchObject({ status: 200 });
    idOf(await putOverride(8_001));
  });
});

describe('proposals', () => {
  it('are repeats of the newest, however many there are of one subject', async () => {
    const at = (second: number) => ({
      'x-headroom-now': new Date(Date.parse(NOW) + second * 1_000).toISOString(),
    });
    for (let n = 1; n <= 21; n++) idOf(await putOverride(8_000 + n, at(n)));
    idOf(await putOverride(8_021, at(22)));
    expect(await database.db.collection('proposals').countDocuments({})).toBe(21);
  });

  it('are listed newest first, by how they stand, a page at a time', async () => {
    const at = (minute: number) => ({ 'x-headroom-now': `2026-03-02T04:0${minute}:00Z` });
    const ids: string[] = [];
    for (const minute of [1, 2, 3])
      ids.unshift(idOf(await putOverride(8_000 + minute, at(minute))));
    const shown = async (query: string, headers: object = {}) => {
      const { body } = await call('proposals', {
        ...{ method: 'GET', route: '/v1/proposals', query, headers: { ...at(9), ...headers } },
      });
      const proposals = body.proposals as readonly { readonly id: string }[];
      return { ids: proposals.map(({ id }) => id), next: body.next };
    };
    await decide(ids[1] ?? '', 'reject', { ...JOE, ...at(5) });
    expect((await shown('')).ids).toEqual(ids);
    expect((await shown('state=open')).ids).toEqual([ids[0], ids[2]]);
    expect((await shown('state=rejected')).ids).toEqual([ids[1]]);
    const after = { 'x-headroom-now': '2026-04-01T00:00:00Z' };
    expect((await shown('state=open', after)).ids).toEqual([]);
    expect((await shown('state=expired', after)).ids).toEqual([ids[0], ids[2]]);
    const first = await shown('limit=2');
    expect(first).toEqual({ ids: ids.slice(0, 2), next: ids[1] });
    expect(await shown(`limit=2&before=${String(first.next)}`)).toEqual({
      ids: ids.slice(2),
      next: null,
    });
  });

  it('are listed without the rules that they ask for, which may be large', async () => {
    const id = idOf(await putRule(RAISED));
    const set = { method: 'PUT', route: '/v1/rules', body: { rules: [RAISED] } } as const;
    idOf(await call('rules', { ...set, headers: { ...JANE, 'if-match': '"1"' } }));
    const listed = await mongoProposalStore(database.db).list({ limit: 9 }, new Date(NOW));
    const edits = listed.map(({ change }) => 'edit' in change && change.edit);
    const condition = { kind: 'versions', versions: [1] };
    const { id: rule, max, currency } = RAISED;
    expect(edits).toContainEqual({ kind: 'put', rule: { id: rule, max, currency }, condition });
    expect(edits).toContainEqual({ kind: 'replace', condition });
    expect((await look(id)).body).toMatchObject({ asked: { rule: RAISED } });
  });

  it('of one instant are each on one page', async () => {
    const made = [8_001, 8_002, 8_003, 8_004].map((amount) => putOverride(amount));
    const ids = (await Promise.all(made)).map(idOf).sort();
    const seen: string[] = [];
    for (
      let query = 'limit=1', next: unknown = '';
      next !== null;
      query = `limit=1&before=${String(next)}`
    ) {
      const { body } = await list(query);
      seen.push(...(body.proposals as readonly { readonly id: string }[]).map(({ id }) => id));
      next = body.next;
    }
    expect(seen.sort()).toEqual(ids);
  });

  const of0 = (
    method: 'GET' | 'POST',
    way: string,
    more: Partial<RoutedCall> = {},
  ): RoutedCall => ({
    ...{ method, route: `/v1/proposals/{id}${way}`, parameters: { id: 'p-0' } },
    ...more,
  });
  const asking = (query: string) => ({ method: 'GET', route: '/v1/proposals', query }) as const;

  // prettier-ignore
  it.each<{ asked: RoutedCall; status: number; said: string }>([
    { asked: asking('before=p-0'),                                                       status: 404, said: 'there is no proposal "p-0"' },
    { asked: asking('before=12345'),                                                     status: 404, said: 'there is no proposal "12345"' },
    { asked: asking('state=late'),                                                       status: 400, said: 'one of open, approved, rejected, withdrawn, expired' },
    { asked: of0('GET', ''),                                                             status: 404, said: 'there is no proposal "p-0"' },
    { asked: of0('POST', '/approve', { body: {} }),                                      status: 400, said: 'reason is missing' },
    { asked: of0('POST', '/reject', { body: { reason: 'no' }, headers: JOE }),           status: 404, said: 'there is no proposal "p-0"' },
    { asked: of0('POST', '/approve', { body: { reason: 'yes', id: 'p-1' } }),            status: 400, said: 'expected of a body only reason' },
  ])('answer $asked.method $asked.route $asked.query with $status', async (row) => {
    const { status, body } = await call('proposals', row.asked);
    expect({ status, detail: String(body.detail) }).toEqual({
      status: row.status,
      detail: expect.stringContaining(row.said) as string,
    });
  });

  it('are decided by direct invocation, too', async () => {
    const put = { operation: 'put', id: 'day', ifMatch: '"1"', rule: RAISED, actor: 'jane' };
    const { proposal } = (await callDirectly(handlers.rules, put)).body as {
      readonly proposal: { readonly id: string };
    };
    const approve = { operation: 'approve', id: proposal.id, reason: 'seen', actor: 'joe' };
    expect((await callDirectly(handlers.proposals, approve)).body).toMatchObject({
      ...{ state: 'approved', decided: { by: { kind: 'invocation', person: 'joe' } } },
    });
    expect(await maxOf()).toEqual({ amount: 9_000 });
  });
});

/** A way to make calls for applications, where every change needs a second person. */
const signedCalls = () => {
  const set = { FOUR_EYES: 'all', RULES_CACHE_SECONDS: '0' };
  handlers = handlersOf(signedServiceOn(database, set).service);
  return (of: keyof Handlers, signer: Signer, asked: RoutedCall) =>
    answerTo(handlers[of], signedEvent(signer, routedEvent(asked)));
};

describe('who calls', () => {
  const asked: RoutedCall = { method: 'GET', route: '/v1/caller' };

  it('is told to everybody, with what they may, by the name that is kept with a change', async () => {
    const signed = signedCalls();
    const desk = await addApplication(database, 'desk', [], ['subjects:write', 'rules:read']);
    const by = { kind: 'application', id: 'desk', person: 'jane' };
    expect(await signed('proposals', desk, { ...asked, headers: JANE })).toMatchObject({
      status: 200,
      body: { by, rights: ['rules:read', 'subjects:write'], fourEyes: 'all' },
    });
    const nobody = await addApplication(database, 'nobody', [], []);
    expect((await signed('proposals', nobody, asked)).body).toMatchObject({ rights: [] });
    expect(await answerTo(handlers.proposals, routedEvent(asked))).toMatchObject({ status: 401 });
  });

  it('may do everything where calls are not signed: a gateway decides by the route', async () => {
    const { status, body } = await call('proposals', { ...asked, headers: JOE });
    expect(status).toBe(200);
    expect(body).toEqual({
      by: { kind: 'local', id: 'local', person: 'joe' },
      rights: [
        ...['rules:read', 'rules:write', 'subjects:write', 'approve', 'usage:read', 'health:read'],
      ],
      fourEyes: 'raises',
      currencies: {},
    });
  });

  it('is told the digits of currencies that ISO 4217 does not have', async () => {
    const coin = { ...DAY, id: 'coin', currency: 'USDT', digits: 6 };
    handlers = await handlersOn(database, [DAY, coin], { RULES_CACHE_SECONDS: '0' });
    const { body } = await call('proposals', asked);
    expect(body.currencies).toEqual({ USDT: { digits: 6 } });
  });

  it('is asked by a person who can be kept', async () => {
    const { status } = await call('proposals', { ...asked, headers: { 'x-actor': 'é' } });
    expect(status).toBe(400);
  });
});

describe('names of people', () => {
  const headers = (person: string) => ({ 'x-actor': encodeURIComponent(person) });
  const put = (person: string) =>
    theRule('PUT', {
      body: { rule: RAISED },
      headers: { 'if-match': '"1"', ...headers(person) },
    });

  it.each(['Jane\u00a0Doe', 'jane\u3000doe', 'janedoe', 'ja\u034fne d\u2800oe'])(
    'that are spelled otherwise, as %j, are one person, who cannot approve',
    async (person) => {
      handlers = await handlersOn(database, [DAY], { FOUR_EYES: 'all', RULES_CACHE_SECONDS: '0' });
      const { body } = await call('rules', put('Jane Doe'));
      const { id } = body.proposal as { readonly id: string };
      for (const way of ['approve', 'reject'])
        expect(
          await call('proposals', {
            ...{ method: 'POST', route: `/v1/proposals/{id}/${way}`, parameters: { id } },
            ...{ body: { reason: 'seen' }, headers: headers(person) },
          }),
        ).toMatchObject({ status: 403, body: { code: 'WRONG_PERSON' } });
      expect(await maxOf()).toEqual(DAY.max);
    },
  );

  it('that look the same are shown to who decides, and afterwards', async () => {
    handlers = await handlersOn(database, [DAY], { FOUR_EYES: 'all', RULES_CACHE_SECONDS: '0' });
    const { body } = await call('rules', put('jane'));
    const { id } = body.proposal as { readonly id: string };
    const seenBy = async (person: string) => {
      const asked = { method: 'GET', route: '/v1/proposals/{id}', parameters: { id } } as const;
      return (await call('proposals', { ...asked, headers: headers(person) })).body.lookAlikes;
    };
    const found = [{ person: 'j\u0430ne', letter: '\u0430', looksLike: 'a' }];
    expect(await seenBy('joe')).toEqual([]);
    expect(await seenBy('jane')).toEqual([]);
    expect(await seenBy('j\u0430ne')).toEqual(found);
    await call('proposals', {
      ...{ method: 'POST', route: '/v1/proposals/{id}/approve', parameters: { id } },
      ...{ body: { reason: 'seen' }, headers: headers('j\u0430ne') },
    });
    expect(await seenBy('joe')).toEqual(found);
  });
});

describe('rights', () => {
  const proposed = ({ status, body }: RoutedAnswer) => {
    expect(status).toBe(202);
    return body.proposal as { readonly id: string };
  };

  it('approve lets an application decide, and none other', async () => {
    const signed = signedCalls();
    const desk = await addApplication(database, 'desk', [], ['rules:write', 'rules:read']);
    const chief = await addApplication(database, 'chief', [], ['approve', 'rules:read']);
    const blind = await addApplication(database, 'blind', [], ['approve']);
    const put = theRule('PUT', { body: { rule: RAISED }, headers: { 'if-match': '"1"' } });
    const { id } = proposed(await signed('rules', desk, put));
    const approve: RoutedCall = {
      ...{ method: 'POST', route: '/v1/proposals/{id}/approve', parameters: { id } },
      body: { reason: 'seen' },
    };
    const unsigned = await answerTo(handlers.proposals, routedEvent(approve));
    expect(unsigned).toMatchObject({ status: 401, body: { code: 'BAD_SIGNATURE' } });
    const denied = await signed('proposals', desk, approve);
    expect(denied).toMatchObject({ status: 403, body: { code: 'RIGHT_MISSING' } });
    for (const way of ['approve', 'reject'])
      expect(
        await signed('proposals', blind, { ...approve, route: `/v1/proposals/{id}/${way}` }),
      ).toMatchObject({
        status: 403,
        body: { detail: expect.stringContaining('rules:read') as string },
      });
    expect((await signed('proposals', chief, approve)).body).toMatchObject({ state: 'approved' });
    expect(await maxOf()).toEqual({ amount: 9_000 });
  });

  it('to see what a subject has are those of usage, in a proposal, too', async () => {
    const signed = signedCalls();
    const desk = await addApplication(database, 'desk', [], ['subjects:write', 'rules:read']);
    const chief = await addApplication(database, 'chief', [], ['rules:read', 'usage:read']);
    const rules = await addApplication(database, 'rules', [], ['rules:read', 'approve']);
    const put: RoutedCall = {
      ...{ method: 'PUT', route: '/v1/subjects/{kind}/{id}/overrides/{rule}' },
      parameters: { kind: 'user', id: 'u-1', rule: 'day' },
      body: { max: { amount: 9_000 }, reason: 'buys a car' },
    };
    const { id } = proposed(await signed('subjects', desk, put));
    const find: RoutedCall = { method: 'GET', route: '/v1/proposals/{id}', parameters: { id } };
    const denied = await signed('proposals', desk, find);
    expect(denied).toMatchObject({ status: 403, body: { code: 'RIGHT_MISSING' } });
    const { body } = await signed('proposals', chief, find);
    expect(body).toMatchObject({ terms: { overrides: [] } });
    // Nor is anything of it listed, or decided blindly.
    const all: RoutedCall = { method: 'GET', route: '/v1/proposals' };
    expect((await signed('proposals', rules, all)).body).toMatchObject({ proposals: [] });
    expect((await signed('proposals', chief, all)).body).toMatchObject({ proposals: [{ id }] });
    const decision = { ...find, method: 'POST', body: { reason: 'seen' } } as const;
    for (const way of ['approve', 'reject'])
      expect(
        await signed('proposals', rules, { ...decision, route: `/v1/proposals/{id}/${way}` }),
      ).toMatchObject({
        status: 403,
        body: { detail: expect.stringContaining('usage:read') as string },
      });
  });
});
