import { beforeEach, describe, expect, it } from 'vitest';
import type { LambdaHandler } from '../../lib/http/handler.ts';
import type { StoredRule } from '../../lib/rules/rule-set.ts';
import { useDatabase } from '../support/database.ts';
import type { Handlers } from '../support/handlers.ts';
import { handlersOf } from '../support/handlers.ts';
import type { RulesCall } from '../support/rules-call.ts';
import { callRules } from '../support/rules-call.ts';
import { callDirectly, callOverHttp, serviceOn } from '../support/service-on-database.ts';
import type { Signer } from '../support/signed-call.ts';
import { answerTo } from '../support/routed-call.ts';
import { addApplication, signedEvent, signedServiceOn } from '../support/signed-call.ts';
import { rulesEvent } from '../support/rules-call.ts';
import { readRules, replaceRules } from '../support/stored-rules.ts';

const DAY = { unit: 'day', timeZone: 'Asia/Shanghai' };
const USER_DAY: StoredRule = {
  id: 'user-day',
  per: ['user'],
  currency: 'CNY',
  window: DAY,
  max: { amount: 5_000, count: 20 },
};
const CARD_DAY: StoredRule = { id: 'card-day', per: ['card'], window: DAY, max: { count: 10 } };
const IF_1 = { 'if-match': '"1"' };

const database = useDatabase();
let handlers: Handlers;
let rules: LambdaHandler;
beforeEach(async () => {
  for (const name of ['rules', 'rule_versions', 'apps', 'counters'])
    await database.db.collection(name).deleteMany({});
  // Megabytes of versions are to be read, however busy the machine is.
  const set = { RULES_CACHE_SECONDS: '0', STORE_TIMEOUT_MS: '20000' };
  handlers = handlersOf(await serviceOn(database, [], set));
  rules = handlers.rules;
});

const call = (asked: RulesCall) => callRules(rules, asked);
const put = (rule: StoredRule, headers: RulesCall['headers'] = {}, more: object = {}) =>
  call({ method: 'PUT', id: rule.id, body: { rule, ...more }, headers });

