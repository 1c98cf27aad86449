import { DAY_MS } from '../shared/bounds.ts';
import type { PastRow } from './past-row.ts';
import { holdId } from '../shared/subject.ts';

/** Another try of the same order comes within a day. */
const ORDER_MS = DAY_MS;
/** Another order of the same subjects and amount is likely the same payment, if it comes so soon. */
const PAYMENT_MS = 600_000;

/** When each name was met last, the one that was met last at the end. */
type Recent = Map<string, number>;

/** Orders and payments that were met of late. Plain data. */
export type KnownTries = { readonly orders: Recent; readonly payments: Recent };

/** None yet. */
export function noTries(): KnownTries {
  return { orders: new Map(), payments: new Map() };
}

/** Says whether a refused check is the first of its order, and of its payment. */
export function noteTry({ orders, payments }: KnownTries, row: PastRow) {
  const atMs = row.at.getTime();
  const { subjects, amountMinor, askedMinor = amountMinor, currency, appId } = row;
  const isOrder = isNew(orders, holdId(row), atMs, ORDER_MS);
  const payment = JSON.stringify([appId, subjects, askedMinor, currency]);
  const isPayment = isNew(payments, payment, atMs, PAYMENT_MS);
  return { isOrder, isPayment: isOrder && isPayment };
}

function isNew(recent: Recent, name: string, atMs: number, forMs: number): boolean {
  const lastMs = recent.get(name);
  recent.delete(name);
  recent.set(name, atMs);
  for (const [oldest, ms] of recent) {
    if (ms > atMs - forMs) break;
    recent.delete(oldest);
  }
  return lastMs === undefined || lastMs <= atMs - forMs;
}
