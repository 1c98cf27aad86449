import { BSON } from 'bson';
import { DatabaseError } from 'pg';
import { expect, it } from 'vitest';
import { readCommand } from '../src/command.ts';
import type { Connections } from '../src/connections.ts';
import { answer } from '../src/handler.ts';
import { Transactions } from '../src/transactions.ts';

/** Transactions over one connection, which fails from a statement on that begins so. */
function failingAt(statement: string, error: Error) {
  const released: unknown[] = [];
  let isBroken = false;
  const client = {
    query(text: string) {
      isBroken ||= text.startsWith(statement);
      return isBroken ? Promise.reject(error) : Promise.resolve({ rows: [] });
    },
    release: (destroy?: boolean) => released.push(destroy ?? false),
  };
  // Nothing else of them is used here.
  const connections = { take: () => Promise.resolve(client) } as unknown as Connections;
  return { released, transactions: new Transactions(connections) };
}

const BROKEN = new Error('Connection terminated unexpectedly');

const commandOf = (more: object) => {
  const session = { lsid: { id: new BSON.UUID('00000000-0000-4000-8000-000000000001') } };
  const numbered = { ...session, txnNumber: BSON.Long.ONE, autocommit: false };
  const document = Buffer.from(BSON.serialize({ ...more, ...numbered, $db: 'one' }));
  return readCommand({ document, sequences: new Map() });
};
const never = () => Promise.reject(new Error('no statement runs'));
const done = () => Promise.resolve(answer(BSON.serialize({ ok: 1 })));

it('a transaction whose connection breaks before it begins gives the connection back', async () => {
  const { released, transactions } = failingAt('BEGIN', BROKEN);
  const first = transactions.run(commandOf({ ping: 1, startTransaction: true }), never);
  await expect(first).rejects.toThrow('Connection terminated unexpectedly');
  expect(released).toEqual([true]);
  await expect(transactions.run(commandOf({ ping: 1 }), never)).rejects.toMatchObject({
    code: 251,
  });
});

it.each([
  { error: BROKEN, again: 91, why: 'nobody knows whether it was committed' },
  {
    error: Object.assign(new DatabaseError('could not serialize', 1, 'error'), {
      ...{ severity: 'ERROR', code: '40001' },
    }),
    again: 251,
    why: 'it was not committed',
  },
])('a commit that failed is answered by $again when it is repeated: $why', async (row) => {
  const { released, transactions } = failingAt('COMMIT', row.error);
  await transactions.run(commandOf({ ping: 1, startTransaction: true }), done);
  const commit = () => transactions.run(commandOf({ commitTransaction: 1 }), never);
  await expect(commit()).rejects.toThrow(row.error.message);
  expect(released).toEqual([true]);
  await expect(commit()).rejects.toMatchObject({ code: row.again });
});
