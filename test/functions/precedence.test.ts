import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { formatted } from '../../tools/formatted.ts';
import type { Condition, Precedence } from '../cases/precedence.ts';
import { PRECEDENCE } from '../cases/precedence.ts';
import { sendTo } from '../openapi/rules-and-orders.ts';
import { useDatabase } from '../support/database.ts';
import type { Handlers } from '../support/handlers.ts';
import { handlersOn } from '../support/service-on-database.ts';

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'internals', 'precedence.md');
const RULES = [
  { id: 'user-life', per: ['user'], currency: 'CNY', window: 'lifetime', max: { amount: 500 } },
];
/** One rule more, which requires a name of everybody. */
const STRICT = [
  ...RULES,
  { ...RULES[0], id: 'strict', window: 'transaction', max: { amount: 1_000 }, require: ['tier'] },
];
const OPEN_MAX = 2;
const SET = { LOCAL_CLOCK: 'on', AUDIT: 'off', MAX_OPEN_HOLDS: String(OPEN_MAX) };
const THEN = '2026-03-02T10:00:00.000Z';
/** After a hold of 15 minutes. */
const LATER = '2026-03-02T10:16:00.000Z';

const database = useDatabase();
let handlers: Handlers;
beforeEach(async () => {
  handlers = await handlersOn(database, RULES, SET);
});

type Fields = Readonly<Record<string, unknown>>;

async function send(call: Precedence['call'], body: Fields, at = THEN) {
  return sendTo(handlers, call, body, { 'x-headroom-now': at });
}

async function sent(call: Precedence['call'], body: Fields): Promise<void> {
  expect(await send(call, body)).toMatchObject({ status: 200 });
}

/** Makes the conditions true of an order, and gives the body that asks about it. */
async function made(
  { call, conditions }: Precedence,
  user: string,
): Promise<{ readonly body: Fields; readonly at: string }> {
  const is = (condition: Condition): boolean => conditions.includes(condition);
  const place = { orderId: 'o-1', subjects: { user } };
  const order = { ...place, amount: 300, currency: 'CNY' };
  if (is('the order is held with another amount')) await sent('check', { ...order, amount: 200 });
  else if (!is('the order is unknown') && (call !== 'check' || isKnown(conditions)))
    await sent('check', order);
  if (is('the order was rolled back')) await sent('rollback', place);
  if (is('the order is confirmed')) await sent('confirm', place);
  if (is('a rule is exceeded')) await sent('check', { ...order, orderId: 'o-2' });
  if (is('the open holds are as many as may be')) await fill(user);
  if (is('the subject is frozen')) await freeze(user);
  if (is('a required name is missing')) handlers = await handlersOn(database, STRICT, SET);
  const asked = call === 'check' ? order : place;
  const body = is('the request has a field that nobody knows') ? { ...asked, colour: 1 } : asked;
  return { body, at: is('the hold has expired') ? LATER : THEN };
}

const isKnown = (conditions: readonly Condition[]): boolean =>
  conditions.some((one) => one.startsWith('the order '));

/** Holds nothing, as often as there is a place. */
async function fill(user: string): Promise<void> {
  const order = { subjects: { user }, amount: 0, currency: 'CNY' };
  for (let place = 0; place < OPEN_MAX; place++)
    await send('check', { ...order, orderId: `place-${place}` });
  const next = await send('check', { ...order, orderId: 'no place' });
  expect(next).toMatchObject({ body: { code: 'TOO_MANY_OPEN_HOLDS' } });
}

async function freeze(user: string): Promise<void> {
  const request = { operation: 'freeze', kind: 'user', id: user, reason: 'a lost card' };
  const reply = await handlers.subjects(request, { awsRequestId: 'request-1' });
  expect(reply).toMatchObject({ freeze: { inForce: true } });
}

const rows = PRECEDENCE.map((row, index) => ({ ...row, index, when: row.conditions.join('; ') }));

describe('of several answers that would be true the first is given', () => {
  it.each(rows)('$call, $when: $answer', async (row) => {
    const { body, at } = await made(row, `u-${row.index}`);
    const { status, answer } = row;
    expect(await send(row.call, body, at)).toMatchObject({ status, body: answer });
  });

  it('docs/internals/precedence.md has the table; write it again with -u', async () => {
    const lines = rows.map(({ call, conditions, answer }) => {
      const told = Object.entries(answer).map(([name, value]) => `${name} \`${String(value)}\``);
      return `| ${call} | ${conditions.join('; ')} | ${told.join(', ')} |`;
    });
    const text = [
      '# Which answer comes first',
      '',
      'For anyone who changes Headroom, or reads an answer that they did not expect. If several answers would be true, you will know which one comes first.',
      '',
      'Example: a check whose order was rolled back, of a frozen subject, above a maximum, answers `ALREADY_ROLLED_BACK`.',
      '',
      'The first row of each call has all conditions at once. Each further row has one condition less, or the next state of the order. `test/functions/precedence.test.ts` plays each row through the functions, and writes this page.',
      '',
      '| call | what is true | answer |',
      '| --- | --- | --- |',
      ...lines,
    ].join('\n');
    await expect(await formatted(PAGE, text)).toMatchFileSnapshot(PAGE);
  });
});
