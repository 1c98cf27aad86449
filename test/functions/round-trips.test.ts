import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandStartedEvent, CommandSucceededEvent } from 'mongodb';
import { expect, it } from 'vitest';
import { formatted } from '../../tools/formatted.ts';
import { useDatabase } from '../support/database.ts';
import { callOverHttp, handlersOn } from '../support/service-on-database.ts';
import { exampleRules } from '../support/stored-rules.ts';

const PAGE = join(import.meta.dirname, '../../docs/capacity.md');
const AUDITS = ['off', 'best-effort', 'session'] as const;
/** Noon: no window ends meanwhile. */
const NOON = { 'x-headroom-now': '2026-03-02T12:00:00.500Z' };
const KINDS = [['user'], ['user', 'merchant'], ['user', 'merchant', 'card']];

const database = useDatabase({ monitorCommands: true, withIndexes: true });

/** Counts the requests of a call, and how many of them wait for an answer before, the first one with them. */
async function roundTrips(call: () => Promise<unknown>): Promise<string> {
  const places = new Map<number, number>();
  let requests = 0;
  let waits = 0;
  const start = ({ commandName, requestId }: CommandStartedEvent): void => {
    if (['hello', 'ping', 'endSessions'].includes(commandName)) return;
    requests += 1;
    places.set(requestId, waits + 1);
  };
  const end = ({ requestId }: CommandSucceededEvent): void => {
    waits = Math.max(waits, places.get(requestId) ?? 0);
  };
  database.client.on('commandStarted', start).on('commandSucceeded', end);
  try {
    await call();
  } finally {
    database.client.off('commandStarted', start).off('commandSucceeded', end);
  }
  return `${requests} / ${waits}`;
}

/** A second payment of subjects that paid before, checked and confirmed. */
async function paymentOf(kinds: readonly string[], AUDIT: string) {
  const set = { AUDIT, NEAR: 'on', LOCAL_CLOCK: 'on' };
  const { check, confirm } = await handlersOn(database, exampleRules(), set);
  const name = `${AUDIT}-${kinds.length}`;
  const subjects = Object.fromEntries(kinds.map((kind) => [kind, name]));
  const order = { type: 'PAYMENT', subjects, amount: 120_000, currency: 'CNY' };
  await callOverHttp(check, { ...order, orderId: `${name}-1` }, NOON);
  const orderId = `${name}-2`;
  let reservation: unknown;
  const checked = await roundTrips(async () => {
    const { body } = await callOverHttp(check, { ...order, orderId }, NOON);
    reservation = body.reservation;
  });
  const confirmed = await roundTrips(() => callOverHttp(confirm, { orderId, reservation }, NOON));
  return { checked, confirmed };
}

it('docs/capacity.md has the requests of a payment; write them again with -u', async () => {
  const rows = [];
  for (const kinds of KINDS) {
    const payments = [];
    for (const audit of AUDITS) payments.push(await paymentOf(kinds, audit));
    const cells = payments.flatMap(({ checked, confirmed }) => [checked, confirmed]);
    rows.push(`| ${[kinds.join(', '), ...cells].join(' | ')} |`);
  }
  const columns = AUDITS.flatMap((audit) => [`check, \`${audit}\``, `confirm, \`${audit}\``]);
  const table = [
    `| subjects | ${columns.join(' | ')} |`,
    `| --- | ${columns.map(() => '---').join(' | ')} |`,
    ...rows,
  ].join('\n');
  const page = readFileSync(PAGE, 'utf8');
  const text = page.replace(/^\| subjects +\| check,[\s\S]*?(?=\n\n)/m, () => table);
  await expect(await formatted(PAGE, text)).toMatchFileSnapshot(PAGE);
});
