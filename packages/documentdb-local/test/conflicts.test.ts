import { BSON } from 'bson';
import { DatabaseError } from 'pg';
import { expect, it } from 'vitest';
import { readCommand } from '../src/command.ts';
import type { Connections } from '../src/connections.ts';
import { Dispatcher } from '../src/dispatcher.ts';

const identity = {
  ...{ address: '127.0.0.1:1', version: 'none', isSweeping: false },
  connectionCount: () => 1,
};

/** Every use shares these connections. */
const everywhere = (connections: Connections) => ({
  ...{ ordinary: connections, writing: connections, inTransactions: connections },
});

/** Connections whose statements run into a deadlock so often, and are then carried out. */
function deadlocking(times: number) {
  let asked = 0;
  const connections = {
    run() {
      asked += 1;
      if (asked > times)
        return Promise.resolve([[Buffer.from(BSON.serialize({ n: 1, ok: 1 })), true]]);
      const error = new DatabaseError('deadlock detected', 0, 'error');
      error.code = '40P01';
      return Promise.reject(error);
    },
  };
  // Nothing else of them is used here.
  return { connections: connections as unknown as Connections, asked: () => asked };
}

it('a write that meets others is repeated until it is carried out, as MongoDB does', async () => {
  const { connections, asked } = deadlocking(60);
  const dispatcher = new Dispatcher(everywhere(connections), identity);
  const document = Buffer.from(
    BSON.serialize({ delete: 'all', deletes: [{ q: { _id: 1 }, limit: 1 }], $db: 'one' }),
  );
  const answer = await dispatcher.dispatch(readCommand({ document, sequences: new Map() }));
  expect(BSON.deserialize(answer.document)).toMatchObject({ n: 1, ok: 1 });
  expect(asked()).toBe(61);
});

it.each([
  { stage: { $match: { $expr: { $eq: ['$outcome', 'held'] } } }, changes: 0 },
  { stage: { $out: 'other' }, changes: 1 },
])('an aggregation of $stage changes $changes collections', async ({ stage, changes }) => {
  let changed = 0;
  const connections = {
    run: () => Promise.resolve([[Buffer.from(BSON.serialize({ ok: 1 })), null, false, '0']]),
    changeCollections<Result>(run: () => Promise<Result>) {
      changed += 1;
      return run();
    },
  } as unknown as Connections; // nothing else of them is used here
  const dispatcher = new Dispatcher(everywhere(connections), identity);
  const document = Buffer.from(
    BSON.serialize({ aggregate: 'all', pipeline: [stage], cursor: {}, $db: 'one' }),
  );
  const asked = dispatcher.dispatch(readCommand({ document, sequences: new Map() }));
  await asked.catch(() => undefined); // what becomes of it is not asked here
  expect(changed).toBe(changes);
});
