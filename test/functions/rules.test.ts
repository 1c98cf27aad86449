import { beforeEach, describe, expect, it } from 'vitest';
import type { LambdaHandler } from '../../lib/http/handler.ts';
import type { StoredRule } from '../../lib/rule-file/rule-set.ts';
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
const putting = (
  rule: StoredRule,
  headers: RulesCall['headers'] = {},
  more: object = {},
): RulesCall => ({ method: 'PUT', id: rule.id, body: { rule, ...more }, headers });
const put = (...asked: Parameters<typeof putting>) => call(putting(...asked));
/** A call of a rule that is named otherwise than in its body, or whose body has no rule. */
const putTo = (id: string, body: unknown): RulesCall => ({ method: 'PUT', id, body });

describe('a rule over HTTP', () => {
  it('is warned of in a dry run, and when it is stored', async () => {
    await put(USER_DAY);
    for (const dryRun of [true, false])
      expect(await put({ ...CARD_DAY, currency: 'RMB' }, {}, { dryRun })).toMatchObject({
        body: {
          warnings: [
            'card-day: no other rule has the subject kind "card". Is it mistyped?',
            'card-day: ISO 4217 has no currency RMB. Did you mean CNY? If it is a code of your own, say its `digits`.',
          ],
        },
      });
    const { body } = await put({ ...USER_DAY, max: { amount: 6_000_000 } }, { 'if-match': '*' });
    expect(body).toMatchObject({ changed: true, warnings: [] });
  });

  it('names the field that is most likely meant by one that nobody knows', async () => {
    const { body } = await put({ ...USER_DAY, windw: DAY });
    const expected = expect.stringMatching(/^window instead \(only the fields id, /) as unknown;
    expect(body.errors).toContainEqual({
      path: 'rule.windw',
      value: 'an object with "unit", "timeZone"',
      expected,
    });
  });

  // client/rules.test.ts makes, reads, changes and deletes rules, over HTTP and directly.
  it('has the status and the ETag of its version', async () => {
    const made = await put(USER_DAY, { 'x-actor': 'jane@example.com' }, { reason: '新增' });
    expect(made).toMatchObject({ status: 201, etag: '"1"', body: { revision: 1, changed: true } });
    const read = await call({ method: 'GET', id: 'user-day' });
    const by = { kind: 'local', id: 'local', person: 'jane@example.com' };
    expect(read).toMatchObject({ status: 200, etag: '"1"', body: { version: 1, by } });
    expect(Math.abs(Date.parse(String(read.body.at)) - Date.now())).toBeLessThan(60_000);
    const raised = { ...USER_DAY, max: { amount: 9_000 } };
    expect(await put(raised, IF_1)).toMatchObject({ status: 200, etag: '"2"' });
    const query = 'reason=%E4%B8%8B%E7%BA%BF';
    const asked = {
      method: 'DELETE',
      id: 'user-day',
      query,
      headers: { 'if-match': '"2"' },
    } as const;
    expect(await call(asked)).toMatchObject({ status: 200, etag: undefined });
    const gone = await call({ method: 'GET', id: 'user-day' });
    expect(gone).toMatchObject({ status: 404, body: { code: 'NO_SUCH_RULE' } });
    const { body } = await call({ method: 'GET', id: 'user-day', versions: true });
    expect(body.versions).toMatchObject([
      { version: 3, change: 'deleted', before: raised, after: null, reason: '下线' },
      { version: 2, change: 'changed', before: USER_DAY, after: raised },
      { version: 1, change: 'added', before: null, after: USER_DAY, reason: '新增' },
    ]);
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

  // prettier-ignore
  it.each<{ change: object; counter: string; because: readonly string[]; says: RegExp }>([
    { change: { max: { count: 1 } },                                counter: 'kept', because: [],                says: /keeps its sum/ },
    { change: { mode: 'shadow' },                                   counter: 'kept', because: [],                says: /keeps its sum/ },
    { change: { appliesTo: { type: 'A' } },                         counter: 'kept', because: [],                says: /keeps its sum/ },
    { change: { window: { ...DAY, unit: 'week' }, per: ['card'] },  counter: 'anew', because: ['per', 'window'], says: /^begins at zero, because its per and window changed: / },
    { change: { match: { type: 'A' } },                             counter: 'anew', because: ['counts'],        says: /because its counts changed/ },
    { change: { currency: 'USD' },                                  counter: 'anew', because: ['currency'],      says: /at zero/ },
    { change: { refunds: { count: false } },                        counter: 'anew', because: ['refunds'],       says: /at zero/ },
    { change: { per: ['user', 'card'], counterparts: 'many' },      counter: 'anew', because: ['per', 'counterparts'], says: /because its per and counterparts changed/ },
    { change: { mode: 'retired' },                                  counter: 'ends', because: [],                says: /^stops counting/ },
    { change: { window: 'transaction' },                            counter: 'ends', because: [],                says: /^stops counting/ },
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
  const CODES: Readonly<Record<number, string>> = {
    404: 'NO_SUCH_RULE',
    412: 'RULE_CHANGED',
    428: 'VERSION_REQUIRED',
  };
  const SET = { rules: [USER_DAY] };
  beforeEach(async () => {
    await put(USER_DAY);
    await put(CARD_DAY);
  });

  const CARD_1 = { ...CARD_DAY, max: { count: 1 } };
  const NONE_YET = { 'if-none-match': '*' };
  const NEW = { ...CARD_DAY, id: 'new' };

  // prettier-ignore
  it.each<{ why: string; asked: RulesCall; status: number; detail: RegExp }>([
    { why: 'nothing says what it replaces',                       asked: putting({ ...USER_DAY, max: { count: 1 } }),           status: 428, detail: /^rule "user-day" is at version 1; nothing was changed: .*If-Match: "1"/ },
    { why: 'it is the same, and nothing says what it replaces',   asked: putting(USER_DAY),                                     status: 428, detail: /version 1/ },
    { why: 'it is for another version',                           asked: putting(CARD_1, IF_1),                                 status: 412, detail: /^rule "card-day" is at version 2, and the change is for version 1; nothing was changed/ },
    { why: 'it is for one that is not there yet',                 asked: putting(USER_DAY, NONE_YET),                           status: 412, detail: /one that is not there yet/ },
    { why: 'it is for one that is there',                         asked: putting(NEW, { 'if-match': '*' }),                     status: 412, detail: /^rule "new" is not there, and the change is for one that is there/ },
    { why: 'nothing says what is deleted',                        asked: { method: 'DELETE', id: 'user-day' },                  status: 428, detail: /version 1/ },
    { why: 'nothing says which set is replaced',                  asked: { method: 'PUT', body: SET },                          status: 428, detail: /^the set of rules is at version 2/ },
    { why: 'it is for another set',                               asked: { method: 'PUT', body: SET, headers: IF_1 },           status: 412, detail: /^the set of rules is at version 2, and the change is for version 1/ },
    { why: 'there is none',                                       asked: { method: 'DELETE', id: 'nobody', headers: IF_1 },     status: 404, detail: /^there is no rule "nobody"/ },
  ])('$asked.method is $status where $why, and nothing changes', async (row) => {
    const before = await readRules(database.db);
    expect(await call(row.asked)).toMatchObject({
      status: row.status,
      body: { code: CODES[row.status], detail: expect.stringMatching(row.detail) as string },
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
      { ...CARD_DAY, id: 'a' },
      { ...USER_DAY, currency: 'USD' },
    ];
    const body = { rules: next.toReversed(), reason: 'new year', beginAnew: true, drop: true };
    const replaced = await call({ method: 'PUT', body, headers: { 'if-match': '"2"' } });
    expect(replaced).toMatchObject({ status: 200, etag: '"3"' });
    expect(replaced.body.changes).toMatchObject([
      { id: 'a', change: 'added', counter: 'joins', sharedWith: ['card-day'] },
      { id: 'card-day', change: 'deleted', counter: 'ends', sharedWith: ['a'] },
      { id: 'user-day', change: 'changed', counter: 'anew', because: ['currency'] },
    ]);
    expect(await readRules(database.db)).toEqual(next);
  });

  it('is made without saying for which, where there never was one', async () => {
    expect((await call({ method: 'PUT', body: { rules: [USER_DAY] } })).body).toMatchObject({
      revision: 1,
    });
  });
});

describe('what is wrong', () => {
  const WEAK = { 'if-match': 'W/"1"' };
  const BOTH = { 'if-match': '"1"', 'if-none-match': '*' };
  const MANY = [{ ...CARD_DAY, per: [] }, USER_DAY, USER_DAY, 7];
  const WRONG = { per: [], max: { amount: 1.5 }, window: 'day' };

  // prettier-ignore
  it.each<{ asked: RulesCall; paths: readonly string[] }>([
    { asked: putTo('a', { rule: WRONG }),                                                  paths: ['rule.per', 'rule.window', 'rule.max.amount', 'rule.currency'] },
    { asked: putTo('a', { rule: USER_DAY }),                                               paths: ['rule.id'] },
    { asked: putTo('A B', { rule: CARD_DAY }),                                             paths: ['id'] },
    { asked: putTo('__proto__', { rule: {} }),                                             paths: ['id'] },
    { asked: putTo('a', {}),                                                               paths: ['rule'] },
    { asked: putTo('a', []),                                                               paths: [''] },
    { asked: putTo('a', '{"rule":{"id":"a","id":"b"}}'),                                   paths: ['rule.id'] },
    { asked: putTo('a', { rule: { ...CARD_DAY, id: 'a' }, id: 'b' }),                      paths: ['id'] },
    { asked: { ...putting(CARD_DAY), query: 'id=user-day' },                               paths: ['id'] },
    { asked: putting(CARD_DAY, {}, { reason: '' }),                                        paths: ['reason'] },
    { asked: putting(CARD_DAY, WEAK),                                                      paths: ['ifMatch'] },
    { asked: putting(CARD_DAY, BOTH),                                                      paths: ['ifNoneMatch'] },
    { asked: putting(CARD_DAY, { 'x-actor': '' }),                                         paths: ['X-Actor'] },
    { asked: { method: 'PUT', body: { rules: [] } },                                       paths: ['rules'] },
    { asked: { method: 'PUT', body: { rules: MANY } },                                     paths: ['rules[card-day].per', 'rules[2].id', 'rules[3]'] },
    { asked: { method: 'GET', query: 'limit=5' },                                          paths: ['limit'] },
    { asked: { method: 'GET', id: 'a', versions: true, query: 'limit=101&before=x' },      paths: ['limit', 'before'] },
    { asked: { method: 'DELETE', id: 'a', query: 'dryRun=1&reason=a&reason=b' },           paths: ['reason', 'dryRun'] },
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
});

describe('by direct invocation', () => {
  it.each([undefined, 'drop', 'toString', 7])('there is no operation %j', async (operation) => {
    const expected = 'one of list, replace, find, put, delete, versions';
    expect((await callDirectly(rules, { operation })).body).toMatchObject({
      errors: [{ path: 'operation', expected }],
    });
  });

  it('an operation takes its own fields, and says that IAM let it in', async () => {
    const direct = async (event: object) => (await callDirectly(rules, event)).body;
    await direct({ operation: 'put', id: 'user-day', rule: USER_DAY, actor: 'jane' });
    expect(await direct({ operation: 'find', id: 'user-day' })).toMatchObject({
      by: { kind: 'invocation', person: 'jane' },
    });
    expect(await direct({ operation: 'put', id: 'a', rules: [] })).toMatchObject({
      code: 'INVALID_REQUEST',
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
    for (const [signer, asked, right] of [
      [eye, PUT, 'rules:write'],
      [shop, PUT, 'rules:write'],
      [hand, { method: 'GET' }, 'rules:read'],
    ] as const) {
      const detail = expect.stringContaining(`lacks the right ${right}: ask`) as string;
      const problem = { code: 'RIGHT_MISSING', detail };
      expect(await sentBy(signer, asked)).toMatchObject({ status: 403, body: problem });
    }
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
