import type { StoredRule } from '../../lib/rule-file/rule-set.ts';
import type { Handlers } from '../support/handlers.ts';
import type { HttpAnswer } from './contract.ts';
import { OPERATIONS } from './contract.ts';

/** Rules of every kind of window, so that answers have all that an answer can have. */
// prettier-ignore
export const RULES: readonly StoredRule[] = [
  { id: 'single', per: ['user'], currency: 'CNY', window: 'transaction', min: { amount: 1 }, max: { amount: 1_000 } },
  {
    id: 'user-day',
    title: { en: 'Daily limit', zh: '单日累计限额' },
    per: ['user'],
    currency: 'CNY',
    window: { unit: 'day', timeZone: 'Asia/Shanghai' },
    max: { amount: 5_000, count: 60 },
  },
  { id: 'user-three-days', per: ['user'], currency: 'CNY', window: { unit: 'day', every: 3, timeZone: 'UTC' }, max: { count: 500 } },
  { id: 'user-hour', per: ['user'], currency: 'CNY', window: { rolling: 'PT1H' }, max: { amount: 4_000 }, mode: 'shadow' },
  { id: 'user-minute', per: ['user'], currency: 'CNY', window: { rolling: 'PT1M' }, max: { count: 500 }, mode: 'shadow' }, // its steps are no whole seconds: PT1.25S
  { id: 'user-exact', per: ['user'], currency: 'CNY', window: { rolling: 'PT10M', step: 'exact' }, max: { count: 20 }, mode: 'shadow' },
  { id: 'merchant-life', per: ['merchant'], currency: 'CNY', window: 'lifetime', max: { amount: 1_000_000 } },
];

type Fields = Readonly<Record<string, unknown>>;

const SUBJECTS: readonly Fields[] = [
  { user: 'u-1' },
  { user: 'u-2' },
  { user: 'u-1', merchant: 'm-1' },
];

const AT = ['2026-03-02T09:00:00+08:00', '2026-03-02t01:00:00.001z', '1970-01-01T00:00:00Z'];

/** Orders that requests are about again and again. */
export type Pool = { readonly ids: readonly string[]; readonly reservation: string };

function pooledOrder(
  { reservation: named, ...order }: Fields,
  chance: number,
  { ids, reservation }: Pool,
): Fields {
  if (named !== undefined && chance % 2 === 0) return { ...order, orderId: 'held-1', reservation };
  return {
    ...order,
    ...('orderId' in order ? { orderId: ids[chance % ids.length] } : {}),
    ...('subjects' in order
      ? { subjects: SUBJECTS[chance % SUBJECTS.length], attributes: {} }
      : {}),
    ...('at' in order ? { at: AT[chance % AT.length] } : {}),
    ...('currency' in order ? { currency: 'CNY' } : {}),
    ...('amount' in order ? { amount: 1 + (chance % 3) } : {}),
    // Never all that is left: it would be the last refund that there is.
    ...('refundId' in order ? { refundId: `r-${chance % 3}`, amount: 1 + (chance % 3) } : {}),
  };
}

/** The request, about orders of other requests, too. */
export function pooled(body: unknown, chance: number, pool: Pool): unknown {
  const fields = body as Fields; // what a request is
  const field = 'orders' in fields ? 'orders' : 'settlements' in fields ? 'settlements' : undefined;
  if (field === undefined) return pooledOrder(fields, chance, pool);
  const list = (fields[field] as readonly Fields[]).map((order, index) => ({
    ...pooledOrder(order, chance + index, pool),
    orderId: pool.ids[(chance + index) % pool.ids.length],
  }));
  return { ...fields, [field]: list };
}

/** Sends a request over HTTP as an HTTP API does, payload 2.0. */
export async function sendTo(
  handlers: Handlers,
  name: keyof Handlers,
  body: unknown,
  more: Fields = {},
): Promise<HttpAnswer> {
  const { method = '', path = '' } = OPERATIONS[name] ?? {};
  const event = {
    version: '2.0',
    routeKey: `${method} ${path}`,
    rawPath: path,
    rawQueryString: body instanceof URLSearchParams ? body.toString() : '',
    headers: { 'content-type': 'application/json', ...more },
    requestContext: { http: { method, path } },
    isBase64Encoded: false,
    ...(method === 'GET'
      ? { pathParameters: body instanceof URLSearchParams ? {} : body }
      : { body: JSON.stringify(body) }),
  };
  const reply = await handlers[name](event, { awsRequestId: 'request-1' });
  if (typeof reply.body !== 'string' || typeof reply.statusCode !== 'number')
    throw new Error('an answer over HTTP has a status and a text');
  const headers = reply.headers as HttpAnswer['headers'];
  return { status: reply.statusCode, headers, body: JSON.parse(reply.body) as unknown };
}
