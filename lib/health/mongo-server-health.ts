import type { Db, Document } from 'mongodb';
import { MongoServerError } from 'mongodb';
import { SLACK_MS } from '../shared/bounds.ts';
import { INDEXES } from './mongo-indexes.ts';
import { SIGNATURES } from '../callers/mongo-callers.ts';
import type { Examination, Found } from '../../contract/finding.ts';
import { isElsewhere } from '../mongo/elsewhere.ts';
import { isNotTold, reasonOf } from './mongo-examine.ts';
import { fault, ok, warning } from '../../contract/finding.ts';

/** Beyond SLACK_MS every check reads first; half of that leaves a second for the way. */
const CLOCK_MS_MAX = SLACK_MS / 2;

/** A server in the same region answers in a few milliseconds. */
const ROUND_TRIP_MS_MAX = 20;
const PINGS = 15;

/** The TTL monitor sweeps once a minute; what is over for longer was not swept. */
const OVERDUE_MS = 3_600_000;

/** The oldest MongoDB that has what statements use: docs/internals/mongodb.md. */
export const MAJOR_LEAST = 5;

/** Whether a version, such as `4.4.29` or `4.4`, is older than that. */
export function isTooOld(version: string): boolean {
  return Number(version.split('.')[0]) < MAJOR_LEAST;
}

/** Looks at the server itself. */
export function serverExaminations(db: Db, needsTls: boolean): readonly Examination[] {
  return [
    { name: 'server', look: () => lookAtVersion(db) },
    { name: 'connection', look: () => lookAtConnection(db, needsTls) },
    { name: 'replica set', look: () => lookAtSet(db) },
    { name: 'write concern', look: () => lookAtWriteConcern(db) },
    { name: 'round trip', look: () => lookAtRoundTrip(db) },
    { name: 'clock', look: () => lookAtClock(db) },
    { name: 'TTL monitor', look: () => lookAtTtlMonitor(db) },
  ];
}

/** The driver connects to each member under the name that the set has for it, whatever MONGODB_URI names. */
async function lookAtConnection(db: Db, needsTls: boolean): Promise<Found> {
  const { tls, directConnection, hosts: named } = db.client.options;
  if (tls) return ok('with TLS');
  const { hosts, passives } = await db.admin().command({ hello: 1 });
  const members = directConnection ? [] : [hosts, passives].flatMap(namesOfServers);
  // A router and a single server have no members.
  const reached = members.length > 0 ? members : named.map(String);
  const elsewhere = reached.filter(isElsewhere);
  if (elsewhere.length === 0) return ok('without TLS, on this machine');
  const says = `without TLS to ${elsewhere.join(', ')}`;
  if (!needsTls) return ok(`${says}, as MONGODB_TLS=off allows`);
  return warning(
    says,
    'add tls=true to MONGODB_URI, or set MONGODB_TLS=off where the network is yours alone',
  );
}

function namesOfServers(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
}

async function build(db: Db) {
  const { version, modules, gitVersion } = await db.admin().command({ buildInfo: 1 });
  const isDocumentDB = /documentdb/i.test(JSON.stringify([modules, gitVersion]));
  return { isDocumentDB, version: String(version) };
}

async function lookAtVersion(db: Db): Promise<Found> {
  const { isDocumentDB, version } = await build(db);
  if (isDocumentDB) return ok(`DocumentDB, which answers like MongoDB ${version} does`);
  if (isTooOld(version))
    return fault(
      `MongoDB ${version}, older than ${MAJOR_LEAST}.0`,
      `upgrade the server: the statements need MongoDB ${MAJOR_LEAST}.0`,
    );
  const feature = await featureVersion(db);
  if (feature === undefined || !isTooOld(feature)) return ok(`MongoDB ${version}`);
  return fault(
    `MongoDB ${version} at feature compatibility version ${feature}, older than ${MAJOR_LEAST}.0`,
    `set setFeatureCompatibilityVersion to ${MAJOR_LEAST}.0 or newer: older versions allow no two indexes of the same keys`,
  );
}

/**
 * The version whose features are on; undefined where the server does not say. An upgrade does not raise it.
 * Source: mongodb/mongo, jstests/multiVersion/downgrade_conflicting_indexes.js.
 */
export async function featureVersion(db: Db): Promise<string | undefined> {
  const told: unknown = await parameter(db, 'featureCompatibilityVersion');
  if (typeof told !== 'object' || told === null || !('version' in told)) return undefined;
  return String(told.version);
}

/** Undefined where the server does not tell. A router does not know what its shards have set. */
async function parameter(db: Db, name: string): Promise<unknown> {
  try {
    const told: Document = await db.admin().command({ getParameter: 1, [name]: 1 });
    return told[name];
  } catch (error) {
    if (error instanceof MongoServerError) return undefined;
    throw error;
  }
}

async function lookAtSet(db: Db): Promise<Found> {
  const hello = await db.admin().command({ hello: 1 });
  if (hello.msg === 'isdbgrid') return lookAtRouter(db);
  if (typeof hello.setName !== 'string')
    return fault(
      'none: a server alone',
      'start it with --replSet and initiate the set. Refunds and AUDIT=session need commits of several documents',
    );
  const countIn = (list: unknown): number => (Array.isArray(list) ? list.length : 0);
  const members = countIn(hello.hosts);
  const arbiters = countIn(hello.arbiters);
  const set = `${hello.setName}, ${members} that can become primary`;
  if (arbiters > 0)
    return warning(
      `${set}, and an arbiter`,
      'replace it by a member with data: if one of two is down, writes wait for a majority, and calls answer UNDECIDED',
    );
  if (members >= 3 || (await build(db)).isDocumentDB) return ok(set);
  return warning(set, 'run three members: with fewer, no member can take over');
}

