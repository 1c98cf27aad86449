import { BSON } from 'bson';
import { expect, it } from 'vitest';
import { readCommand } from '../src/command.ts';
import type { Connections } from '../src/connections.ts';
import { Dispatcher } from '../src/dispatcher.ts';

/** Connections that only note what is asked of them: text and values. */
function noting() {
  const asked: (readonly [string, readonly unknown[]])[] = [];
  const connections = {
    run(text: string, values: readonly unknown[]) {
      asked.push([text, values]);
      const isWrite = text.includes('documentdb_api.insert');
      return Promise.resolve(isWrite ? [[Buffer.from(BSON.serialize({ n: 1, ok: 1 })), true]] : []);
    },
  };
  // Nothing else of them is used here.
  return { connections: connections as unknown as Connections, asked };
}

/** Every use shares these connections. */
const everywhere = (connections: Connections) => ({
  ...{ ordinary: connections, modifying: connections, inTransactions: connections },
});

it.each([
  { keepsData: true, statements: 2, why: 'another adapter may be asked to repeat it' },
  { keepsData: false, statements: 1, why: 'this adapter remembers it, and none comes after it' },
])(
  'a write to data that are kept ($keepsData) takes $statements statements, because $why',
  async ({ keepsData, statements }) => {
    const { connections, asked } = noting();
    const dispatcher = new Dispatcher(everywhere(connections), {
      ...{ address: '127.0.0.1:1', version: 'none', keepsData, isSweeping: false },
      connectionCount: () => 1,
    });
    const document = Buffer.from(
      BSON.serialize({
        ...{ insert: 'all', documents: [{ _id: 1 }], $db: 'one' },
        ...{ lsid: { id: new BSON.UUID() }, txnNumber: BSON.Long.fromNumber(1) },
      }),
    );
    await dispatcher.dispatch(readCommand({ document, sequences: new Map() }));
    await dispatcher.tidy();
    const [, values = []] = asked.find(([text]) => text.includes('documentdb_api.insert')) ?? [];
    expect({ statements: asked.length - (keepsData ? 1 : 0), isNamed: values[3] !== null }).toEqual(
      {
        statements,
        isNamed: keepsData,
      },
    );
  },
);
