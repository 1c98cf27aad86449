import type { ConfirmAnswer, RefundAnswer, RollbackAnswer, UsageAnswer } from '../limits/answer.ts';
import type {
  ConfirmRequest,
  OrderName,
  RefundRequest,
  RollbackRequest,
  UsageRequest,
} from '../shared/request.ts';
import { confirmAnswerJson, refundAnswerJson, rollbackAnswerJson } from './order-answer.ts';
import type { OrderStatus } from '../audit/order-status.ts';
import type { NearAnswer, NearQuery } from '../near/near.ts';
import type { Call } from './handler.ts';
import { nearAnswerJson } from '../near/near-answer.ts';
import { nearQuery, readNearRequest } from '../near/near-request.ts';
import { readRefundRequest } from '../audit/refunds/refund-request.ts';
import { statusAnswerJson } from '../audit/status-answer.ts';
import type { StatusRequest } from '../audit/status-request.ts';
import { readStatusRequest } from '../audit/status-request.ts';
import type { Language } from './sentences/language.ts';
import { readConfirmRequest, readRollbackRequest } from './settle-request.ts';
import { usageAnswerJson } from '../usage/usage-answer.ts';
import { readUsageRequest, usageQuery } from '../usage/usage-request.ts';

/** The call `confirm`, as it is read and written. */
export function confirmCall(
  run: Call<ConfirmRequest, ConfirmAnswer>['run'],
): Call<ConfirmRequest, ConfirmAnswer> {
  return {
    name: 'confirm',
    needs: ['confirm'],
    read: readConfirmRequest,
    run,
    write: confirmAnswerJson,
    tell: ({ repeated, late }) => ({ outcome: 'confirmed', repeated, late }),
  };
}

/** The call `rollback`, as it is read and written. */
export function rollbackCall(
  run: Call<RollbackRequest, RollbackAnswer>['run'],
): Call<RollbackRequest, RollbackAnswer> {
  return {
    name: 'rollback',
    needs: ['rollback'],
    read: readRollbackRequest,
    run,
    write: rollbackAnswerJson,
    tell: ({ repeated }) => ({ outcome: 'rolledBack', repeated }),
  };
}

/** The call `refund`, as it is read and written. */
export function refundCall(
  run: Call<RefundRequest, RefundAnswer>['run'],
): Call<RefundRequest, RefundAnswer> {
  return {
    name: 'refund',
    needs: ['refund'],
    read: readRefundRequest,
    run,
    write: refundAnswerJson,
    tell: ({ repeated }) => ({ outcome: 'refunded', repeated }),
  };
}

/** The call `status`, as it is read and written. */
export function statusCall(
  run: Call<OrderName, OrderStatus>['run'],
): Call<StatusRequest, { readonly status: OrderStatus; readonly language: Language }> {
  return {
    name: 'status',
    needs: ['status'],
    read: readStatusRequest,
    run: async ({ order, language }, at, requestId) => ({
      status: await run(order, at, requestId),
      language,
    }),
    write: ({ status, language }) => statusAnswerJson(status, language),
    frame: ({ language }) => ({ headers: { 'content-language': language } }),
    tell: () => ({ outcome: 'answered' }),
  };
}

/** The call `usage`, as it is read and written. */
export function usageCall(
  run: Call<UsageRequest, UsageAnswer>['run'],
): Call<UsageRequest, UsageAnswer> {
  return {
    name: 'usage',
    needs: ['usage:read'],
    readQuery: usageQuery,
    read: readUsageRequest,
    run,
    write: usageAnswerJson,
    tell: () => ({ outcome: 'answered' }),
  };
}

/** The call `near`, as it is read and written. */
export function nearCall(run: Call<NearQuery, NearAnswer>['run']): Call<NearQuery, NearAnswer> {
  return {
    name: 'near',
    needs: ['usage:read'],
    readQuery: nearQuery,
    read: readNearRequest,
    run,
    write: nearAnswerJson,
    tell: () => ({ outcome: 'answered' }),
  };
}