describe('a rule over HTTP', () => {
  it('is made, read, changed and deleted, and every version of it is kept', async () => {
    const made = await put(USER_DAY, { 'x-actor': 'jane@example.com' }, { reason: '新增' });
    expect(made).toEqual({
      status: 201,
      etag: '"1"',
      body: {
        revision: 1,
        changed: true,
        dryRun: false,
        changes: [
          {
            id: 'user-day',
            change: 'added',
            counter: 'begins',
            because: [],
            sharedWith: [],
            says: 'begins at zero: earlier payments do not count',
          },
        ],
      },
    });
    const read = await call({ method: 'GET', id: 'user-day' });
    expect(read).toMatchObject({
      status: 200,
      etag: '"1"',
      body: {
        id: 'user-day',
        version: 1,
        by: { kind: 'local', id: 'local', person: 'jane@example.com' },
        reason: '新增',
        rule: USER_DAY,
      },
    });
    expect(Math.abs(Date.parse(String(read.body.at)) - Date.now())).toBeLessThan(60_000);

    const raised = { ...USER_DAY, max: { amount: 9_000 } };
    expect(await put(raised, IF_1)).toMatchObject({
      status: 200,
      etag: '"2"',
      body: {
        changes: [{ change: 'changed', counter: 'kept', says: 'keeps its sum' }],
      },
    });
    const gone = await call({
      method: 'DELETE',
      id: 'user-day',
      query: 'reason=%E4%B8%8B%E7%BA%BF',
      headers: { 'if-match': '"2"' },
    });
    expect(gone).toMatchObject({
      status: 200,
      etag: undefined,
      body: { revision: 3, changes: [{ change: 'deleted', counter: 'ends' }] },
    });
    expect(await call({ method: 'GET', id: 'user-day' })).toMatchObject({
      status: 404,
      body: { code: 'NO_SUCH_RULE' },
    });
    const { body } = await call({ method: 'GET', id: 'user-day', versions: true });
    expect(body).toMatchObject({
      id: 'user-day',
      versions: [
        { version: 3, change: 'deleted', before: raised, after: null, reason: '下线' },
        { version: 2, change: 'changed', before: USER_DAY, after: raised },
        { version: 1, change: 'added', before: null, after: USER_DAY, reason: '新增' },
      ],
      next: null,
    });
  });

  it('is not deleted by a call that says in a body what stands in the query', async () => {
    await put(USER_DAY);
    const asked = { method: 'DELETE', id: 'user-day', headers: IF_1 } as const;
    expect(await call({ ...asked, body: { dryRun: true } })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'dryRun', value: 'true', expected: 'no field of a body' }] },
    });
    expect(await call({ ...asked, body: 'no JSON' })).toMatchObject({ status: 400 });
    expect(await call({ method: 'GET', id: 'user-day' })).toMatchObject({ status: 200 });
    expect(await call({ ...asked, body: {} })).toMatchObject({ status: 200 });
    expect(await call({ method: 'GET', id: 'user-day' })).toMatchObject({ status: 404 });
  });

  it('is said as a sentence, in the language that is asked for', async () => {
    await put(USER_DAY);
    const said = async (headers: RulesCall['headers'] = {}) =>
      (await call({ method: 'GET', id: 'user-day', headers })).body.sentence;
    const english = 'at most 20 payments and ¥50.00 a day in Asia/Shanghai, per user';
    expect(await said()).toBe(english);
    expect(await said({ 'accept-language': 'fr, en;q=0.2' })).toBe(english);
    const chinese = '每用户每天（Asia/Shanghai）最多20笔、¥50.00';
    expect(await said({ 'Accept-Language': 'zh-CN,en;q=0.8' })).toBe(chinese);
    const direct = { operation: 'find', id: 'user-day', language: 'zh' };
    expect((await callDirectly(rules, direct)).body.sentence).toBe(chinese);
    const all = (headers: NonNullable<RulesCall['headers']>) => call({ method: 'GET', headers });
    expect((await all({})).body.sentences).toEqual({ 'user-day': english });
    expect((await all({ 'accept-language': 'zh' })).body.sentences).toEqual({
      'user-day': chinese,
    });
  });

  it('decides from then on', async () => {
    await put({ ...USER_DAY, max: { amount: 100 } });
    const order = { orderId: 'o-1', subjects: { user: 'u-1' }, amount: 150, currency: 'CNY' };
    expect((await callOverHttp(handlers.check, order)).body).toMatchObject({ decision: 'refused' });
    await put(USER_DAY, IF_1);
    expect((await callOverHttp(handlers.check, order)).body).toMatchObject({ decision: 'allowed' });
  });

  it.each<{ change: object; counter: string; because: readonly string[]; says: RegExp }>([
    { change: { max: { count: 1 } }, counter: 'kept', because: [], says: /keeps its sum/ },
    { change: { mode: 'shadow' }, counter: 'kept', because: [], says: /keeps its sum/ },
    { change: { appliesTo: { type: 'A' } }, counter: 'kept', because: [], says: /keeps its sum/ },
    {
      change: { window: { ...DAY, unit: 'week' }, per: ['card'] },
      counter: 'anew',
      because: ['per', 'window'],
      says: /^begins at zero, because its per and window changed: /,
    },
    {
      change: { match: { type: 'A' } },
      counter: 'anew',
      because: ['counts'],
      says: /because its counts changed/,
    },
    { change: { currency: 'USD' }, counter: 'anew', because: ['currency'], says: /at zero/ },
    {
      change: { refunds: { count: false } },
      counter: 'anew',
      because: ['refunds'],
      says: /at zero/,
    },
    { change: { mode: 'retired' }, counter: 'ends', because: [], says: /^stops counting/ },
    { change: { window: 'transaction' }, counter: 'ends', because: [], says: /^stops counting/ },
  ])('says of $change that its counter is $counter', async ({ change, counter, because, says }) => {
    await put(USER_DAY);
    const { body } = await put({ ...USER_DAY, ...change }, IF_1, { beginAnew: true });
    expect(body.changes).toEqual([
      {
        id: 'user-day',
        change: 'changed',
        counter,
        because,
        sharedWith: [],
        says: expect.stringMatching(says) as string,
      },
    ]);
  });

  it('says which others count in the same counter', async () => {
    await put(USER_DAY);
    const trial = { ...USER_DAY, id: 'trial', max: { amount: 1 }, mode: 'shadow' };
    expect((await put(trial)).body.changes).toMatchObject([
      {
        counter: 'joins',
        sharedWith: ['user-day'],
        says: 'begins with the sum of user-day, in the same counter',
      },
    ]);
    const gone = await call({ method: 'DELETE', id: 'trial', headers: { 'if-match': '2' } });
    expect(gone.body.changes).toMatchObject([{ counter: 'ends', sharedWith: ['user-day'] }]);
  });

  it('is looked at first: a dry run says what would change, and changes nothing', async () => {
    await put(USER_DAY);
    const dry = await put({ ...USER_DAY, currency: 'USD' }, IF_1, { dryRun: true });
    expect(dry).toMatchObject({
      status: 200,
      etag: '"1"',
      body: { revision: 1, changed: false, dryRun: true, changes: [{ counter: 'anew' }] },
    });
    const query = 'dryRun=true';
    const gone = await call({ method: 'DELETE', id: 'user-day', query, headers: IF_1 });
    expect(gone.body).toMatchObject({ changed: false, changes: [{ change: 'deleted' }] });
    expect(await readRules(database.db)).toEqual([USER_DAY]);
  });
});

