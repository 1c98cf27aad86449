import { USER_LIFE } from '../support/stored-rules.ts';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { handlersOn } from '../support/service-on-database.ts';
import { environmentOf, makeIndexes, useDatabase } from '../support/database.ts';
import { useFolder } from '../support/folder.ts';
import { listening } from '../support/listening.ts';
import { printedBy } from '../support/run-command.ts';

/** Clears a screen, sets a colour by one character, turns the direction of writing, ends a line. */
const EVIL = 'e\u001b[2J\u009b31m\u202e\u2028\nmore';
const USER = `user:${EVIL}`;

const RULES = [
  {
    ...USER_LIFE,
    title: { en: `for ${EVIL}`, zh: 'turned\u202eround' },
    max: { amount: { by: 'tier', [EVIL]: 5, else: 1000 } },
  },
];

const database = useDatabase();
const folder = useFolder();
let url: string;
const strange = createServer((_request, response) => {
  const problem = { type: 'x', title: 'x', status: 400, code: 'INVALID_REQUEST', detail: EVIL };
  response.setHeader('content-type', 'application/problem+json');
  response.statusCode = 400;
  response.end(JSON.stringify({ ...problem, errors: [] }));
});
beforeAll(async () => {
  await makeIndexes(database.db);
  const set = { AUDIT: 'best-effort', NEAR: 'on' };
  const { check, rollback, subjects } = await handlersOn(database, RULES, set);
  const context = { awsRequestId: 'r-1' };
  const whose = { user: EVIL };
  const order = { orderId: EVIL, subjects: whose, amount: 900, currency: 'CNY' };
  await check(order, context);
  await rollback({ orderId: EVIL, subjects: whose, reason: EVIL }, context);
  await check({ ...order, orderId: `${EVIL}-2`, amount: 1001 }, context);
  await subjects({ operation: 'freeze', kind: 'user', id: EVIL, reason: EVIL }, context);
  folder.write('wrong.yaml', JSON.stringify({ rules: [{ id: EVIL, [EVIL]: 1 }] }));
  url = `http://127.0.0.1:${await listening(strange)}`;
});
afterAll(() => {
  strange.close();
});

const printed = (words: readonly string[]): Promise<string> =>
  printedBy(words, environmentOf(database));

/** Characters that rule a terminal, or look like another order of the text. */
const RULING = /[^\P{C}\n\t]|[\u2028\u2029]/u;

describe('what callers said rules no terminal', () => {
  it.each([
    { words: ['usage', USER], says: 'FROZEN' },
    { words: ['usage', USER, '--json'], says: 'lifetime' },
    { words: ['check', '--dry-run', USER, '--amount', '1', '--currency', 'CNY'], says: 'frozen' },
    { words: ['transaction', EVIL], says: 'rolledBack' },
    { words: ['history', 'transactions', USER], says: 'refused' },
    { words: ['history', 'usage', USER], says: 'PAYMENTS' },
    { words: ['near', '--share', '0.5'], says: 'life' },
    { words: ['terms', 'user', EVIL], says: 'FROZEN' },
    { words: ['terms', 'user', EVIL, '--changes'], says: 'freeze' },
    { words: ['rules', 'history'], says: 'added' },
    { words: ['rules', 'validate', 'wrong.yaml'], says: 'e\\u001b' },
    { words: ['reconcile', '--subject', `user:${EVIL}-nobody`], says: 'no document' },
    { words: [`no\u001b[2Jcommand`], says: 'Unknown command' },
  ])('of headroom $words.0 $words.1', async ({ words, says }) => {
    const text = await printed(
      words.map((word) => (word === 'wrong.yaml' ? folder.path(word) : word)),
    );
    expect(text).toContain(says);
    expect(text).not.toMatch(RULING);
    expect(text).not.toMatch(/^more/m);
  });

  it('nor what a service says that --url names', async () => {
    const text = await printed(['usage', 'user:u-1', '--url', url]);
    expect(text).toContain('e\\u001b[2J');
    expect(text).not.toMatch(RULING);
    expect(text).not.toMatch(/^more/m);
  });

  it('and rules that are exported are the same when they are read again', async () => {
    const text = await printed(['rules', 'export']);
    expect(text).not.toMatch(RULING);
    expect(parse(text)).toEqual({ rules: RULES });
  });
});
