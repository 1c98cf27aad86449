/** Writes beside the counters, whose answers are lost, or that meet a member that is not the primary. */
import { randomUUID } from 'node:crypto';
import type { Db, MongoClient } from 'mongodb';
import { MongoServerError, MongoWriteConcernError } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { auditCollection, mongoAuditStore } from '../../lib/audit/mongo-audit-store.ts';
import type { AuditRow } from '../../lib/audit/audit.ts';
import { insertApp, replaceApp, takeSignature } from '../../lib/callers/mongo-callers.ts';
import { createClient } from '../../lib/mongo/client.ts';
import { sentOnce } from '../../lib/mongo/failure.ts';
import { LostAnswerError, UndecidedError } from '../../lib/shared/errors.ts';
import { useDatabase } from '../support/database.ts';
import type { TcpProxy } from '../support/tcp-proxy.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { PATIENCE_MS } from '../support/patient-counters.ts';

const database = useDatabase();
let proxy: TcpProxy;
let client: MongoClient;
let db: Db;

beforeAll(async () => {
  proxy = await startTcpProxy(inject('mongodbUri'));
  client = createClient(proxy.uri, PATIENCE_MS);
  db = client.db(database.db.databaseName);
});
afterAll(async () => {
  await client.close();
  proxy.stop();
});

const EXPIRE_AT = new Date('2030-01-01T00:00:00.000Z');

const appOf = (id: string, sealed = randomUUID()) => ({
  id,
  ...{ status: 'active' as const, operations: ['check'], rights: [] },
  secrets: [{ id: 's-1', sealed, createdAt: new Date('2026-03-02T10:00:00.000Z') }],
});

const rowOf = (orderId: string): AuditRow => ({
  id: `default:${orderId}:nonce:held`,
  ...{ appId: 'default', orderId, operation: 'check', outcome: 'held', effective: true },
  ...{ at: new Date(), subjects: {}, violations: [], documents: ['user:u'], shares: [] },
});

const FAULTS = [
  'not-primary',
  'interrupted',
  'interrupted-after',
  'answer-lost',
  'request-lost',
] as const;

describe.each(FAULTS)('the first write meets %s', (fault) => {
  const breaking = () => {
    proxy.set({ fault, after: 0, times: 1 });
  };

  it('an application is stored, and stored once', async () => {
    const app = appOf(`app-${fault}`);
    breaking();
    expect(await insertApp(db, app)).toBe(true);
    expect(proxy.faultCount()).toBe(1);
    expect(await insertApp(db, appOf(app.id))).toBe(false);
    breaking();
    expect(await replaceApp(db, { ...app, version: 1, operations: [] })).toBe(true);
    expect(await replaceApp(db, { ...app, version: 1 })).toBe(false);
  });

  it('a row of the audit is there once', async () => {
    const store = mongoAuditStore(auditCollection(db), 400, PATIENCE_MS, PATIENCE_MS);
    const row = rowOf(`row-${fault}`);
    breaking();
    await store.append([row]);
    expect(proxy.faultCount()).toBe(1);
    expect(await auditCollection(db).countDocuments({ _id: row.id })).toBe(1);
  });

  it('a signature is taken once, and its call is never told that somebody sends it again', async () => {
    const take = () => takeSignature(db, `signature-${fault}`, EXPIRE_AT, PATIENCE_MS);
    breaking();
    const answer = await take().catch((error: unknown) => error);
    if (fault === 'not-primary') expect(answer).toBe(true);
    else expect(answer).toBeInstanceOf(UndecidedError);
    await take().catch(() => undefined);
    expect(await take()).toBe(false);
  });
});

describe('a write that must not be done twice', () => {
  const notPrimary = () => new MongoServerError({ message: 'not primary', code: 10107 });

  it('is sent as often as a member says that it is not the primary, and not after its time', async () => {
    let sent = 0;
    const endsAtMs = performance.now() + 200;
    const write = () => {
      sent += 1;
      return Promise.reject(notPrimary());
    };
    await expect(sentOnce(write, endsAtMs)).rejects.not.toBeInstanceOf(LostAnswerError);
    expect(sent).toBeGreaterThan(1);
    const until = sent;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(sent).toBe(until);
  });

  it('is sent once where it may have been done, and tells how long there is to look', async () => {
    const endsAtMs = performance.now() + PATIENCE_MS;
    const write = () => Promise.reject(new MongoServerError({ message: 'x', code: 11602 }));
    const lost = await sentOnce(write, endsAtMs).catch((error: unknown) => error);
    expect(lost).toBeInstanceOf(LostAnswerError);
    expect(lost).toMatchObject({ endsAtMs, code: 'UNDECIDED' });
  });

  it('is over where the server ended it: there is no time to look, or to send it again', async () => {
    const given: number[] = [];
    const write = (maxTimeMS: number) => {
      given.push(maxTimeMS);
      return Promise.reject(new MongoServerError({ message: 'exceeded time limit', code: 50 }));
    };
    const error = await sentOnce(write, performance.now() + 10_000).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(UndecidedError);
    expect(error).not.toBeInstanceOf(LostAnswerError);
    expect(given).toHaveLength(1);
    // Nine tenths of the time: the rest is for the way.
    expect(given[0]).toBeGreaterThan(8_000);
    expect(given[0]).toBeLessThanOrEqual(9_000);
  });

  it('is looked for where its write concern ran out of time: it was done there', async () => {
    const writeConcernError = { code: 50, errmsg: 'operation exceeded time limit' };
    const write = () => Promise.reject(new MongoWriteConcernError({ writeConcernError, ok: 1 }));
    const error = await sentOnce(write, performance.now() + PATIENCE_MS).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(LostAnswerError);
  });

  it('is not sent again by the driver once its time is over', async () => {
    let waits: AbortSignal | undefined;
    const write = (_maxTimeMS: number, signal: AbortSignal | undefined) => {
      waits = signal;
      if (signal === undefined) return Promise.reject(notPrimary());
      return new Promise<never>((_, fail) => {
        signal.addEventListener('abort', () => {
          fail(new Error('aborted'));
        });
      });
    };
    await expect(sentOnce(write, performance.now() + 100)).rejects.toBeInstanceOf(UndecidedError);
    await expect.poll(() => waits?.aborted).toBe(true);
  });
});
