import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { ensureIndexes } from '../../lib/health/mongo-indexes.ts';
import { useDatabase } from '../support/database.ts';
import { runCommand } from '../support/run-command.ts';
import { callDirectly, getOverHttp, handlersOn } from '../support/service-on-database.ts';
import { startFunction, variablesOf } from '../support/started-function.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

const RULES = [{ id: 'life', per: ['user'], window: 'lifetime', max: { count: 5 } }] as const;

type Told = {
  readonly version: string;
  readonly worst: string;
  readonly findings: readonly {
    readonly name: string;
    readonly level: string;
    readonly says: string;
    readonly todo?: string;
  }[];
};

const database = useDatabase();
beforeEach(async () => {
  await database.db.dropDatabase();
  await ensureIndexes(database.db);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

async function health(): Promise<Told> {
  const { health: handler } = await handlersOn(database, RULES);
  const { status, body } = await getOverHttp(handler, {}, '');
  expect(status).toBe(200);
  return body as unknown as Told; // as the contract says, to which every answer is held
}

/** Where it stands alone, a set of MongoDB of one member is warned of. */
const others = ({ findings }: Told) => findings.filter(({ name }) => name !== 'replica set');

describe('health', () => {
  it('finds nothing wrong with a database as headroom indexes makes it', async () => {
    const told = await health();
    expect(told.version).toMatch(/^\d+\.\d+\.\d+$/);
    for (const { level, name } of others(told))
      expect({ name, level }).not.toMatchObject({ level: 'fault' });
    expect(told.findings.find(({ name }) => name === 'rules')).toEqual({
      ...{
        name: 'rules',
        level: 'ok',
        says: expect.stringMatching(/^1 rule in force, 0 on trial, at revision \d+$/) as string,
      },
    });
  });

  it('finds what the command finds over the database, but plays no payment', async () => {
    await database.db.collection('audit').dropIndex('order_at');
    const told = await health();
    const { out, code } = await runCommand('doctor', ['--json'], variablesOf(database));
    expect(code).toBe(2);
    const { findings } = JSON.parse(out) as Told; // as its page says
    expect(findings.map(({ name }) => name)).toEqual([
      ...told.findings.map(({ name }) => name),
      'probe',
    ]);
    expect(told.worst).toBe('fault');
    const both = [told.findings, findings].map((all) => all.find(({ name }) => name === 'indexes'));
    expect(both[0]).toEqual({
      ...{ name: 'indexes', level: 'fault', says: 'missing: audit.order_at' },
      todo: 'run headroom indexes; until then commits fail on a sharded cluster',
    });
    expect(both[1]).toEqual(both[0]);
  });

  it('is answered to a direct invocation, and takes no field', async () => {
    const { health: handler } = await handlersOn(database, RULES);
    expect(await callDirectly(handler, {})).toMatchObject({
      body: { worst: expect.any(String) as string },
    });
    expect(await getOverHttp(handler, {}, 'probe=1')).toMatchObject({
      status: 400,
      body: {
        code: 'INVALID_REQUEST',
        errors: [{ path: 'probe', expected: 'no field of a query' }],
      },
    });
  });

  it('says in time that the database does not answer, where it is away', async () => {
    const proxy = await startTcpProxy(inject('mongodbUri'));
    const away = { MONGODB_URI: proxy.uri, STORE_TIMEOUT_MS: '300' };
    const handler = await startFunction('health', { ...variablesOf(database), ...away });
    proxy.stop();
    const startedMs = performance.now();
    expect(await getOverHttp(handler, {}, '')).toMatchObject({
      status: 200,
      body: {
        worst: 'fault',
        findings: [
          {
            name: 'database',
            level: 'fault',
            says: 'does not answer within 300 ms',
            todo: expect.stringContaining('MONGODB_URI') as string,
          },
        ],
      },
    });
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  });
});
