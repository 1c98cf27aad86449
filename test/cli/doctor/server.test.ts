import type { Db, Document } from 'mongodb';
import { MongoServerError } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { worstOf } from '../../../contract/finding.ts';
import { examine } from '../../../lib/health/mongo-examine.ts';
import { serverExaminations } from '../../../lib/health/mongo-server-health.ts';
import { makeIndexes } from '../../../cli/indexes.ts';

type Answer = () => Promise<Document>;
type Answers = Readonly<Record<string, Answer>>;

const says =
  (document: Document): Answer =>
  () =>
    Promise.resolve(document);
const refuses =
  (code: number): Answer =>
  () =>
    Promise.reject(new MongoServerError({ message: 'no such command', code }));

const HELLO = {
  setName: 'rs0',
  hosts: ['a:1', 'b:1', 'c:1'],
  get localTime() {
    return new Date();
  },
};
/** The answers of a healthy server, by command. */
const HEALTHY: Answers = {
  hello: () => Promise.resolve({ ...HELLO, localTime: new Date() }),
  buildInfo: says({ version: '8.0.4' }),
  ping: says({ ok: 1 }),
  getParameter: says({ ttlMonitorEnabled: true }),
  update: says({ acknowledged: true }),
};

/** Stands in for a server that answers so; nothing in it is ever overdue. */
function serverOf(answers: Answers, options: object): Db {
  const command = (asked: Document): Promise<Document> => {
    const [name = ''] = Object.keys(asked);
    return (answers[name] ?? refuses(59))();
  };
  // As much of the driver as is asked.
  return {
    client: { options: { hosts: ['localhost:27017'], ...options } },
    command,
    admin: () => ({ command }),
    collection: () => ({
      findOne: () => Promise.resolve(null),
      updateOne: () => command({ update: 1 }),
      deleteOne: () => Promise.resolve({ acknowledged: true }),
    }),
  } as unknown as Db;
}

async function look(name: string, answers: Answers, options: object = {}, needsTls = true) {
  const db = serverOf({ ...HEALTHY, ...answers }, options);
  const examination = serverExaminations(db, needsTls).find((each) => each.name === name);
  if (examination === undefined) throw new Error(`nobody looks at ${name}`);
  return examine(examination);
}

const ahead = (ms: number): Answers => ({
  hello: () => Promise.resolve({ ...HELLO, localTime: new Date(Date.now() + ms) }),
});