/** The first release of 5.0 whose shards all show a commit before it is answered. */
const SHOWN_BY_ALL = 10;

/**
 * Until then a commit over several shards was answered once one of them had decided it
 * (`coordinateCommitReturnImmediatelyAfterPersistingDecision`): the next call did not find the order. A router does
 * not know what its shards have set, but it is upgraded after them.
 * Source: SERVER-63971; mongodb/mongo, src/mongo/db/s/transaction_coordinator_service.cpp.
 */
async function lookAtRouter(db: Db): Promise<Found> {
  const { version } = await build(db);
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => parseInt(part, 10));
  if (major > 5 || (major === 5 && minor > 0)) return ok('a router of a sharded cluster');
  const router = `a router of MongoDB ${version}`;
  if (major < 5 || patch < SHOWN_BY_ALL)
    return fault(
      `${router}, older than 5.0.${SHOWN_BY_ALL}`,
      `upgrade the cluster to 5.0.${SHOWN_BY_ALL} or newer: older shards may hide an order from the call after its check`,
    );
  return warning(
    `${router}, older than 5.1`,
    'upgrade the cluster to 5.1 or newer: older routers cannot answer GET /v1/summary',
  );
}

/** How long a majority may take to have that document, in milliseconds. */
const WRITE_MS = 5_000;

/** How long the document of a look is kept, if its end is lost, in milliseconds. */
const LOOK_MS = 60_000;

/** Writes a document of nobody's, and deletes it. A write that finds nothing would pass on a full disk. */
async function lookAtWriteConcern(db: Db): Promise<Found> {
  const signatures = db.collection<{ readonly _id: string; readonly expireAt: Date }>(SIGNATURES);
  const nobody = { _id: 'headroom-doctor:nobody' };
  const bounded = {
    writeConcern: { w: 'majority', wtimeoutMS: WRITE_MS },
    maxTimeMS: 2 * WRITE_MS,
  } as const;
  const startedMs = performance.now();
  let acknowledged: boolean;
  try {
    const update = { $set: { expireAt: new Date(Date.now() + LOOK_MS) } };
    ({ acknowledged } = await signatures.updateOne(nobody, update, { upsert: true, ...bounded }));
  } catch (error) {
    if (!(error instanceof MongoServerError) || isNotTold(error)) throw error;
    return fault(
      `a write failed: ${reasonOf(error)}`,
      'see whether the disk of the database is full, and look at its log: until writes succeed, calls are UNDECIDED',
    );
  }
  const tookMs = Math.round(performance.now() - startedMs);
  await signatures.deleteOne(nobody, bounded);
  return acknowledged
    ? ok(`majority, acknowledged in ${tookMs} ms, which every statement uses`)
    : fault('majority was not acknowledged', 'check that a majority of the members with data runs');
}

async function lookAtRoundTrip(db: Db): Promise<Found> {
  const tookMs: number[] = [];
  for (let ping = 0; ping < PINGS; ping++) {
    const startedMs = performance.now();
    await db.command({ ping: 1 });
    tookMs.push(performance.now() - startedMs);
  }
  const medianMs = tookMs.toSorted((one, other) => one - other)[Math.floor(PINGS / 2)] ?? 0;
  const says = `${medianMs.toFixed(1)} ms from here, the median of ${PINGS}`;
  return medianMs <= ROUND_TRIP_MS_MAX
    ? ok(says)
    : warning(
        says,
        'run the functions near the database: a check takes one round trip, a few with several subjects',
      );
}

/** The server reads its clock between question and answer: the difference is known up to half of that. */
async function lookAtClock(db: Db): Promise<Found> {
  const askedAtMs = Date.now();
  const startedMs = performance.now();
  const { localTime } = await db.admin().command({ hello: 1 });
  const tookMs = performance.now() - startedMs;
  if (!(localTime instanceof Date))
    return { level: 'unknown', says: 'the time: this server does not say' };
  const aheadMs = Math.round(localTime.getTime() - (askedAtMs + tookMs / 2));
  const says = `the server is ${Math.abs(aheadMs)} ms ${aheadMs < 0 ? 'behind' : 'ahead of'} this machine, give or take ${Math.ceil(tookMs / 2)} ms`;
  return Math.abs(aheadMs) - tookMs / 2 <= CLOCK_MS_MAX
    ? ok(says)
    : warning(
        says,
        'use NTP on both. Answers stay right, but checks get slower: above one second if the network is slow, above two seconds always',
      );
}

async function lookAtTtlMonitor(db: Db): Promise<Found> {
  const before = new Date(Date.now() - OVERDUE_MS);
  const overdue: string[] = [];
  for (const { collection, keys, options } of INDEXES) {
    if (options.expireAfterSeconds === undefined) continue;
    const [field = 'expireAt'] = Object.keys(keys);
    const one = await db.collection(collection).findOne({ [field]: { $lt: before } });
    if (one !== null) overdue.push(collection);
  }
  const isOn = await parameter(db, 'ttlMonitorEnabled');
  if (isOn === false && !(await build(db)).isDocumentDB)
    return warning(
      'turned off',
      'turn it on (setParameter ttlMonitorEnabled true), unless npm start runs here: without it answers stay right, but nothing is deleted',
    );
  if (overdue.length > 0)
    return warning(
      `${overdue.join(', ')} contain documents that expired more than an hour ago`,
      'find out why the server does not delete them (npm start turns that off): answers stay right, but the collections grow',
    );
  const swept = 'nothing is left that was over an hour ago';
  if (typeof isOn === 'boolean') return ok(`${isOn ? 'on' : 'off, as npm start has it'}; ${swept}`);
  return ok(`${swept}; this server does not say whether it is on`);
}
