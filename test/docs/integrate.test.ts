import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { environmentOf, useDatabase } from '../support/database.ts';
import { useFolder } from '../support/folder.ts';
import { withinOneDay } from '../support/midnight.ts';
import { endOf, startProgram, urlOf } from '../infra/start-program.ts';
import type { Program } from '../infra/start-program.ts';
import { pageAt, ROOT } from './pages.ts';

const run = promisify(execFile);
const CLIENT = join(ROOT, 'packages', 'client');
const database = useDatabase();
const folder = useFolder();
const blocks = pageAt('docs/integrate.md').tokens.flatMap((token) =>
  token.type === 'code' ? [{ lang: String(token.lang), text: `${String(token.text)}\n` }] : [],
);
const [shop = '', payments = '', timeout = '', stripe = ''] = blocks.flatMap(({ lang, text }) =>
  lang === 'js' ? [text] : [],
);
let program: Program;
let url: string;

beforeAll(async () => {
  program = startProgram(environmentOf(database));
  const installed = folder.path('node_modules/@headroom-limits/client');
  mkdirSync(installed, { recursive: true });
  await run(process.execPath, ['build.mjs', join(installed, 'dist')], { cwd: CLIENT });
  cpSync(join(CLIENT, 'package.json'), join(installed, 'package.json'));
  folder.write('shop.mjs', shop);
  folder.write('stripe-bank.mjs', stripe);
  url = await urlOf(program);
});

afterAll(() => endOf(program, (pid) => process.kill(pid, 'SIGTERM')));

/** Runs a program of the reader, in a thread: it begins sooner than a process. */
async function printedBy(source: string, address = url): Promise<string> {
  const env = { ...process.env, HEADROOM_URL: address };
  const options = { env, stdout: true, execArgv: [] };
  const program = new Worker(folder.write('program.mjs', source), options);
  const [printed] = await Promise.all([textOf(program.stdout), once(program, 'exit')]);
  return printed;
}

it.each([
  { name: 'shop.mjs', text: shop },
  { name: 'stripe-bank.mjs', text: stripe },
])('the code of the page is examples/$name', ({ name, text }) => {
  expect(text).toBe(readFileSync(join(ROOT, 'examples', name), 'utf8'));
});

it.each([
  { what: 'the payments', source: payments, first: 'shop-1 started' },
  { what: 'the same payments again', source: payments, first: 'shop-1 started' },
  { what: 'an order whose answer got lost', source: timeout, first: 'shop-4 started' },
])('$what: prints what the page says', async ({ source, first }) => {
  const said = blocks.find(({ text }) => text.startsWith(first))?.text;
  expect(await printedBy(source)).toBe(said);
});

/** How a bank's errors are called, by what it does. */
const CODES: Readonly<Record<string, string>> = {
  declines: 'DECLINED',
  'times out': 'TIMEOUT',
  'breaks off': 'ECONNRESET',
};

/** Begins a program of the reader's that pays one order of 1.00 for a user of its own. */
function beginningOf(user: string, charge: string, found: string): string {
  return `
    import { finish, pay } from './shop.mjs';
    const code = ${JSON.stringify(CODES[charge])};
    const bank = {
      charge: async () => { throw Object.assign(new Error(code), { code }); },
      find: async () => ({ state: ${JSON.stringify(found)}, at: ${JSON.stringify(new Date())} }),
    };
    const payments = { save: async (order, state) => console.log(state) };
    const order = { orderId: ${JSON.stringify(user)}, type: 'PAYMENT', hold: 'PT30M',
      subjects: { user: ${JSON.stringify(user)} }, amount: 100, currency: 'CNY' };`;
}

/** Tells a story of a user of its own, and of one day. */
const ofOneUser = (tell: (user: string) => Promise<void>): Promise<void> =>
  withinOneDay(() => tell(randomUUID()));

async function expectDay(user: string, sums: { readonly held: number; readonly used: number }) {
  const response = await fetch(`${url}/v1/usage?user=${user}`);
  const { rules } = (await response.json()) as {
    readonly rules: readonly { rule: string; used: unknown; held: unknown }[];
  };
  expect(rules.find(({ rule }) => rule === 'user-day')).toMatchObject({
    used: { amount: sums.used },
    held: { amount: sums.held },
  });
}

// prettier-ignore
it.each([
  { charge: 'declines', found: 'never', states: ['started', 'failed', 'declined'], held: 0, used: 0 },
  { charge: 'times out', found: 'charged', states: ['started', 'pending', 'paid'], held: 0, used: 100 },
  { charge: 'times out', found: 'never', states: ['started', 'pending', 'failed'], held: 0, used: 0 },
  { charge: 'times out', found: 'unsure', states: ['started', 'pending'], held: 100, used: 0 },
  { charge: 'breaks off', found: 'charged', states: ['started', 'pending', 'paid'], held: 0, used: 100 },
])(
  'a bank that $charge, and then says $found: $states',
  async ({ charge, found, states, held, used }) => {
    await ofOneUser(async (user) => {
    const source = `${beginningOf(user, charge, found)}
    const said = await pay(order, bank, payments);
    console.log(said);
    if (said === 'pending') await finish(order, bank, payments);`;
    expect((await printedBy(source)).trim().split('\n')).toEqual(states);
    await expectDay(user, { held, used });
    });
  },
);

/** Makes a home forget, by two calls with more orders of 0.01 than it remembers. */
async function forgetOutcomes(user: string): Promise<void> {
  const at = new Date().toISOString();
  // More than are remembered, and so many calls that one of them surely cuts the memory.
  const calls = [100, 60, ...Array.from({ length: 40 }, () => 1)];
  for (const [part, many] of calls.entries()) {
    const names = Array.from({ length: many }, (_, index) => `${part}-${index}`);
    const orders = names.map((name) => ({ ...orderOf(user, name), amount: 1, at }));
    await call('record', { orders });
  }
}

