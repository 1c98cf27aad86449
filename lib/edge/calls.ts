import { CALLS } from '../../contract/calls.ts';
import { statusSchema, statusAnswerJson } from '../audit/status-call.ts';
import { refundSchema } from '../audit/refunds/refund-request.ts';
import type { Limits } from './limits-types.ts';
import { nearAnswerJson, nearQueryOf, nearSchema } from '../near/near-call.ts';
import type { NearAnswer, NearQuery } from '../near/near.ts';
import { usageAnswerJson, usageSchema } from '../usage/usage-call.ts';
import { asInvoked } from '../http/requests.ts';
import {
  checkMistakes,
  checkRequestOf,
  checkSchema,
  namesUsedTwice,
} from '../http/check-request.ts';
import type { RunCall } from '../http/handler.ts';
import { call } from '../http/handler.ts';
import { checkAnswerJson } from '../http/order-answer.ts';
import {
  confirmSchema,
  notOnePlace,
  rollbackSchema,
  settlementOf,
} from '../http/settle-request.ts';
import type { CheckAnswer } from '../limits/answer.ts';
import { refusedBy, shadowRefusedBy } from '../limits/report.ts';
import type { CheckRequest } from '../shared/request.ts';
import type { ActorSource } from '../http/actor.ts';
import { withinBounds } from './app-bounds.ts';
import { unsignedActor } from '../http/actor.ts';
import type { CallRecord } from '../http/telemetry.ts';
import { assertAllowed } from '../http/caller-source.ts';

/** The call `confirm`. */
export const confirmCall = (run: Limits['confirm']) =>
  call({
    name: 'confirm',
    needs: CALLS.confirm.needs,
    run,
    takes: confirmSchema,
    between: notOnePlace,
    read: settlementOf,
    write: (answer) => answer,
    tell: ({ repeated, late }) => ({ outcome: 'confirmed', repeated, late }),
  });

/** The call `rollback`. */
export const rollbackCall = (run: Limits['rollback']) =>
  call({
    name: 'rollback',
    needs: CALLS.rollback.needs,
    run,
    takes: rollbackSchema,
    between: notOnePlace,
    read: settlementOf,
    write: (answer) => answer,
    tell: ({ repeated }) => ({ outcome: 'rolledBack', repeated }),
  });

/** The call `refund`. */
export const refundCall = (run: Limits['refund']) =>
  call({
    name: 'refund',
    needs: CALLS.refund.needs,
    run,
    takes: refundSchema,
    between: notOnePlace,
    read: (body, appId) => ({ refundId: body.refundId, ...settlementOf(body, appId) }),
    write: (answer) => answer,
    tell: ({ repeated }) => ({ outcome: 'refunded', repeated }),
  });

/** The call `status`. */
export const statusCall = (run: Limits['status']) =>
  call({
    name: 'status',
    needs: CALLS.status.needs,
    places: asInvoked,
    takes: statusSchema,
    read: ({ orderId, app, language = 'en' }, appId) => ({
      order: { appId: app ?? appId, orderId },
      language,
    }),
    run: async ({ order, language }, at, _requestId, { app }) => {
      if (order.appId !== app.appId) assertAllowed(app, CALLS.transactions.needs);
      return { status: await run(order, at), language };
    },
    write: ({ status, language }) => statusAnswerJson(status, language),
    frame: ({ language }) => ({ headers: { 'content-language': language } }),
  });

/** The call `usage`. */
export const usageCall = (run: Limits['usage']) =>
  call({
    name: 'usage',
    needs: CALLS.usage.needs,
    run,
    places: asInvoked,
    takes: usageSchema,
    between: namesUsedTwice,
    // Counters are shared, so it does not matter which application asks.
    read: ({ stale: staleMs, ...asked }, appId) => ({ appId, staleMs, ...asked }),
    write: usageAnswerJson,
  });

/** The call `near`. */
export const nearCall = (run: RunCall<NearQuery, NearAnswer>) =>
  call({
    name: 'near',
    needs: CALLS.near.needs,
    run,
    places: asInvoked,
    takes: nearSchema,
    read: nearQueryOf,
    write: nearAnswerJson,
  });

/** The call `check`. */
export function checkCall(
  run: Limits['check'],
  passing?: Limits['passing'],
  actorOf: ActorSource = unsignedActor,
) {
  return call({
    name: 'check',
    needs: CALLS.check.needs,
    dryRunNeeds: CALLS.check.dryRunNeeds,
    takes: checkSchema,
    between: checkMistakes,
    read: (body, appId) => ({
      order: checkRequestOf(body, appId),
      report: body.report ?? ('all' as const),
    }),
    run({ order }, at, requestId, { app, envelope, sent }) {
      if (!order.dryRun) assertAllowed(app, CALLS.check.needs);
      const asked = withinBounds(order, app.bounds, sent);
      return run(asked, at, requestId, actorOf(envelope, app.appId));
    },
    late: (_request, error, at) => passing?.(error, at),
    write: (answer, _requestId, { report }) => checkAnswerJson(answer, report),
    tell(answer: CheckAnswer, _requestId, { order: request }) {
      if (answer.kind === 'undecided') return { outcome: 'undecided', fault: answer.cause };
      return {
        outcome: answer.kind,
        repeated: answer.kind === 'allowed' ? answer.repeated : undefined,
        ...toldOfChecks([{ request, answer }]),
      };
    },
  });
}

type Checked = { readonly request: CheckRequest; readonly answer: CheckAnswer };

/**
 * Names the rules that refused, and those that would have. It warns of orders that no rule applies to: a name
 * is mistyped (`RMB` for `CNY`), or a rule is missing. The warning has neither ids nor amounts.
 */
export function toldOfChecks(
  orders: readonly Checked[],
): Pick<CallRecord, 'refusedBy' | 'shadowRefusedBy' | 'withoutRules' | 'warning'> {
  const reports = orders.flatMap(({ answer }) => (answer.kind === 'undecided' ? [] : answer.rules));
  const refusing = refusedBy(reports);
  const wouldRefuse = shadowRefusedBy(reports);
  const [first, ...more] = orders.filter(({ answer }) => isWithoutRule(answer));
  return {
    refusedBy: refusing.length === 0 ? undefined : refusing,
    shadowRefusedBy: wouldRefuse.length === 0 ? undefined : wouldRefuse,
    withoutRules: first && 1 + more.length,
    warning: first && warningOf(first, more.length),
  };
}

/** A repeat was reported before. */
function isWithoutRule(answer: CheckAnswer): boolean {
  if (answer.kind === 'undecided') return false;
  if (answer.kind === 'refused') return answer.reason === 'no-rule';
  return answer.rules.length === 0 && !answer.repeated;
}

function warningOf({ request, answer }: Checked, more: number): string {
  const { type, currency, subjects } = request;
  const named = [
    ...(type === undefined ? [] : [`type ${type}`]),
    `currency ${currency}`,
    `subjects ${Object.keys(subjects).join(', ')}`,
  ];
  const others = more === 0 ? '' : `, and to ${more} more`;
  const isUnlimited = answer.kind !== 'undecided' && answer.rules.length > 0;
  const what = isUnlimited ? 'limits the amount of' : 'applies to';
  const end =
    answer.kind === 'refused'
      ? `refused (ON_NO_RULE=${isUnlimited ? 'refuse-unlimited' : 'refuse'})`
      : 'allowed without any limit (ON_NO_RULE=allow)';
  return `no rule ${what} an order of ${named.join('; ')}${others}: ${end}. Is a name mistyped, or a rule missing?`;
}