describe('what a server answers', () => {
  // prettier-ignore
  it.each([
    { name: 'server', answers: {}, level: 'ok', says: /^MongoDB 8\.0\.4$/ },
    { name: 'server', answers: { buildInfo: says({ version: '4.4.29' }) }, level: 'fault', says: /^MongoDB 4\.4\.29, older than 5\.0$/ },
    { name: 'server', answers: { buildInfo: says({ version: '5.0.0' }) }, level: 'ok', says: /^MongoDB 5\.0\.0$/ },
    { name: 'server', answers: { buildInfo: says({ version: '5.0.31' }), getParameter: says({ featureCompatibilityVersion: { version: '4.4' } }) }, level: 'fault', says: /^MongoDB 5\.0\.31 at feature compatibility version 4\.4, older than 5\.0$/ },
    { name: 'server', answers: { getParameter: says({ featureCompatibilityVersion: { version: '8.0' } }) }, level: 'ok', says: /^MongoDB 8\.0\.4$/ },
    { name: 'server', answers: { buildInfo: says({ version: '8.0.0', modules: ['DocumentDB'] }) }, level: 'ok', says: /^DocumentDB/ },
    { name: 'server', answers: { buildInfo: refuses(59) }, level: 'unknown', says: /^this server does not say \(no such command\)$/ },
    { name: 'replica set', answers: {}, level: 'ok', says: /^rs0, 3 that can become primary$/ },
    { name: 'replica set', answers: { hello: says({ msg: 'isdbgrid' }) }, level: 'ok', says: /^a router/ },
    { name: 'replica set', answers: { hello: says({ msg: 'isdbgrid' }), buildInfo: says({ version: '5.0.9' }) }, level: 'fault', says: /^a router of MongoDB 5\.0\.9, older than 5\.0\.10$/ },
    { name: 'replica set', answers: { hello: says({ msg: 'isdbgrid' }), buildInfo: says({ version: '5.0.10' }) }, level: 'warning', says: /^a router of MongoDB 5\.0\.10, older than 5\.1$/ },
    { name: 'replica set', answers: { hello: says({ msg: 'isdbgrid' }), buildInfo: says({ version: '6.0.0' }) }, level: 'ok', says: /^a router/ },
    { name: 'replica set', answers: { hello: says({}) }, level: 'fault', says: /^none: a server alone$/ },
    { name: 'replica set', answers: { hello: says({ ...HELLO, hosts: ['a:1'] }) }, level: 'warning', says: /^rs0, 1 that can/ },
    { name: 'replica set', answers: { hello: says({ ...HELLO, arbiters: ['d:1'] }) }, level: 'warning', says: /an arbiter$/ },
    { name: 'clock', answers: {}, level: 'ok', says: /^the server is \d+ ms (behind|ahead of) this machine/ },
    { name: 'clock', answers: ahead(5_000), level: 'warning', says: /^the server is \d{4} ms ahead of/ },
    { name: 'clock', answers: ahead(-5_000), level: 'warning', says: /^the server is \d{4} ms behind/ },
    { name: 'clock', answers: { hello: says({ setName: 'rs0' }) }, level: 'unknown', says: /^the time: this server does not say/ },
    { name: 'TTL monitor', answers: {}, level: 'ok', says: /^on; nothing is left/ },
    { name: 'TTL monitor', answers: { getParameter: says({ ttlMonitorEnabled: false }) }, level: 'warning', says: /^turned off$/ },
    { name: 'TTL monitor', answers: { getParameter: refuses(59) }, level: 'ok', says: /this server does not say whether it is on$/ },
    { name: 'round trip', answers: {}, level: 'ok', says: /^\d\.\d ms from here, the median of 15$/ },
    { name: 'round trip', answers: { ping: refuses(13) }, level: 'unknown', says: /^this server does not say/ },
    { name: 'round trip', answers: { ping: () => Promise.reject(new Error('gone\nfor ever')) }, level: 'fault', says: /^could not be looked at: gone for ever$/ },
    { name: 'write concern', answers: {}, level: 'ok', says: /^majority, acknowledged in \d+ ms/ },
    { name: 'write concern', answers: { update: refuses(14031) }, level: 'fault', says: /^a write failed: / },
  ])('about the $name, $level: $says', async ({ name, answers, level, says: expected }) => {
    const found = await look(name, answers); // rows name one command each
    expect(found).toMatchObject({ name, level });
    expect(found.says).toMatch(expected);
    // A finding that is not well says what to do.
    expect(found.todo !== undefined).toBe(level === 'warning' || level === 'fault');
  });

  const HERE = ['127.0.0.1:27017', 'localhost:27018', '[::1]:27019'];
  // prettier-ignore
  it.each([
    { hosts: HERE, options: { tls: false }, level: 'ok', says: 'without TLS, on this machine', why: 'all members are here' },
    { hosts: ['db-1:27017', ...HERE], options: { tls: false }, level: 'warning', says: 'without TLS to db-1:27017', why: 'the driver goes to each member, also from mongodb://localhost/' },
    { hosts: HERE, passives: ['db-2:27017'], options: { tls: false }, level: 'warning', says: 'without TLS to db-2:27017', why: 'a member that cannot become primary is read from' },
    { hosts: ['db-1:27017', 'db-2:27017'], options: { tls: false }, level: 'warning', says: 'without TLS to db-1:27017, db-2:27017', why: 'each is named' },
    { hosts: ['db-1:27017'], options: { tls: false }, needsTls: false, level: 'ok', says: 'without TLS to db-1:27017, as MONGODB_TLS=off allows', why: 'somebody has decided so' },
    { hosts: ['db-1:27017'], options: { tls: true }, level: 'ok', says: 'with TLS', why: 'it has TLS' },
    { hosts: ['db-1:27017'], options: { tls: false, directConnection: true }, level: 'ok', says: 'without TLS, on this machine', why: 'it stays with the server that is named' },
    { hosts: HERE, options: { tls: false, directConnection: true, hosts: ['db-1:27017'] }, level: 'warning', says: 'without TLS to db-1:27017', why: 'that server is elsewhere' },
    { hosts: undefined, options: { tls: false, hosts: ['db-1:27017'] }, level: 'warning', says: 'without TLS to db-1:27017', why: 'a router and a single server name no members' },
  ])('of members $hosts, connected with $options, is "$says", because $why', async (row) => {
    const { hosts, passives, options, needsTls, level, says: expected } = row;
    const hello = says({ ...HELLO, hosts, passives });
    const found = await look('connection', { hello }, options, needsTls);
    expect(found).toMatchObject({ level, says: expected });
    expect(found.todo !== undefined).toBe(level === 'warning');
  });

  it('never crashes the doctor, where a server knows no command at all', async () => {
    const db = serverOf({}, {});
    for (const examination of serverExaminations(db, true))
      expect((await examine(examination)).level).toMatch(/^(ok|unknown)$/);
  });
});

it.each([
  { levels: [], worst: 'ok' },
  { levels: ['ok', 'unknown'], worst: 'unknown' },
  { levels: ['warning', 'unknown', 'ok'], worst: 'warning' },
  { levels: ['ok', 'fault', 'warning'], worst: 'fault' },
] as const)('of $levels the worst is $worst', ({ levels, worst }) => {
  expect(worstOf(levels.map((level) => ({ name: '', level, says: '' })))).toBe(worst);
});

it('indexes are not made on a 5.0 that still is as 4.4 was', async () => {
  const getParameter = says({ featureCompatibilityVersion: { version: '4.4' } });
  await expect(makeIndexes(serverOf({ ...HEALTHY, getParameter }, {}), false)).rejects.toThrow(
    /^The indexes were not made. The feature compatibility version of the server is 4\.4, expected 5\.0 or newer\. .* Nothing was changed\.$/,
  );
});