describe('lost updates', () => {
  beforeEach(async () => {
    await put(USER_DAY);
    await put(CARD_DAY);
  });

  it.each<{ why: string; asked: RulesCall; status: number; code: string; detail: RegExp }>([
    {
      why: 'nothing says what it replaces',
      asked: { method: 'PUT', id: 'user-day', body: { rule: { ...USER_DAY, max: { count: 1 } } } },
      status: 428,
      code: 'VERSION_REQUIRED',
      detail: /^rule "user-day" is at version 1; nothing was changed: .*If-Match: "1"/,
    },
    {
      why: 'it is the same, and nothing says what it replaces',
      asked: { method: 'PUT', id: 'user-day', body: { rule: USER_DAY } },
      status: 428,
      code: 'VERSION_REQUIRED',
      detail: /version 1/,
    },
    {
      why: 'it is for another version',
      asked: {
        method: 'PUT',
        id: 'card-day',
        body: { rule: { ...CARD_DAY, max: { count: 1 } } },
        headers: IF_1,
      },
      status: 412,
      code: 'RULE_CHANGED',
      detail:
        /^rule "card-day" is at version 2, and the change is for version 1; nothing was changed/,
    },
    {
      why: 'it is for one that is not there yet',
      asked: {
        method: 'PUT',
        id: 'user-day',
        body: { rule: USER_DAY },
        headers: { 'if-none-match': '*' },
      },
      status: 412,
      code: 'RULE_CHANGED',
      detail: /one that is not there yet/,
    },
    {
      why: 'it is for one that is there',
      asked: {
        method: 'PUT',
        id: 'new',
        body: { rule: { ...CARD_DAY, id: 'new' } },
        headers: { 'if-match': '*' },
      },
      status: 412,
      code: 'RULE_CHANGED',
      detail: /^rule "new" is not there, and the change is for one that is there/,
    },
    {
      why: 'nothing says what is deleted',
      asked: { method: 'DELETE', id: 'user-day' },
      status: 428,
      code: 'VERSION_REQUIRED',
      detail: /version 1/,
    },
    {
      why: 'nothing says which set is replaced',
      asked: { method: 'PUT', body: { rules: [USER_DAY] } },
      status: 428,
      code: 'VERSION_REQUIRED',
      detail: /^the set of rules is at version 2/,
    },
    {
      why: 'it is for another set',
      asked: { method: 'PUT', body: { rules: [USER_DAY] }, headers: IF_1 },
      status: 412,
      code: 'RULE_CHANGED',
      detail: /^the set of rules is at version 2, and the change is for version 1/,
    },
    {
      why: 'there is none',
      asked: { method: 'DELETE', id: 'nobody', headers: IF_1 },
      status: 404,
      code: 'NO_SUCH_RULE',
      detail: /^there is no rule "nobody"/,
    },
  ])('$asked.method is $status where $why, and nothing changes', async (row) => {
    const before = await readRules(database.db);
    expect(await call(row.asked)).toMatchObject({
      status: row.status,
      body: { code: row.code, detail: expect.stringMatching(row.detail) as string },
    });
    expect(await readRules(database.db)).toEqual(before);
  });

  it.each([
    { header: '"7", "1"', why: 'one of several' },
    { header: '*', why: 'whatever it is' },
    { header: ' 1 ', why: 'without quotation marks' },
  ])('a change for $header is taken: $why', async ({ header }) => {
    const lower = { ...USER_DAY, max: { count: 1 } };
    expect((await put(lower, { 'If-Match': header })).status).toBe(200);
  });

  it('a change that was made already is answered as made: its answer may have been lost', async () => {
    const lower = { ...USER_DAY, max: { count: 1 } };
    expect((await put(lower, IF_1)).body).toMatchObject({ changed: true, revision: 3 });
    expect(await put(lower, IF_1)).toMatchObject({
      status: 200,
      etag: '"3"',
      body: { changed: false, revision: 3, changes: [] },
    });
  });

  it('of many changes of one rule at once one is made, and the others are told', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map((count) => put({ ...USER_DAY, max: { count } }, IF_1)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412]);
    const { body } = await call({ method: 'GET', id: 'user-day', versions: true });
    expect(body.versions).toHaveLength(2);
  });

  it('changes of several rules at once are all made', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    const answers = await Promise.all(ids.map((id) => put({ ...CARD_DAY, id })));
    expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 201));
    const stored = (await readRules(database.db)).map(({ id }) => id);
    expect(stored).toEqual([...ids, 'card-day', 'user-day'].sort());
  });
});

