import { randomFillSync } from 'node:crypto';
import type { CheckAnswer, SettlementAnswer } from '../limits/answer.ts';
import { OPEN_HOLDS_DEFAULT, OPEN_SHARES_DEFAULT } from '../shared/bounds.ts';
import { UndecidedError } from '../shared/errors.ts';
import { AuditOffError } from '../audit/audit.ts';
import type { ManyResult } from '../limits/many.ts';
import { refuseRepeatedOrders } from '../limits/many.ts';
import { NEEDED_RULES } from '../plan/plan.ts';
import type { CheckRequest, SettlementRequest } from '../shared/request.ts';
import { compile } from '../plan/compile.ts';
import type { Rule } from '../rule/rule.ts';
import type { Context, Calls, Told } from '../limits/context.ts';
import { databaseClock } from '../limits/context.ts';
import { check } from '../limits/check.ts';
import { KnownTerms } from '../limits/known-terms.ts';
import { recallFrom, recallingCalls } from '../audit/recalling.ts';
import { record } from '../record/record.ts';
import { reviewingCalls } from '../review/reviewing-calls.ts';
import type { Actor } from '../shared/actor.ts';
import { losingStore } from '../audit/losing-store.ts';
import type { AuditStore } from '../audit/audit.ts';
import type { Audit, LosingAudit } from '../audit/recorded.ts';
import { noteUndecided, recordedCalls } from '../audit/recorded.ts';
import { tellNear } from '../near/telling.ts';
import { refund } from '../audit/refunds/refunding.ts';
import { settle } from '../limits/settle.ts';
import { status } from '../audit/order-status.ts';
import { usage } from '../usage/usage.ts';
import type { LimitsCall, Limits, LimitsOptions } from './limits-types.ts';

export type { Limits, LimitsOptions } from './limits-types.ts';

/** Gives nonces of 64 random bits, which the system is asked for 512 at a time. */
function randomNonces(): () => string {
  const drawn = Buffer.alloc(8 * 512);
  let used = drawn.length;
  return () => {
    if (used === drawn.length) {
      randomFillSync(drawn);
      used = 0;
    }
    used += 8;
    return drawn.toString('base64url', used - 8, used);
  };
}

function compiling(source: () => Promise<readonly Rule[]>): Context['rules'] {
  let loaded: readonly Rule[] = [];
  let compiled = compile(loaded);
  return async () => {
    const rules = await source();
    if (rules !== loaded) compiled = compile(rules);
    loaded = rules;
    return compiled;
  };
}

type CallOptions = Pick<LimitsOptions, 'near' | 'reviews'> & {
  readonly audit: LosingAudit | undefined;
};

const CALLS: Calls = { check, settle, record };

/** Rows that come late are chained, too, where rows are. */
function losing(audit: Audit): LosingAudit {
  const { store, oneCommit, onLost } = audit;
  const append: AuditStore['append'] =
    oneCommit === undefined
      ? store.append
      : (rows) => oneCommit((together) => together.append(rows));
  return { ...audit, store: losingStore({ ...store, append }, onLost) };
}

function callsWith({ audit, near, reviews }: CallOptions): Calls {
  const decided = reviews === undefined ? CALLS : reviewingCalls(CALLS, reviews);
  if (audit === undefined && near === undefined) return decided;
  const calls = audit === undefined ? decided : recallingCalls(decided, audit);
  return recordedCalls(calls, audit, async (told) => {
    if (near !== undefined) await tellNear(near, told);
  });
}

function onlyAnswer<Answer>([told]: readonly Told<Answer>[]): Answer {
  if (told === undefined) throw new TypeError('each order that is asked has an answer');
  if (told.result.kind === 'failed') throw told.result.error;
  return told.result.answer;
}