function orderOf(user: string, name: string) {
  const orderId = `${user}-${name}`;
  return { orderId, type: 'PAYMENT', subjects: { user }, amount: 100, currency: 'CNY' };
}

async function call(name: string, body: unknown): Promise<void> {
  const response = await fetch(`${url}/v1/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
}

it.each([
  { title: 'nobody checked', before: () => Promise.resolve(), used: 100 },
  { title: 'whose memory was pushed out by others', before: forgetOutcomes, used: 300 },
  {
    title: 'that somebody rolled back',
    before: async (user: string) => {
      await call('check', { ...orderOf(user, 'x'), orderId: user });
      await call('rollback', { orderId: user, subjects: { user } });
    },
    used: 100,
  },
])('a charge of an order $title counts once, however often it is finished', async (row) => {
  await ofOneUser(async (user) => {
    await row.before(user);
    const source = `${beginningOf(user, 'times out', 'charged')}
    await finish(order, bank, payments);
    await finish(order, bank, payments);`;
    expect(await printedBy(source)).toBe('paid\npaid\n');
    await expectDay(user, { held: 0, used: row.used });
  });
});

// prettier-ignore
it.each([
  { refund: { amount: 40 }, said: 'partly refunded', used: 60 },
  { refund: {}, said: 'refunded', used: 0 },
])('an order that was paid and refunded by $refund is $said, and is not charged again', async (row) => {
  await ofOneUser(async (user) => {
    const paying = `${beginningOf(user, 'declines', 'charged')}
      bank.charge = () => console.log('charged');
      console.log(await pay(order, bank, payments));`;
    expect(await printedBy(paying)).toBe('started\ncharged\npaid\npaid\n');
    await call('refund', { orderId: user, refundId: 'r-1', subjects: { user }, ...row.refund });
    const again = `${paying}
      await finish(order, bank, payments);`;
    const { said } = row;
    expect((await printedBy(again)).trim().split('\n')).toEqual(['started', said, said, said]);
    await expectDay(user, { held: 0, used: row.used });
  });
});

/**
 * A pretended Stripe, as its pages describe a PaymentIntent: a repeated key gets the first one, a decline
 * leaves it open, and only an open one can be confirmed or cancelled.
 */
const STRIPE = `
  const intents = new Map();
  const stripe = { lose: false, declines: false, paymentIntents: {
    create: async (asked, { idempotencyKey: id }) => {
      if (!intents.has(id)) intents.set(id, { id, status: 'requires_confirmation', latest_charge: null });
      return { ...intents.get(id) };
    },
    confirm: async (id) => {
      const intent = intents.get(id);
      if (!intent.status.startsWith('requires_')) throw Object.assign(new Error(intent.status), { type: 'StripeInvalidRequestError' });
      if (stripe.declines) {
        intent.status = 'requires_payment_method';
        throw Object.assign(new Error('declined'), { type: 'StripeCardError' });
      }
      Object.assign(intent, { status: 'succeeded', latest_charge: { created: Math.floor(Date.now() / 1000) } });
      console.log('charged');
      if (stripe.lose) throw Object.assign(new Error('lost'), { type: 'StripeConnectionError' });
      return { ...intent };
    },
    retrieve: async (id) => ({ ...intents.get(id) }),
    cancel: async (id) => {
      const intent = intents.get(id);
      if (!intent.status.startsWith('requires_')) throw new Error(intent.status);
      intent.status = 'canceled';
      return { ...intent };
    },
  } };
  let intentId;
  payments.read = async () => ({ ...order, intentId });
  payments.saveIntent = async (_, id) => { intentId = id; };`;

// prettier-ignore
it.each([
  { stripe: 'charges', set: '', run: 'pay', states: ['started', 'charged', 'paid', 'paid'], held: 0, used: 100 },
  { stripe: 'declines', set: 'stripe.declines = true;', run: 'pay', states: ['started', 'failed', 'declined'], held: 0, used: 0 },
  { stripe: 'charges, and its answer is lost', set: 'stripe.lose = true;', run: 'pay, finish, finish', states: ['started', 'charged', 'pending', 'paid', 'paid'], held: 0, used: 100 },
  { stripe: 'was not asked yet', set: '', run: 'finish, pay', states: ['failed', 'started', 'pending'], held: 100, used: 0 },
])('where Stripe $stripe: $run end as they must', async ({ set, run: calls, states, held, used }) => {
  await ofOneUser(async (user) => {
    const source = `${beginningOf(user, 'times out', 'never')}
      import { stripeBank } from './stripe-bank.mjs';
      ${STRIPE}
      ${set}
      Object.assign(bank, stripeBank(stripe, payments));
      for (const call of [${calls}]) {
        const said = await call(order, bank, payments);
        if (said !== undefined) console.log(said);
      }`;
    expect((await printedBy(source)).trim().split('\n')).toEqual(states);
    await expectDay(user, { held, used });
  });
});

it('without Headroom nothing is charged, and the order stays started', async () => {
  const source = `${beginningOf(randomUUID(), 'declines', 'never')}
    bank.charge = () => console.log('charged');
    const error = await pay(order, bank, payments).catch((thrown) => thrown);
    console.log(error.code);`;
  const down = 'http://127.0.0.1:1';
  expect(await printedBy(source, down)).toBe('started\nNO_ANSWER\n');
});
