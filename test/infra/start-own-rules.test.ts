import { afterAll, beforeAll, expect, it } from 'vitest';
import { environmentOf, useDatabase } from '../support/database.ts';
import { useFolder } from '../support/folder.ts';
import { startProgram, endOf, urlOf } from './start-program.ts';
import type { Program } from './start-program.ts';

const TIMEOUT_MS = 600_000;
const RULES = `rules:
  - id: terminal-day
    per: [terminal]
    currency: EUR
    match: { type: SALE }
    window: { unit: day, timeZone: Europe/Berlin }
    max: { amount: 5000 }
  - id: terminal-week
    per: [terminal]
    currency: EUX
    match: { type: SALE }
    window: { unit: week, timeZone: Europe/Berlin }
    max: { amount: 20000 }
`;

const database = useDatabase();
const folder = useFolder();
let program: Program;
let url: string;

beforeAll(async () => {
  const file = folder.write('rules.yaml', RULES);
  program = startProgram({ ...environmentOf(database), RULES_FILE: file });
  url = await urlOf(program);
}, TIMEOUT_MS);
afterAll(async () => {
  await endOf(program, (pid) => process.kill(pid, 'SIGTERM'));
}, TIMEOUT_MS);

it('npm start with rules of one’s own says nothing of the example, and leaves no rows', async () => {
  expect(program.output()).not.toMatch(/POST|CNY|user|merchant|u-1/);
  const { db } = database;
  for (const name of ['counters', 'audit', 'near', 'refunds'])
    expect({ name, rows: await db.collection(name).countDocuments() }).toEqual({ name, rows: 0 });
});

it('npm start with rules of one’s own warns of what may be mistyped in them, and of nothing else', () => {
  expect(program.output().match(/^Warning: .*$/gm)).toEqual([
    'Warning: terminal-week: ISO 4217 has no currency EUX. Is it mistyped? If it is a code of your own, say its `digits`.',
  ]);
});

it('npm start with rules of one’s own prints a call that meets one of them', async () => {
  const [, body] = /^ {2}curl -s \S+\/v1\/check .* -d '(.*)'$/m.exec(program.output()) ?? [];
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/v1/check`, { method: 'POST', headers, body: body ?? '' });
  expect(await response.json()).toMatchObject({
    ...{ decision: 'allowed', rules: [{ rule: 'terminal-day' }] },
  });
});
