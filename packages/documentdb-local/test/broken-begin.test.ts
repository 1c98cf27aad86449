import { BSON } from 'bson';
import { expect, it } from 'vitest';
import { readCommand } from '../src/command.ts';
import type { Connections } from '../src/connections.ts';
import { Transactions } from '../src/transactions.ts';

it('a transaction whose connection breaks before it begins gives the connection back', async () => {
  const released: unknown[] = [];
  const client = {
    query: () => Promise.reject(new Error('Connection terminated unexpectedly')),
    release: (destroy?: boolean) => released.push(destroy ?? false),
  };
  // Nothing else of them is used here.
  const connections = { take: () => Promise.resolve(client) } as unknown as Connections;
  const transactions = new Transactions(connections);
  const commandOf = (more: object) => {
    const session = { lsid: { id: new BSON.UUID('00000000-0000-4000-8000-000000000001') } };
    const numbered = { ...session, txnNumber: BSON.Long.ONE, autocommit: false, ...more };
    const document = Buffer.from(BSON.serialize({ ping: 1, ...numbered, $db: 'one' }));
    return readCommand({ document, sequences: new Map() });
  };
  const never = () => Promise.reject(new Error('no statement runs'));
  const first = transactions.run(commandOf({ startTransaction: true }), never);
  await expect(first).rejects.toThrow('Connection terminated unexpectedly');
  expect(released).toEqual([true]);
  await expect(transactions.run(commandOf({}), never)).rejects.toMatchObject({ code: 251 });
});