describe('the whole set', () => {
  it('is read in the form of a rule file, with the version of each, and put in place as a whole', async () => {
    await put(USER_DAY);
    await put(CARD_DAY);
    expect(await call({ method: 'GET' })).toEqual({
      status: 200,
      etag: '"2"',
      body: {
        revision: 2,
        rules: [CARD_DAY, USER_DAY],
        versions: { 'card-day': 2, 'user-day': 1 },
        sentences: expect.anything() as object,
      },
    });
    const next = [
      { ...USER_DAY, currency: 'USD' },
      { ...CARD_DAY, id: 'a' },
    ];
    const replaced = await call({
      method: 'PUT',
      body: { rules: next, reason: 'new year', beginAnew: true, drop: true },
      headers: { 'if-match': '"2"' },
    });
    expect(replaced).toMatchObject({
      status: 200,
      etag: '"3"',
      body: {
        changes: [
          { id: 'a', change: 'added', counter: 'joins', sharedWith: ['card-day'] },
          { id: 'card-day', change: 'deleted', counter: 'ends', sharedWith: ['a'] },
          { id: 'user-day', change: 'changed', counter: 'anew', because: ['currency'] },
        ],
      },
    });
    expect(await readRules(database.db)).toEqual([next[1], next[0]]);
  });

  it('is made without saying for which, where there never was one', async () => {
    expect((await call({ method: 'PUT', body: { rules: [USER_DAY] } })).body).toMatchObject({
      revision: 1,
    });
  });
});

