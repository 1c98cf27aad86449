import { USER_DAY as DAY_OF_100 } from '../cases/case.ts';
import { randomBytes } from 'node:crypto';
import type { CommandStartedEvent, Db, MongoClient } from 'mongodb';
import type { CounterStore } from '../../lib/document/counter-store.ts';
import type {
  CheckRequest,
  ConfirmRequest,
  RecordRequest,
  RefundRequest,
} from '../../lib/shared/request.ts';
import { HeadroomError } from '../../lib/shared/errors.ts';
import type { Limits, LimitsOptions } from '../../lib/edge/limits.ts';
import { createLimits } from '../../lib/edge/limits.ts';
import type { ModelRule } from '../model/model-types.ts';
import { libRule } from './service-under-test.ts';
import type { CheckAnswer } from '../../lib/limits/answer.ts';
import { patientCounters } from './patient-counters.ts';

/** A daily rule per user: the ordinary limit, to be changed where a test is about something else. */
export const USER_DAY: ModelRule = { ...DAY_OF_100, max: { count: 5 } };

/** Hours that a zone is ahead of Greenwich where it is noon now. */
const AHEAD = 12 - new Date().getUTCHours();

/** It is noon here: of tests that have the database's clock, no day, month or year ends while they run. */
export const NOON_ZONE = `Etc/GMT${AHEAD < 0 ? '+' : '-'}${Math.abs(AHEAD)}`;

/** As USER_DAY, where the database's clock says what day it is. */
export const USER_TODAY: ModelRule = {
  ...USER_DAY,
  window: { unit: 'day', timeZone: NOON_ZONE },
};

/** The service over a database or a store, with rules in the words of cases, or as the library reads them. */
export function limitsOver(
  over: Db | CounterStore,
  rules: readonly ModelRule[] | LimitsOptions['rules'],
  options: Partial<LimitsOptions> = {},
): Limits {
  const counters = 'hold' in over ? over : patientCounters(over);
  if (typeof rules === 'function') return createLimits({ counters, rules, ...options });
  const inForce = rules.map(libRule);
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

/** A payment of 1.00 CNY without a check, but for what is given. */
export function recordOf(
  request: Partial<RecordRequest> & Pick<RecordRequest, 'orderId' | 'subjects' | 'happenedAt'>,
): RecordRequest {
  return {
    appId: 'default',
    amountMinor: 100,
    currency: 'CNY',
    count: 1,
    attributes: {},
    ...request,
  };
}

/** Records payments; `new` or `again` for each that is counted, and the code of an error for another. */
export async function recordedBy(
  limits: Limits,
  requests: readonly RecordRequest[],
  at?: Date,
): Promise<readonly string[]> {
  const results = await limits.recordMany(requests, at);
  return results.map((result) => {
    if (result.kind === 'answered') return result.answer.repeated ? 'again' : 'new';
    if (result.error instanceof HeadroomError) return result.error.code;
    throw result.error;
  });
}

/** A refund of an order that the audit finds, but for what is said: of all that is left without an amount. */
export function refundOf(
  orderId: string,
  refundId: string,
  amountMinor?: number,
  whereabouts: RefundRequest['whereabouts'] = { kind: 'recorded' },
): RefundRequest {
  const amount = amountMinor === undefined ? {} : { amountMinor };
  return { appId: 'default', orderId, refundId, whereabouts, ...amount };
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

/** A confirm or rollback of an order that the audit finds. */
export function byOrder(orderId: string): ConfirmRequest {
  return { appId: 'default', orderId, whereabouts: { kind: 'recorded' } };
}

/** Commands that the driver sends while a call runs; connection upkeep left out. */
export async function sentDuring(
  client: MongoClient,
  call: () => Promise<unknown>,
): Promise<readonly CommandStartedEvent[]> {
  const sent: CommandStartedEvent[] = [];
  const note = (event: CommandStartedEvent): void => {
    if (!['hello', 'ping', 'endSessions'].includes(event.commandName)) sent.push(event);
  };
  client.on('commandStarted', note);
  try {
    await call();
  } finally {
    client.off('commandStarted', note);
  }
  return sent;
}

/** Their names. */
export async function commandsDuring(
  client: MongoClient,
  call: () => Promise<unknown>,
): Promise<readonly string[]> {
  return (await sentDuring(client, call)).map(({ commandName }) => commandName);
}

/** Nonces by which every add looks for what is over; of others, one in eight does. */
export function tidyingNonce(): string {
  return `h${randomBytes(8).toString('base64url')}`;
}
