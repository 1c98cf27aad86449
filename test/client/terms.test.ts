import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { HeadroomClient } from '../../packages/client/src/index.ts';
import { readStoredRule } from '../../lib/rule-file/rule-list.ts';
import { changedJson, changesJson, termsJson } from '../../lib/terms/terms-answer.ts';
import { handlersOn } from '../support/service-on-database.ts';
import { useDatabase } from '../support/database.ts';
import { USER_DAY } from '../support/stored-rules.ts';
import {
  ACTOR_KINDS,
  clientAt,
  codeOf,
  directClient,
  made,
  RULES,
  useHttpService,
  useLambdaService,
} from './fixture.ts';
import { SeenAnswers } from './seen-answers.ts';

const database = useDatabase();
const service = useHttpService(database, () => handlersOn(database, RULES, { LOCAL_CLOCK: 'on' }));
const functions = useLambdaService(database);
let now: string;
let client: HeadroomClient;

const seen = new SeenAnswers();

beforeAll(() => {
  client = clientAt(service, () => now);
});
beforeEach(() => {
  now = '2026-03-02T10:00:00.000Z';
});

const jane = 'jane@example.com';
const check = (id: string, amount: number) =>
  client.check({
    ...{ orderId: `${id}-${amount}-${now}`, subjects: { user: id } },
    ...{ amount, currency: 'CNY' },
  });

describe("a subject's terms, over HTTP", () => {
  it('are none where nobody gave any', async () => {
    expect(await seen.noted('terms', client.terms({ kind: 'user', id: 'none' }))).toEqual({
      subject: { user: 'none' },
      freeze: null,
      overrides: [],
      version: 'none',
      now,
      unseen: true,
    });
    const one = { kind: 'user', id: 'none', rule: 'user-life' };
    expect(await codeOf(client.findOverride(one))).toBe('NO_SUCH_TERMS');
  });

  it('are changed by one of two who read the same, also where its answer is lost', async () => {
    const user = { kind: 'user', id: 'two' };
    const ofRule = { ...user, rule: 'user-life', ifMatch: 'none' };
    service.faults.push('answer-lost');
    const raise = { ...ofRule, max: { amount: 900 }, reason: 'a car', actor: jane };
    const { version } = await made(seen.noted('terms', client.override(raise)));
    const other = client.override({ ...ofRule, max: { amount: 1 }, reason: 'fraud' });
    expect(await codeOf(other)).toBe('TERMS_CHANGED');
    service.faults.push('answer-lost');
    now = '2026-03-02T10:00:00.500Z'; // changes of the same millisecond have no order
    const until = '2026-03-03T00:00:00.000Z';
    const freeze = { ...user, reason: 'fraud', until, ifMatch: version };
    const frozen = await made(seen.noted('terms', client.freeze(freeze)));
    expect(frozen).toMatchObject({
      freeze: { reason: 'fraud' },
      overrides: [{ rule: 'user-life' }],
    });
    const { changes } = await client.termsChanges(user);
    expect(changes.map(({ change }) => change)).toEqual(['freeze', 'override']);
  });

  it('are overridden, found, ended, and every change is told page by page', async () => {
    const user = { kind: 'user', id: 'u 1/ü?' }; // whose id needs care
    const ofRule = { ...user, rule: 'user-life' };
    expect(await check(user.id, 501)).toMatchObject({ decision: 'refused' });
    const given = { ...ofRule, max: { amount: 900 }, reason: 'a good one', actor: jane };
    const answer = await made(seen.noted('terms', client.override({ ...given, until: undefined })));
    expect(answer).toMatchObject({
      subject: { user: 'u 1/ü?' },
      overrides: [{ rule: 'user-life', max: { amount: 900 }, inForce: true, until: null }],
    });
    expect(answer.overrides[0]?.by.person).toBe(jane);
    expect(await check(user.id, 501)).toMatchObject({ decision: 'allowed' });
    now = '2026-03-02T10:00:01.000Z';
    const later = { ...ofRule, max: { amount: null, count: 3 }, reason: 'more' };
    await seen.noted('terms', client.override({ ...later, effectiveAfter: 'PT24H' }));
    const { overrides } = await seen.noted('findOverride', client.findOverride(ofRule));
    expect(overrides).toMatchObject([
      { max: { amount: 900 }, until: '2026-03-03T10:00:01.000Z' },
      { max: { amount: null, count: 3 }, inForce: false },
    ]);
    now = '2026-03-02T10:00:02.000Z';
    expect(await codeOf(client.endOverride({ ...ofRule, reason: 'x' }))).toBe('TERMS_REFUSED');
    const tried = { ...ofRule, overrideId: overrides[0]?.id, reason: 'x', dryRun: true };
    expect(await seen.noted('terms', client.endOverride(tried))).toMatchObject({
      ...{ dryRun: true, needsSecondPerson: false, overrides: [{}, {}] },
      effect: {
        steps: [{ before: { max: { amount: 900 } }, after: { max: { amount: 500 } } }, {}],
      },
    });
    const end = { ...ofRule, overrideId: 'all', reason: 'it is over & done' };
    expect(await seen.noted('terms', client.endOverride(end))).toMatchObject({ overrides: [] });
    expect(await codeOf(client.endOverride(end))).toBe('NO_SUCH_TERMS');
    expect(await codeOf(client.endOverride({ ...end, overrideId: 'o' }))).toBe('NO_SUCH_TERMS');
    const page = await seen.noted('termsChanges', client.termsChanges({ ...user, limit: 2 }));
    expect(page.changes.map(({ change, reason }) => [change, reason])).toEqual([
      ['endOverride', 'it is over & done'],
      ['override', 'more'],
    ]);
    const rest = client.termsChanges({ ...user, before: page.next ?? '' });
    expect(await seen.noted('termsChanges', rest)).toMatchObject({
      changes: [{ change: 'override', by: { person: jane }, before: null }],
      next: null,
    });
  });

  it('say whether a subject is frozen', async () => {
    const user = { kind: 'user', id: 'frozen' };
    const until = '2026-03-03T00:00:00.000Z';
    await seen.noted('terms', client.freeze({ ...user, reason: 'a lost card', until }));
    expect(await check('frozen', 1)).toMatchObject({ reason: 'frozen' });
    now = '2026-03-02T10:00:01.000Z';
    await seen.noted('terms', client.freeze({ ...user, reason: 'a lost card' }));
    expect(await seen.noted('terms', client.terms(user))).toMatchObject({
      freeze: { inForce: true },
    });
    now = '2026-03-02T10:00:02.000Z';
    await seen.noted('terms', client.unfreeze({ ...user, reason: 'found', actor: jane }));
    expect(await check('frozen', 1)).toMatchObject({ decision: 'allowed' });
    const { changes } = await seen.noted('termsChanges', client.termsChanges(user));
    expect(changes.map(({ change }) => change)).toEqual(['unfreeze', 'freeze', 'freeze']);
  });

  it('are asked for by the same bytes again where an answer got lost', async () => {
    service.faults.push('answer-lost');
    const user = { kind: 'user', id: 'lost' };
    const answer = await made(client.freeze({ ...user, reason: 'a lost card', actor: jane }));
    expect(answer.freeze).toMatchObject({ reason: 'a lost card', by: { person: jane } });
    const [first, second] = service.arrived;
    expect(first).toMatchObject({ method: 'PUT', url: '/prod/v1/subjects/user/lost/freeze' });
    expect([second?.body, second?.headers['x-actor']]).toEqual([first?.body, jane]);
  });

  it('are of no id that cannot stand in a path', async () => {
    const wrong = [
      { kind: 'user', id: '..' },
      { kind: '', id: 'u-1' },
      { kind: 'user', id: '\ud800' },
    ];
    for (const subject of wrong)
      await expect(client.terms(subject)).rejects.toThrow(/cannot stand in a path/);
    expect(service.arrived).toEqual([]);
  });
});