describe('what is wrong', () => {
  it.each<{ asked: RulesCall; paths: readonly string[] }>([
    {
      asked: {
        method: 'PUT',
        id: 'a',
        body: { rule: { per: [], max: { amount: 1.5 }, window: 'day' } },
      },
      paths: ['rule.per', 'rule.window', 'rule.max.amount', 'rule.currency'],
    },
    { asked: { method: 'PUT', id: 'a', body: { rule: USER_DAY } }, paths: ['rule.id'] },
    { asked: { method: 'PUT', id: 'A B', body: { rule: CARD_DAY } }, paths: ['id'] },
    { asked: { method: 'PUT', id: '__proto__', body: { rule: {} } }, paths: ['id'] },
    { asked: { method: 'PUT', id: 'a', body: {} }, paths: ['rule'] },
    { asked: { method: 'PUT', id: 'a', body: [] }, paths: [''] },
    {
      asked: { method: 'PUT', id: 'a', body: '{"rule":{"id":"a","id":"b"}}' },
      paths: ['rule.id'],
    },
    {
      asked: { method: 'PUT', id: 'a', body: { rule: { ...CARD_DAY, id: 'a' }, id: 'b' } },
      paths: ['id'],
    },
    {
      asked: { method: 'PUT', id: 'card-day', query: 'id=user-day', body: { rule: CARD_DAY } },
      paths: ['id'],
    },
    {
      asked: { method: 'PUT', id: 'card-day', body: { rule: CARD_DAY, reason: '' } },
      paths: ['reason'],
    },
    {
      asked: {
        method: 'PUT',
        id: 'card-day',
        body: { rule: CARD_DAY },
        headers: { 'if-match': 'W/"1"' },
      },
      paths: ['ifMatch'],
    },
    {
      asked: {
        method: 'PUT',
        id: 'card-day',
        body: { rule: CARD_DAY },
        headers: { 'if-match': '"1"', 'if-none-match': '*' },
      },
      paths: ['ifNoneMatch'],
    },
    {
      asked: {
        method: 'PUT',
        id: 'card-day',
        body: { rule: CARD_DAY },
        headers: { 'x-actor': '' },
      },
      paths: ['X-Actor'],
    },
    { asked: { method: 'PUT', body: { rules: [] } }, paths: ['rules'] },
    {
      asked: { method: 'PUT', body: { rules: [{ ...CARD_DAY, per: [] }, USER_DAY, USER_DAY, 7] } },
      paths: ['rules[card-day].per', 'rules[2].id', 'rules[3]'],
    },
    { asked: { method: 'GET', query: 'limit=5' }, paths: ['limit'] },
    {
      asked: { method: 'GET', id: 'a', versions: true, query: 'limit=101&before=x' },
      paths: ['limit', 'before'],
    },
    {
      asked: { method: 'DELETE', id: 'a', query: 'dryRun=1&reason=a&reason=b' },
      paths: ['reason', 'dryRun'],
    },
  ])('is named, all of it: $paths', async ({ asked, paths }) => {
    const { status, body } = await call(asked);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'INVALID_REQUEST' });
    const found = (body.errors as readonly { path: string }[]).map(({ path }) => path); // a problem's
    expect(found).toEqual(paths);
    expect(await readRules(database.db)).toEqual([]);
  });

  it('is named in another rule, too: a set is good as a whole or not at all', async () => {
    await replaceRules(database.db, [{ ...CARD_DAY, window: 'forever' }]);
    const { status, body } = await put(USER_DAY);
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ path: 'rules[card-day].window' }]);
    const mended = await put(CARD_DAY, IF_1);
    expect(mended.status).toBe(200);
  });

  it.each(['a/b', '../rules', '%', '$where', 'constructor', '🙂', 'x'.repeat(300)])(
    'nothing is called %j',
    async (id) => {
      for (const versions of [false, true])
        expect((await call({ method: 'GET', id, versions })).status).toBeOneOf([400, 404]);
      const { status } = await call({ method: 'DELETE', id, headers: IF_1 });
      expect(status).toBeOneOf([400, 404]);
    },
  );
});

describe('the versions of a rule', () => {
  it('come in as many pages as their bytes ask for, none left out', async () => {
    const large = (version: number) => {
      const title = { en: String(version).padEnd(256, '.') };
      const values = Array.from({ length: 40_000 }, (_, index) => `tier-${version}-${index}`);
      return { ...{ id: 'large', title, per: ['user'] }, match: { tier: values } };
    };
    const by = { kind: 'local', id: 'local' };
    const rows = Array.from({ length: 10 }, (_, index) => index + 1).map((version) => ({
      ...{ _id: `large ${version}`, rule: 'large', version, at: new Date(version), by },
      ...{ before: large(version - 1), after: large(version) },
    }));
    const kept = database.db.collection<{ _id: string }>('rule_versions');
    for (const row of rows) await kept.insertOne(row);
    const found: number[] = [];
    let next: unknown;
    do {
      const query = `limit=100${typeof next === 'number' ? `&before=${next}` : ''}`;
      const { status, body } = await call({ method: 'GET', id: 'large', versions: true, query });
      expect(status).toBe(200);
      const versions = body.versions as readonly { version: number }[]; // a page's
      expect(versions.length).toBeLessThan(10);
      found.push(...versions.map(({ version }) => version));
      ({ next } = body);
    } while (next !== null);
    expect(found).toEqual(rows.map(({ version }) => version).reverse());
  });

  it('come in pages, newest first', async () => {
    await put(USER_DAY);
    for (let version = 1; version <= 4; version++)
      await put({ ...USER_DAY, max: { count: version } }, { 'if-match': `"${version}"` });
    const page = async (query: string) => {
      const { body } = await call({ method: 'GET', id: 'user-day', versions: true, query });
      const found = (body.versions as readonly { version: number }[]).map((row) => row.version); // a page's
      return { found, next: body.next };
    };
    expect(await page('limit=2')).toEqual({ found: [5, 4], next: 4 });
    expect(await page('limit=2&before=4')).toEqual({ found: [3, 2], next: 2 });
    expect(await page('limit=2&before=2')).toEqual({ found: [1], next: null });
    expect(await page('before=1')).toEqual({ found: [], next: null });
    expect((await call({ method: 'GET', id: 'nobody', versions: true })).status).toBe(404);
  });
});

