/** Every write has a bound that the server keeps, so that none is done once nobody waits for it. */
import type { CommandStartedEvent } from 'mongodb';
import ts from 'typescript-api';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { sentDuring } from '../support/limits-fixture.ts';
import { callRules } from '../support/rules-call.ts';
import { callOverHttp, handlersOn } from '../support/service-on-database.ts';
import type { Source } from '../support/sources.ts';
import { sourcesBelow } from '../support/sources.ts';
import { USER_DAY } from '../support/stored-rules.ts';
import { callSubjects } from '../support/subjects-call.ts';

const database = useDatabase({ monitorCommands: true, withIndexes: true });

const STORE_TIMEOUT_MS = 15_000;
/** Nine tenths of it. */
const SERVER_MS = 13_500;

const COMMANDS = ['insert', 'update', 'delete', 'findAndModify', 'commitTransaction'];

function isWrite({ commandName }: CommandStartedEvent): boolean {
  return COMMANDS.includes(commandName);
}

/** A read of a commit may wait for another commit, and nothing ends its own commit meanwhile. */
function isReadInCommit({ commandName, command }: CommandStartedEvent): boolean {
  return commandName === 'find' && command.autocommit === false;
}

describe.each(['best-effort', 'session'])('with AUDIT=%s', (AUDIT) => {
  it('each write that a call sends has its maxTimeMS, in a commit and outside', async () => {
    for (const name of ['rules', 'rule_versions'])
      await database.db.collection(name).deleteMany({});
    const set = { AUDIT, NEAR: 'on', STORE_TIMEOUT_MS: String(STORE_TIMEOUT_MS) };
    const handlers = await handlersOn(database, [USER_DAY], set);
    const [first, second] = [`${AUDIT}-1`, `${AUDIT}-2`];
    const subjects = { user: AUDIT };
    const order = { type: 'PAYMENT', subjects, amount: 400, currency: 'CNY' };
    const sent = await sentDuring(database.client, async () => {
      const asked = async (call: keyof typeof handlers, body: object): Promise<void> => {
        expect(await callOverHttp(handlers[call], body)).toMatchObject({ status: 200 });
      };
      await asked('check', { ...order, orderId: first });
      await asked('confirm', { orderId: first, subjects });
      await asked('refund', { orderId: first, refundId: 'r-1' });
      await asked('check', { ...order, amount: 10, orderId: second });
      await asked('rollback', { orderId: second, subjects });
      const headers = { 'x-actor': 'jane' };
      const freeze = { method: 'PUT', path: 'freeze', id: AUDIT, body: { reason: 'r' } } as const;
      expect(await callSubjects(handlers.subjects, { ...freeze, headers })).toMatchObject({
        status: 200,
      });
      const rule = { ...USER_DAY, max: { amount: 600 } };
      const put = { method: 'PUT', id: 'user-day', body: { rule, reason: 'r' } } as const;
      expect(
        await callRules(handlers.rules, { ...put, headers: { ...headers, 'if-match': '"1"' } }),
      ).toMatchObject({ status: 200 });
    });
    const writes = sent.filter(isWrite);
    const reads = sent.filter(isReadInCommit);
    expect(reads.length).toBeGreaterThan(0);
    const unbounded = [...writes, ...reads].filter(
      ({ command: { maxTimeMS } }) => !(maxTimeMS <= SERVER_MS),
    );
    expect(unbounded.map(({ command }) => command)).toEqual([]);
    const names = writes.map(({ commandName, command }) => String(command[commandName]));
    expect([...new Set(names)].toSorted()).toEqual([
      ...['1', 'audit', 'audit_settings', ...(AUDIT === 'session' ? ['chains'] : [])],
      ...['counters', 'near', 'refunds'],
      ...['rule_versions', 'rules', 'terms_changes'],
    ]);
  });
});

const METHODS: ReadonlySet<string> = new Set([
  ...['insertOne', 'insertMany', 'updateOne', 'updateMany', 'replaceOne', 'deleteOne'],
  ...['deleteMany', 'bulkWrite', 'findOneAndUpdate', 'findOneAndReplace', 'findOneAndDelete'],
]);

/** Calls of the driver that write; each with the names in its arguments. */
function writesIn({ path, tree }: Source) {
  const found: { readonly at: string; readonly names: ReadonlySet<string> }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const method = node.expression.name.text;
      const given = node.arguments.map((argument) => argument.getText(tree)).join(' ');
      const names = new Set(given.match(/\w+/g));
      if (METHODS.has(method)) found.push({ at: `${path}: ${method}`, names });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

it('no file of the library writes without one', () => {
  const writes = sourcesBelow('lib').flatMap(writesIn);
  const bounds = ['bounded', 'inCommit', 'BOUNDED'];
  const unbounded = writes.filter(({ names }) => !bounds.some((bound) => names.has(bound)));
  expect(unbounded.map(({ at }) => at)).toEqual([]);
  expect(writes.length).toBeGreaterThan(20);
});
