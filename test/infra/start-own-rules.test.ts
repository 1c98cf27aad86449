import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { startProgram, endOf, urlOf } from './start-program.ts';
import type { Program } from './start-program.ts';

const TIMEOUT_MS = 120_000;
const RULES = `rules:
  - id: terminal-day
    per: [terminal]
    currency: EUR
    match: { type: SALE }
    window: { unit: day, timeZone: Europe/Berlin }
    max: { amount: 5000 }
`;

const databaseName = `start-${randomUUID().slice(0, 8)}`;
const mongodbUri = inject('mongodbUri');
const client = new MongoClient(mongodbUri);
const folder = mkdtempSync(join(tmpdir(), 'headroom-own-rules-'));
let program: Program;
let url: string;

beforeAll(async () => {
  const file = join(folder, 'rules.yaml');
  writeFileSync(file, RULES);
  const settings = { MONGODB_URI: mongodbUri, MONGODB_DATABASE: databaseName, RULES_FILE: file };
  program = startProgram(settings);
  url = await urlOf(program);
}, TIMEOUT_MS);
afterAll(async () => {
  await endOf(program, (pid) => process.kill(pid, 'SIGTERM'));
  rmSync(folder, { recursive: true });
  await client.db(databaseName).dropDatabase();
  await client.close();
}, TIMEOUT_MS);

it('npm start with rules of one’s own says nothing of the example, and leaves no rows', async () => {
  expect(program.output()).not.toMatch(/POST|CNY|user|merchant|u-1/);
  const db = client.db(databaseName);
  for (const name of ['counters', 'audit', 'near', 'refunds'])
    expect({ name, rows: await db.collection(name).countDocuments() }).toEqual({ name, rows: 0 });
});

it('npm start with rules of one’s own prints a call that meets one of them', async () => {
  const [, body] = /^ {2}curl -s \S+\/v1\/check .* -d '(.*)'$/m.exec(program.output()) ?? [];
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/v1/check`, { method: 'POST', headers, body: body ?? '' });
  expect(await response.json()).toMatchObject({
    ...{ decision: 'allowed', rules: [{ rule: 'terminal-day' }] },
  });
});
