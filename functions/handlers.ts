import { createHistoryHandler } from '../lib/audit/history/history-handler.ts';
import { createBacktestsHandler } from '../lib/backtest/jobs/backtests-handler.ts';
import { healthCall } from '../lib/health/health-call.ts';
import {
  confirmCall,
  nearCall,
  refundCall,
  rollbackCall,
  statusCall,
  usageCall,
  checkCall,
} from '../lib/edge/calls.ts';
import type { LambdaHandler } from '../lib/http/handler.ts';
import { createHandler } from '../lib/http/handler.ts';
import { checksCall, settlementsCall } from '../lib/edge/many-calls.ts';
import { recordCall } from '../lib/record/record-call.ts';
import { createProposalsHandler } from '../lib/proposals/proposals-handler.ts';
import { createRulesHandler } from '../lib/rule-book/rules-handler.ts';
import { createTermsHandler } from '../lib/terms/terms-handler.ts';
import { historyBookOf, proposalBookOf, ruleBookOf, termsBookOf } from './books.ts';
import { backtestBookOf } from './backtest-jobs.ts';
import { healthOf } from './examinations.ts';
import type { Service } from './service.ts';

/*
 * Handlers of HTTP: an export for each function, so that its bundle has nothing of the others. Each
 * answers direct invocations, too.
 */

type HandlerOf = (service: Service) => LambdaHandler;

/** POST /v1/check. */
export const check: HandlerOf = (service) =>
  createHandler(checkCall(service.limits.check, service.limits.passing, service.actorOf), service);

/** POST /v1/confirm. */
export const confirm: HandlerOf = (service) =>
  createHandler(confirmCall(service.limits.confirm), service);

/** POST /v1/rollback. */
export const rollback: HandlerOf = (service) =>
  createHandler(rollbackCall(service.limits.rollback), service);

/** POST /v1/refund. */
export const refund: HandlerOf = (service) =>
  createHandler(refundCall(service.limits.refund), service);

/** POST /v1/checks. */
export const checks: HandlerOf = (service) =>
  createHandler(
    checksCall(service.limits.checkMany, service.limits.passing, service.actorOf),
    service,
  );

/** POST /v1/settlements. */
export const settlements: HandlerOf = (service) =>
  createHandler(settlementsCall(service.limits.settleMany), service);

/** POST /v1/record. */
export const record: HandlerOf = (service) =>
  createHandler(recordCall(service.limits.recordMany), service);

/** GET /v1/transactions/{orderId}. */
export const status: HandlerOf = (service) =>
  createHandler(statusCall(service.limits.status), service);

/** GET /v1/usage?user=u-1. */
export const usage: HandlerOf = (service) =>
  createHandler(usageCall(service.limits.usage), service);

/** GET /v1/near?rule=merchant-day&share=0.8. */
export const near: HandlerOf = (service) => createHandler(nearCall(service.near), service);

/** GET /v1/health. */
export const health: HandlerOf = (service) => createHandler(healthCall(healthOf(service)), service);

/** GET /v1/transactions, /v1/usage/history and /v1/summary. */
export const history: HandlerOf = (service) =>
  createHistoryHandler(historyBookOf(service), service);

/** GET, PUT and DELETE of /v1/rules and below it. */
export const rules: HandlerOf = (service) => createRulesHandler(ruleBookOf(service), service);

/** The calls below /v1/subjects/{kind}/{id}: own maxima, freezes, and their changes. */
export const subjects: HandlerOf = (service) => createTermsHandler(termsBookOf(service), service);

/** The calls below /v1/proposals: changes that wait for a second person, and decisions about them. */
export const proposals: HandlerOf = (service) =>
  createProposalsHandler(proposalBookOf(service), service);

/** The calls below /v1/backtests: what other rules would have decided in the past. */
export const backtests: HandlerOf = (service) =>
  createBacktestsHandler(backtestBookOf(service), service);