/** Puts the service together. */
export function createLimits(options: LimitsOptions): Limits {
  const audit = options.audit && losing(options.audit);
  const base: Context = {
    counters: options.counters,
    rules: compiling(options.rules),
    clock: databaseClock(options.machineNow ?? (() => new Date())),
    nonce: options.nonce ?? randomNonces(),
    homeKinds: options.homeKinds ?? ['user'],
    askedKinds: options.askedKinds ?? [],
    terms: new KnownTerms(),
    recall: audit && recallFrom(audit.store),
    openHoldsMax: options.openHoldsMax ?? OPEN_HOLDS_DEFAULT,
    openSharesMax: options.openSharesMax ?? OPEN_SHARES_DEFAULT,
    needsRule: NEEDED_RULES[options.onNoRule ?? 'refuse'],
    tellsNear: options.near !== undefined,
    onCrowded: options.onCrowded ?? (() => undefined),
    inOneCommit: options.inOneCommit ?? false,
  };
  const contextFor: ContextFor = (at, requestId, by) => {
    const isNamed = requestId !== undefined || by !== undefined;
    const context = isNamed ? { requestId, by, ...base } : base;
    if (at === undefined) return context;
    // An instant in place of the database's clock says nothing about the real one.
    const clock = { estimate: () => at, observe: () => undefined, isKnown: () => true };
    return { ...context, at, clock };
  };
  const calls = callsWith({ ...options, audit });
  return {
    ...checking({ ...options, audit }, calls, contextFor),
    ...settling(calls, contextFor),
    async status(order, at) {
      if (audit === undefined) throw new AuditOffError('the status of an order');
      return status(contextFor(at, undefined), audit.store, order);
    },
    async recordMany(requests, at, requestId) {
      refuseRepeatedOrders('orders', requests);
      const told = await calls.record(contextFor(at, requestId), requests);
      return told.map(({ result }) => result);
    },
    usage: (request, at) => usage(contextFor(at, undefined), request, options.staleReads),
    async refund(request, at, requestId) {
      if (audit === undefined) throw new AuditOffError('what a refund gives back');
      return refund(contextFor(at, requestId), audit, request);
    },
  };
}

type ContextFor = (at: Date | undefined, requestId: string | undefined, by?: Actor) => Context;

function checking(
  { onUndecided, audit }: Pick<LimitsOptions, 'onUndecided'> & Pick<CallOptions, 'audit'>,
  calls: Calls,
  contextFor: ContextFor,
): Pick<Limits, 'check' | 'checkMany' | 'passing'> {
  const undecided = (error: unknown, { clock }: Context): CheckAnswer | undefined =>
    onUndecided === 'allow' && error instanceof UndecidedError
      ? { kind: 'undecided', now: clock.estimate(), cause: error }
      : undefined;
  return {
    passing: (error, at) => undecided(error, contextFor(at, undefined)),
    async check(request, at, requestId, by) {
      const context = contextFor(at, requestId, by);
      try {
        return onlyAnswer(await calls.check(context, [request], false));
      } catch (error) {
        const answer = undecided(error, context);
        if (answer === undefined) throw error;
        noteUndecided(audit, context, [request]);
        return answer;
      }
    },
    async checkMany(requests, atomic, at, requestId, by) {
      refuseRepeatedOrders('orders', requests);
      const given = contextFor(at, requestId, by);
      const resultFor = (
        request: CheckRequest,
        result: ManyResult<CheckAnswer>,
      ): ManyResult<CheckAnswer> => {
        if (atomic || result.kind !== 'failed') return result;
        const answer = undecided(result.error, given);
        if (answer === undefined) return result;
        noteUndecided(audit, given, [request]);
        return { kind: 'answered', answer };
      };
      try {
        const told = await calls.check(given, requests, atomic);
        return told.flatMap(({ result }, place) => {
          const request = requests[place];
          return request === undefined ? [] : [resultFor(request, result)];
        });
      } catch (error) {
        const results = requests.map((one) => resultFor(one, { kind: 'failed', error }));
        // No rules were to be had, so that no order was asked.
        if (results.some(({ kind }) => kind === 'failed')) throw error;
        return results;
      }
    },
  };
}

function settling(
  calls: Calls,
  contextFor: ContextFor,
): Pick<Limits, 'confirm' | 'rollback' | 'settleMany'> {
  const one: LimitsCall<SettlementRequest, SettlementAnswer> = async (request, at, requestId) =>
    onlyAnswer(await calls.settle(contextFor(at, requestId), [request]));
  return {
    async confirm(request, at, requestId) {
      const answer = await one({ ...request, to: 'confirmed' }, at, requestId);
      if (answer.state === 'rolledBack') throw new TypeError('a confirm is answered as one');
      return answer;
    },
    async rollback(request, at, requestId) {
      const answer = await one({ ...request, to: 'rolledBack' }, at, requestId);
      if (answer.state !== 'rolledBack') throw new TypeError('a rollback is answered as one');
      return answer;
    },
    async settleMany(requests, at, requestId) {
      refuseRepeatedOrders('settlements', requests);
      const told = await calls.settle(contextFor(at, requestId), requests);
      return told.map(({ result }) => result);
    },
  };
}
