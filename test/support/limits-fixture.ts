import { randomBytes } from 'node:crypto';
import type { Db, MongoClient } from 'mongodb';
import type { Rule } from '../../lib/rules/rule.ts';
import type { CheckRequest, ConfirmRequest } from '../../lib/shared/request.ts';
import type { Limits, LimitsOptions } from '../../lib/limits.ts';
import { createLimits } from '../../lib/limits.ts';
import type { CounterDocument } from '../../lib/limits/mongo-counter-store.ts';
import { COUNTERS } from '../../lib/limits/mongo-counter-store.ts';
import { mongoCounters } from '../../lib/limits/mongo-one-commit.ts';
import type { ModelRule } from '../model/model-types.ts';
import { libRule } from './service-under-test.ts';
import type { CheckAnswer } from '../../lib/limits/answer.ts';

/** A daily rule per user: the ordinary limit, to be changed where a test is about something else. */
export const USER_DAY: ModelRule = {
  id: 'user-day',
  per: ['user'],
  currency: 'CNY',
  window: { unit: 'day', timeZone: 'Asia/Shanghai' },
  max: { count: 5 },
  mode: 'enforce',
};

/** Where nothing breaks no call is given up, however busy the machine is. */
export const PATIENCE_MS = 60_000;

/** The service over a database, with rules in the words of cases. */
export function limitsOver(
  db: Db,
  rules: readonly ModelRule[],
  options: Partial<LimitsOptions> = {},
): Limits {
  const inForce: readonly Rule[] = rules.map(libRule);
  const collection = db.collection<CounterDocument>(COUNTERS);
  const counters = mongoCounters(collection, { timeoutMs: PATIENCE_MS });
  return createLimits({ counters, rules: () => Promise.resolve(inForce), ...options });
}

/** A check of 1.00 CNY, held for 15 minutes, but for what is given. */
export function checkOf(
  request: Partial<CheckRequest> & Pick<CheckRequest, 'orderId' | 'subjects'>,
): CheckRequest {
  return {
    appId: 'default',
    amountMinor: 100,
    currency: 'CNY',
    count: 1,
    attributes: {},
    holdMs: 900_000,
    capture: false,
    dryRun: false,
    ...request,
  };
}

/** A confirm or rollback of an order whose subjects are known. */
export function orderOf(orderId: string, subjects: CheckRequest['subjects']): ConfirmRequest {
  return { appId: 'default', orderId, whereabouts: { kind: 'subjects', subjects } };
}

export function reservationOf(answer: CheckAnswer): string {
  if (answer.kind !== 'allowed') throw new Error(`the check is ${answer.kind}`);
  return answer.reservation ?? '';
}

export function byReservation(orderId: string, token: string): ConfirmRequest {
  return { appId: 'default', orderId, whereabouts: { kind: 'reservation', token } };
}

/** Commands that the driver sends while a call runs, by name; connection upkeep left out. */
export async function commandsDuring(
  client: MongoClient,
  call: () => Promise<unknown>,
): Promise<readonly string[]> {
  const names: string[] = [];
  const note = ({ commandName }: { readonly commandName: string }): void => {
    if (!['hello', 'ping', 'endSessions'].includes(commandName)) names.push(commandName);
  };
  client.on('commandStarted', note);
  try {
    await call();
  } finally {
    client.off('commandStarted', note);
  }
  return names;
}

/** Nonces by which every add looks for what is over; of others, one in eight does. */
export function tidyingNonce(): string {
  return `h${randomBytes(8).toString('base64url')}`;
}
