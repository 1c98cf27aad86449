import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listening } from '../support/listening.ts';
import { runCommand } from '../support/run-command.ts';

/** Objects that have the members by which an answer is known, and are none. */
const STRANGE: Readonly<Record<string, object>> = {
  usage: { subjects: {}, rules: [null], frozen: [], now: 1 },
  near: { near: [{}], kept: true, next: null },
  health: { worst: 'ok', findings: [null] },
  caller: { by: null, rights: 1 },
  check: { decision: 'refused', repeated: false, refusedBy: null },
  'transactions/o-1': { state: 'held', history: [{}] },
  transactions: { subjects: 1, transactions: [{}], next: null },
  'usage/history': { subjects: {}, windows: [{ sums: 0 }] },
  summary: { date: '2026-11-20', sums: [{}] },
  'subjects/user/u-1/terms': { subject: {}, overrides: 1 },
  'subjects/user/u-1/freeze': { subject: null, overrides: [] },
  proposals: { proposals: [{}], next: null },
  'proposals/p-1': { state: 'open', decided: 1, id: 2 },
};

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '', 'http://any');
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(STRANGE[pathname.slice('/v1/'.length)] ?? null));
});
let url: string;
beforeAll(async () => {
  url = `http://127.0.0.1:${await listening(server)}`;
});
afterAll(() => {
  server.close();
});

it.each([
  'usage user:u-1',
  'near',
  'doctor',
  'caller',
  'check --dry-run user:u-1 --amount 1 --currency CNY',
  'transaction o-1',
  'history transactions user:u-1',
  'history usage user:u-1',
  'history summary user',
  'terms user u-1',
  'freeze user u-1 --reason lost',
  'proposals list',
  'proposals show p-1',
])('an answer of another shape is told in one sentence by headroom %s', async (line) => {
  const [name = '', ...words] = line.split(' ');
  const { code, err } = await runCommand(name, [...words, '--url', url]);
  expect(code).toBe(2);
  expect(err).toBe(
    `The answer from ${url} is no answer of Headroom: check the address, and any proxy in front of it. The call may have taken effect.\n`,
  );
});
