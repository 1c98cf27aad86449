import { appendFileSync, existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { importFile } from '../../../cli/import/import.ts';
import { readImportOptions } from '../../../cli/import/import-options.ts';
import type { Client } from '../../../cli/import/send.ts';
import { HeadroomClient } from '../../../packages/client/src/index.ts';
import type { HttpService } from '../../client/http-service.ts';
import { startHttpService } from '../../client/http-service.ts';
import { someOf } from '../../support/extent.ts';
import { makeIndexes, useDatabase } from '../../support/database.ts';
import { handlersOn } from '../../support/service-on-database.ts';
import { useFolder } from '../../support/folder.ts';
import { PATIENCE_MS } from '../../support/patient-counters.ts';

const RULES = [
  { id: 'life', per: ['user'], currency: 'CNY', window: 'lifetime', max: { count: 9_999 } },
  { id: 'shop', per: ['merchant'], currency: 'CNY', window: 'lifetime', max: { count: 9_999 } },
];

const database = useDatabase();
const folder = useFolder();
const services = new Map<string, HttpService>();
beforeAll(async () => {
  await makeIndexes(database.db);
  for (const audit of ['best-effort', 'off'])
    services.set(
      audit,
      await startHttpService(await handlersOn(database, RULES, { AUDIT: audit })),
    );
});
afterAll(async () => {
  for (const service of services.values()) await service.stop();
});

class Killed extends Error {}

function clientOf(audit: string): HeadroomClient {
  const { url } = services.get(audit) ?? { url: '' };
  return new HeadroomClient({ url });
}

/** Runs an import without what it prints. */
async function running(path: string, client: Client): Promise<number> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    const options = readImportOptions(path, { delimiter: ',', skipInvalid: true });
    return await importFile(
      options,
      (work) => work(client),
      () => Promise.resolve([]),
    );
  } finally {
    log.mockRestore();
  }
}

/** Ends at one of its calls, before the call is made or once it has taken effect. */
function killedAt(client: Client, call: number, isMade: boolean): Client {
  let calls = 0;
  return {
    async record(request) {
      calls += 1;
      if (calls < call) return client.record(request);
      if (isMade) await client.record(request);
      throw new Killed();
    },
  };
}

/** 250 payments of one user, some of a merchant too, and 3 rows that are not taken: three calls. */
function fileOf(name: string): string {
  const rows = Array.from({ length: 250 }, (_, index) => {
    const amount = index % 100 === 7 ? '1.5' : '1000';
    return `${name}-${index},2026-01-02T09:30:00Z,${amount},CNY,${name},${index % 90 === 0 ? name : ''}`;
  });
  const text = ['orderId,at,amount,currency,user,merchant', ...rows, ''].join('\n');
  return folder.write(`${name}.csv`, text);
}

/** At each of its calls, before the call is made or once it has taken effect. */
const ENDS = [1, 2, 3].flatMap((call) =>
  ['best-effort', 'off'].flatMap((audit) => [
    { audit, call, when: 'before', isMade: false },
    { audit, call, when: 'after', isMade: true },
  ]),
);

const progressOf = (name: string) =>
  JSON.parse(folder.read(`${name}.csv.progress`)) as {
    readonly done: number;
    readonly tally: { readonly counted: number; readonly repeated: number };
  };

describe('an import that is ended', () => {
  it.each(someOf('endedImports', ENDS))(
    '(AUDIT=$audit) $when call $call counts every payment once when it is begun again',
    async ({ audit, call, when, isMade }) => {
      const name = `${audit}-${call}-${when}`;
      const path = fileOf(name);
      const client = clientOf(audit);
      await expect(running(path, killedAt(client, call, isMade))).rejects.toThrow(Killed);
      expect(await running(path, client)).toBe(1); // some rows were not taken
      const { done, tally } = progressOf(name);
      expect(done).toBe(250);
      // The call that took effect untold was made again, and nothing else.
      const again = isMade ? [100, 100, 47][call - 1] : 0;
      expect(tally).toMatchObject({ counted: 247 - Number(again), repeated: again });
      const { rules } = await client.usage({ user: name, merchant: name });
      expect(rules.map((rule) => rule.used)).toEqual([
        { amount: 247_000, count: 247 },
        { amount: 3_000, count: 3 },
      ]);
      expect(folder.read(`${name}.rejected.csv`).trimEnd().split('\n')).toHaveLength(1 + 3);
    },
  );
});

it('two imports of one file at once are one: the second is refused, and the first ends as ever', async () => {
  const path = fileOf('twice');
  const own = clientOf('best-effort');
  let second: unknown;
  const client: Client = {
    async record(request) {
      second ??= await running(path, own).catch((error: unknown) => error);
      return own.record(request);
    },
  };
  expect(await running(path, client)).toBe(1);
  expect(second).toMatchObject({
    name: 'CommandError',
    message: `Not imported: another import of ${path} is running (process ${process.pid}). Wait until it ends.`,
  });
  expect(progressOf('twice')).toMatchObject({ done: 250, tally: { counted: 247 } });
  expect(existsSync(`${path}.progress.lock`)).toBe(false);
});

it('rows that were not taken stand in their file once, though an import ended before it had noted them', async () => {
  const path = fileOf('noted');
  const client = clientOf('off');
  await expect(running(path, killedAt(client, 2, false))).rejects.toThrow(Killed);
  appendFileSync(folder.path('noted.rejected.csv'), 'noted-107,half a ro');
  await running(path, client);
  const orders = folder.read('noted.rejected.csv').trimEnd().split('\n');
  expect(orders.map((line) => line.split(',')[0])).toEqual([
    ...['orderId', 'noted-7', 'noted-107', 'noted-207'],
  ]);
});

it('payments that were not decided are sent again by themselves, the others are not', async () => {
  const path = fileOf('undecided');
  const client = clientOf('best-effort');
  const sent: number[] = [];
  const stuttering: Client = {
    async record(request) {
      sent.push(request.orders.length);
      if (sent.length !== 1) return client.record(request);
      const [first, ...others] = request.orders;
      if (first === undefined) throw new TypeError('there is an order');
      const { results } = await client.record({ orders: others });
      const { orderId } = first;
      const problem = {
        ...{ type: '', title: '', status: 503, detail: 'repeat it', code: 'UNDECIDED' as const },
        requestId: 'r',
      };
      return { results: [{ orderId, problem }, ...results] };
    },
  };
  await running(path, stuttering);
  expect(sent).toEqual([100, 1, 100, 47]);
  const { rules } = await client.usage({ user: 'undecided' });
  expect(rules).toMatchObject([{ used: { count: 247 } }]);
});

it('an answer that does not come is explained: a killed import may have locked the subjects', async () => {
  const path = fileOf('locked');
  const client = clientOf('off');
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  try {
    let calls = 0;
    const waiting: Client = {
      async record(request) {
        calls += 1;
        if (calls === 1) await vi.waitUntil(() => error.mock.calls.length > 0, PATIENCE_MS);
        return client.record(request);
      },
    };
    await running(path, waiting);
    expect(error.mock.calls).toEqual([
      [expect.stringMatching(/^No answer for 3 s: .* locks .* for up to 90 s\. Still asking\.$/)],
    ]);
  } finally {
    error.mockRestore();
  }
});
