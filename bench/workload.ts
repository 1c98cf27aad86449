import type { Collection, Db, Document } from 'mongodb';
import type { CheckRequest, ConfirmRequest } from '../lib/shared/request.ts';
import type { Rule } from '../lib/rule/rule.ts';
import type { CalendarWindow } from '../lib/rule/calendar.ts';
import type { Limits } from '../lib/edge/limits.ts';
import { parseRules } from '../lib/rule-file/rule-list.ts';
import { createLimits } from '../lib/edge/limits.ts';
import type { Lanes } from '../lib/document/counter-store.ts';
import { learningLanes } from '../lib/document/statements.ts';
import { COUNTERS } from '../lib/document/mongo-counter-store.ts';
import { mongoCounters } from '../lib/document/mongo-commit.ts';
import type { CounterDocument } from '../lib/document/mongo-counter-store.ts';

/** Beyond the service's own: with 256 callers on a busy machine the last one waits longer. */
const STORE_TIMEOUT_MS = 60_000;

/** The amount that every transaction here asks for, in minor units. */
export const AMOUNT_MINOR = 100;

/** A maximum amount that nothing here reaches. */
export const AMPLE_MINOR = 100_000_000_000_000;

/** The windows of the five limits. */
export const FIVE_UNITS = ['minute', 'hour', 'day', 'month', 'year'] as const;

/** A rule over a calendar window with a maximum amount and a maximum count. */
export function calendarRule(unit: CalendarWindow['unit'], change: Partial<Rule> = {}): Rule {
  return {
    id: `user-${unit}`,
    title: {},
    per: ['user'],
    currency: 'CNY',
    counts: { is: {}, not: {} },
    appliesTo: { is: {}, not: {} },
    window: {
      kind: 'calendar',
      unit,
      every: 1,
      timeZone: 'Asia/Shanghai',
      dayStartMinutes: 0,
      weekStart: 'monday',
      monthDay: 1,
    },
    min: {},
    max: { amountMinor: AMPLE_MINOR, count: 1_000_000_000 },
    mode: 'enforce',
    counterparts: 'few',
    refunds: { amount: true, count: true },
    ...change,
  };
}

/** Minute, hour, day, month and year, each with an amount and a count. */
export const FIVE_RULES: readonly Rule[] = FIVE_UNITS.map((unit) => calendarRule(unit));

/** Counters in which one order fits and no more. */
export const FULL_RULES: readonly Rule[] = FIVE_RULES.map((rule) => ({
  ...rule,
  max: { amountMinor: AMOUNT_MINOR, count: 1_000_000_000 },
}));

/** Two limits of a merchant, in a document beside the user's. */
export const MERCHANT_RULES: readonly Rule[] = (['day', 'month'] as const).map((unit) =>
  calendarRule(unit, { id: `merchant-${unit}`, per: ['merchant'] }),
);

/** Fifty rules of a user, each with a counter of its own: rules of one unit differ in what they count. */
export const FIFTY_RULES: readonly Rule[] = Array.from({ length: 50 }, (_, at) =>
  calendarRule(FIVE_UNITS[at % FIVE_UNITS.length] ?? 'day', {
    id: `rule-${at}`,
    counts: { is: { user: ['rules', `other-${at}`] }, not: {} },
  }),
);

const DAY = { unit: 'day', timeZone: 'Asia/Shanghai' };
const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];
const AMPLE = { amount: 1_000_000_000_000 };

/** A rule of each field that says more than a window and a maximum. */
export const FIELD_RULES: readonly Rule[] = parseRules(
  [
    { id: 'night', when: { days: ['saturday', 'sunday', ...WEEKDAYS] }, max: AMPLE },
    { id: 'proven', onExceed: { challenge: 'sca' }, max: AMPLE },
    { id: 'reviewed', onExceed: 'review', max: AMPLE },
    { id: 'failures', outcome: 'rolledBack', currency: undefined, max: { count: 1_000_000_000 } },
    {
      id: 'balance',
      counts: { not: { type: 'PAYOUT' } },
      minus: { type: 'PAYOUT' },
      window: 'lifetime',
      max: AMPLE,
    },
    { id: 'consent', window: { since: { attribute: 'consentAt' }, for: 'P30D' }, max: AMPLE },
    { id: 'business', window: { ...DAY, closed: { days: ['saturday', 'sunday'] } }, max: AMPLE },
    { id: 'cards', currency: undefined, max: { distinct: { card: 3 } } },
  ].map((rule) => ({ per: ['user'], currency: 'CNY', window: DAY, ...rule })),
  'the benchmark',
);

/** The attributes that these ask for. */
export const FIELD_ATTRIBUTES = { consentAt: '2026-11-01T00:00:00Z', card: 'c-1' };

/** A rolling window that keeps each payment. */
export const EXACT_RULES: readonly Rule[] = [
  calendarRule('minute', {
    id: 'user-rolling',
    window: { kind: 'rolling', spanMs: 60_000, stepMs: 1 },
    max: { count: 100 },
  }),
];

/**
 * The service over a database, as a function puts it together. Other revisions are measured beside this
 * one through their own `limitsOver(db, rules)`, so its first two parameters stay what they are.
 */
export function limitsOver(db: Db, rules: readonly Rule[], lanes: Lanes = learningLanes()): Limits {
  return createLimits({
    counters: mongoCounters(countersIn(db), { timeoutMs: STORE_TIMEOUT_MS, lanes }),
    rules: () => Promise.resolve(rules),
    openHoldsMax: 2_000,
  });
}

/** The service's own collection. */
function countersIn(db: Db): Collection<CounterDocument> {
  return db.collection<CounterDocument>(COUNTERS);
}

/** A collection of plain documents whose `_id` is a text. */
export function plainIn(db: Db, name: string): Collection<Document & { readonly _id: string }> {
  return db.collection<Document & { readonly _id: string }>(name);
}

/** A check of an order of a subject, held for 15 minutes. */
export function checkOf(orderId: string, subjects: CheckRequest['subjects']): CheckRequest {
  return {
    appId: 'default',
    orderId,
    subjects,
    amountMinor: AMOUNT_MINOR,
    currency: 'CNY',
    count: 1,
    attributes: {},
    holdMs: 900_000,
    capture: false,
    dryRun: false,
  };
}

/** An order that is held and not yet confirmed, and the reservation that its check gave. */
export type Held = { readonly orderId: string; readonly token: string };

/** Checks an order, which must be allowed, by the clock of the service or at a given instant. */
export async function hold(limits: Limits, request: CheckRequest, at?: Date): Promise<Held> {
  const answer = await limits.check(request, at);
  if (answer.kind !== 'allowed' || answer.reservation === undefined)
    throw new Error(`${request.orderId} was to be allowed but is ${answer.kind}`);
  return { orderId: request.orderId, token: answer.reservation };
}

/** The confirm or rollback of what is held. */
export function orderOf({ orderId, token }: Held): ConfirmRequest {
  return { appId: 'default', orderId, whereabouts: { kind: 'reservation', token } };
}

/** Numbers from 0 to 1 that are the same in every run. Source: mulberry32, in the public domain. */
export function seededChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