describe('by direct invocation', () => {
  it('an event says its operation, and everything else by name', async () => {
    const direct = async (event: object) => (await callDirectly(rules, event)).body;
    expect(
      await direct({
        operation: 'put',
        id: 'user-day',
        rule: USER_DAY,
        actor: 'jane',
        reason: 'r',
      }),
    ).toMatchObject({ changed: true, revision: 1 });
    expect(await direct({ operation: 'find', id: 'user-day' })).toMatchObject({
      version: 1,
      by: { kind: 'invocation', person: 'jane' },
    });
    expect(await direct({ operation: 'list' })).toMatchObject({ revision: 1 });
    expect(await direct({ operation: 'versions', id: 'user-day', limit: 1 })).toMatchObject({
      versions: [{ version: 1 }],
    });
    expect(
      await direct({ operation: 'replace', rules: [CARD_DAY], ifMatch: '1', dryRun: true }),
    ).toMatchObject({ changed: false, changes: [{}, {}] });
    expect(await direct({ operation: 'delete', id: 'user-day', ifMatch: '"1"' })).toMatchObject({
      changed: true,
    });
    expect(await direct({ operation: 'put', id: 'a', rules: [] })).toMatchObject({
      code: 'INVALID_REQUEST',
    });
    for (const operation of [undefined, 'drop', 'toString', 7])
      expect(await direct({ operation })).toMatchObject({
        errors: [
          { path: 'operation', expected: 'one of list, replace, find, put, delete, versions' },
        ],
      });
  });
});

describe('where calls are signed', () => {
  const sentBy = (signer: Signer, asked: RulesCall) =>
    answerTo(
      handlersOf(signedServiceOn(database).service).rules,
      signedEvent(signer, rulesEvent(asked)),
    );
  const PUT: RulesCall = { method: 'PUT', id: 'user-day', body: { rule: USER_DAY } };

  it('a call needs the right to it, and who made a change is kept', async () => {
    const eye = await addApplication(database, 'eye', [], ['rules:read']);
    const hand = await addApplication(database, 'hand', [], ['rules:write']);
    const shop = await addApplication(database, 'shop');
    for (const signer of [eye, shop])
      expect(await sentBy(signer, PUT)).toMatchObject({
        status: 403,
        body: {
          code: 'RIGHT_MISSING',
          detail: expect.stringMatching(
            /lacks the right rules:write: ask an administrator/,
          ) as string,
        },
      });
    expect(await sentBy(hand, { method: 'GET' })).toMatchObject({
      status: 403,
      body: { detail: expect.stringMatching(/lacks the right rules:read/) as string },
    });
    expect(await readRules(database.db)).toEqual([]);
    const named = await sentBy(hand, { ...PUT, headers: { 'X-Actor': 'jane' } });
    expect(named.status).toBe(201);
    expect((await sentBy(eye, { method: 'GET', id: 'user-day' })).body).toMatchObject({
      by: { kind: 'application', id: 'hand', person: 'jane' },
    });
    const query = 'reason=%E4%B8%8B%E7%BA%BF&dryRun=true';
    const gone = { method: 'DELETE', id: 'user-day', query, headers: IF_1 } as const;
    expect((await sentBy(hand, gone)).status).toBe(200);
  });
});
