import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HeadroomClient } from '../../packages/client/src/index.ts';
import type { Rule } from '../../packages/client/src/index.ts';
import { rulesChangedJson } from '../../lib/rule-book/rules-answer.ts';
import { makeIndexes, useDatabase } from '../support/database.ts';
import { codeOf, directClient, made, useHttpService, useLambdaService } from './fixture.ts';
import { SeenAnswers } from './seen-answers.ts';

const database = useDatabase();
const service = useHttpService(database);
const functions = useLambdaService(database);
const clients = new Map<'http' | 'lambda', HeadroomClient>();

const RULE: Rule = {
  per: ['user'],
  currency: 'CNY',
  match: { type: 'TRANSFER' },
  window: { unit: 'day', timeZone: 'Asia/Shanghai' },
  max: { amount: 20_000 },
};
const actor = 'jane@example.com';

const seen = new SeenAnswers();

beforeAll(async () => {
  await makeIndexes(database.db);
  clients.set('http', new HeadroomClient({ url: service.url, deadlineMs: 20_000 }));
  clients.set('lambda', directClient(functions));
});
beforeEach(async () => {
  await database.db.collection('rules').deleteMany({});
  await database.db.collection('rule_versions').deleteMany({});
});

const ofRules = (way: 'http' | 'lambda') => {
  const client = clients.get(way);
  if (client === undefined) throw new Error(`there is no client over ${way}`);
  return client.rules;
};

describe.each(['http', 'lambda'] as const)('rules over %s', (way) => {
  it('are made, read, changed for their version alone, and deleted', async () => {
    const rules = ofRules(way);
    const id = 'transfer-day';
    const added = await seen.noted(
      'putRule',
      made(rules.put({ id, rule: RULE, reason: 'new', actor })),
    );
    expect(added).toMatchObject({
      changed: true,
      changes: [{ id, change: 'added', counter: 'begins' }],
    });
    const same = rules.put({ id, rule: RULE, ifMatch: added.revision });
    expect(await seen.noted('putRule', made(same))).toMatchObject({ changed: false });
    const found = await seen.noted('findRule', rules.find({ id, language: 'zh' }));
    expect(found).toMatchObject({ version: added.revision, by: { person: actor }, reason: 'new' });
    expect(found.rule).toEqual({ id, ...RULE });
    expect(found.sentence).toMatch(/每/);

    const other: Rule = { ...RULE, max: { amount: 30_000 } };
    expect(await codeOf(rules.put({ id, rule: other }))).toBe('VERSION_REQUIRED');
    expect(await codeOf(rules.put({ id, rule: other, ifNoneMatch: '*' }))).toBe('RULE_CHANGED');
    const ifMatch = found.version;
    expect(await codeOf(rules.put({ id, rule: other, ifMatch: ifMatch + 1 }))).toBe('RULE_CHANGED');
    const dry = await seen.noted(
      'putRule',
      made(rules.put({ id, rule: other, ifMatch, dryRun: true })),
    );
    expect(dry).toMatchObject({ dryRun: true, changed: false });
    const versions = [ifMatch + 9, ifMatch];
    const changed = await seen.noted(
      'putRule',
      made(rules.put({ id, rule: other, ifMatch: versions, actor })),
    );
    expect(changed.changes).toMatchObject([{ change: 'changed', counter: 'kept' }]);

    const { versions: newest, next } = await seen.noted(
      'ruleVersions',
      rules.versions({ id, limit: 1 }),
    );
    expect(newest).toMatchObject([{ change: 'changed', before: RULE, after: other }]);
    const before = next ?? 0;
    const oldest = await seen.noted('ruleVersions', rules.versions({ id, before }));
    expect(oldest).toMatchObject({ versions: [{ change: 'added', before: null }], next: null });

    const list = await seen.noted('listRules', rules.list());
    expect(list).toMatchObject({ rules: [{ id }], versions: { [id]: changed.revision } });
    const gone = rules.delete({ id, ifMatch: '*', reason: 'no more', actor });
    expect((await seen.noted('putRule', made(gone))).changes).toMatchObject([
      { change: 'deleted', counter: 'ends' },
    ]);
    await seen.noted('ruleVersions', rules.versions({ id, limit: 1 }));
    expect(await codeOf(rules.delete({ id, ifMatch: '*' }))).toBe('NO_SUCH_RULE');
  });

  it('are put in place as a whole', async () => {
    const rules = ofRules(way);
    const named = (id: string, more: Partial<Rule> = {}) => ({ ...RULE, ...more, id });
    const first = await seen.noted(
      'putRule',
      made(rules.replace({ rules: [named('a'), named('b')], actor })),
    );
    expect(first.changes).toMatchObject([{ sharedWith: ['b'] }, { sharedWith: ['a'] }]);
    const { revision } = await seen.noted('listRules', rules.list());
    const next = [
      named('a', {
        per: ['merchant', 'user'],
        counterparts: 'many',
        currency: 'EUR',
        minus: { type: 'PAYOUT' },
        refunds: { count: false },
      }),
      named('b', {
        window: 'lifetime',
        match: { type: 'PAYMENT' },
        outcome: 'rolledBack',
        reasonCodes: ['wrong-pin'],
        currency: undefined,
        max: { distinct: { card: 3 } },
        when: { hours: '20:00-06:00', timeZone: 'Asia/Shanghai' },
      }),
      named('c', { mode: 'draft' }),
      named('d'),
    ];
    const asked = { rules: next, ifMatch: revision };
    expect(await codeOf(rules.replace(asked))).toBe('CONSENT_REQUIRED');
    const changed = await seen.noted('putRule', made(rules.replace({ ...asked, beginAnew: true })));
    expect(changed.changes.map(({ counter }) => counter)).toEqual([
      'anew',
      'anew',
      'none',
      'joins',
    ]);
    expect(await codeOf(rules.replace({ rules: [named('a')], ifMatch: revision }))).toBe(
      'RULE_CHANGED',
    );
  });
});

it('a rule whose id cannot stand in a path is asked for by direct invocation alone', async () => {
  await expect(ofRules('http').find({ id: '..' })).rejects.toThrow(/cannot stand in a path/);
  expect(await codeOf(ofRules('lambda').find({ id: '..' }))).toBe('NO_SUCH_RULE');
});

it('nothing is typed that is never answered', () => {
  // Each fate of subjects' own maxima, which renamed-rules.test.ts brings about.
  const change = {
    id: 'r',
    kind: 'changed',
    counter: 'kept',
    because: [],
    sharedWith: [],
  } as const;
  for (const isAll of [true, false])
    for (const kind of ['follow', 'end', 'begin', 'stay'] as const) {
      const overrides = { kind, name: 'r', to: 's' };
      const owners = { documents: ['user:u-1'], isAll };
      const changed = {
        set: { revision: 1, rules: [] },
        changes: [{ ...change, overrides, owners }],
        warnings: [{ says: 'x' }],
      };
      seen.note('putRule', rulesChangedJson(changed, true, true));
    }
  // Who acts and who lets it through stand in terms.test.ts and proposals.test.ts, whole.
  const isTold = (member: string): boolean =>
    member.startsWith('.by.kind=') ||
    member.includes('].by.kind=') ||
    member.includes('.approvedBy');
  for (const call of ['listRules', 'findRule', 'ruleVersions', 'putRule'] as const)
    expect(seen.unseen(call).filter((member) => !isTold(member))).toEqual([]);
});