it('the same go by direct invocation of the function subjects', async () => {
  const direct = directClient(functions);
  const user = { kind: 'user', id: '..' };
  const frozen = await made(
    seen.noted('terms', direct.freeze({ ...user, reason: 'x', actor: jane })),
  );
  expect(frozen.freeze?.by).toEqual({ kind: 'invocation', id: 'invocation', person: jane });
  const ofRule = { ...user, rule: 'user-life' };
  await seen.noted('terms', direct.override({ ...ofRule, max: { count: null }, reason: 'x' }));
  await seen.noted('findOverride', direct.findOverride(ofRule));
  await seen.noted('termsChanges', direct.termsChanges({ ...user, limit: 1 }));
  await seen.noted('terms', direct.endOverride({ ...ofRule, reason: 'x' }));
  await seen.noted('terms', direct.unfreeze({ ...user, reason: 'x' }));
  expect(await codeOf(direct.unfreeze({ ...user, reason: 'x' }))).toBe('NO_SUCH_TERMS');
});

it('nothing is typed that is never answered', () => {
  const at = new Date('2026-03-02T10:00:00.000Z');
  const tiers = { by: 'tier', gold: 9, else: 5 };
  const rule = readStoredRule({ ...USER_DAY, max: { amount: tiers, count: tiers } });
  const ruleOf = () => rule;
  // Every kind of actor, with present and future terms.
  for (const kind of ACTOR_KINDS)
    for (const from of [at, new Date('2026-03-03T00:00:00.000Z')]) {
      const by = { kind, id: 'one', person: jane };
      const written = { at, by, reason: 'x', from, approvedBy: by };
      const overrides = [
        { ...written, id: 'o', rule: 'r', max: { amountMinor: null, count: null } },
      ];
      const found = { terms: { version: 'v', freeze: written, overrides }, now: at };
      const changed = { ...written, version: 'v', subject: { kind: 'user', id: 'u-1' } };
      const { subject, overrides: told, ...answer } = termsJson(changed.subject, found, ruleOf);
      seen.note('terms', { subject, overrides: told, ...answer });
      if (rule === undefined) throw new TypeError('the rules of this file are right');
      const steps = [{ from: at, before: rule, after: { max: { amountMinor: 1, count: 1 } } }];
      const turned = steps.map((one) => ({ ...one, before: one.after, after: one.before }));
      const effect = { kind: 'maximum', rule, steps: [...steps, ...turned] } as const;
      const outcome = { ...found, effect, needsSecond: true };
      seen.note('terms', changedJson(changed.subject, outcome, true, ruleOf));
      seen.note('findOverride', { subject, overrides: told, now: answer.now });
      const change = { ...changed, change: 'freeze', before: found.terms } as const;
      seen.note(
        'termsChanges',
        changesJson(changed.subject, 1, [{ ...change, after: found.terms }], ruleOf),
      );
    }
  for (const form of ['terms', 'termsChanges', 'findOverride'] as const)
    expect(seen.unseen(form)).toEqual([]);
});
