import { healthOf } from '../../functions/examinations.ts';
import { proposalBookOf } from '../../functions/proposal-book.ts';
import { historyBookOf } from '../../functions/history-book.ts';
import { ruleBookOn } from '../../functions/rule-book.ts';
import type { Service } from '../../functions/service.ts';
import { checkCall } from '../../lib/http/check-call.ts';
import {
  confirmCall,
  nearCall,
  refundCall,
  rollbackCall,
  statusCall,
  usageCall,
} from '../../lib/http/calls.ts';
import { healthCall } from '../../lib/health/health-call.ts';
import type { LambdaHandler } from '../../lib/http/handler.ts';
import { createHandler } from '../../lib/http/handler.ts';
import { createHistoryHandler } from '../../lib/audit/history/history-handler.ts';
import { checksCall, settlementsCall } from '../../lib/http/many-calls.ts';
import { createProposalsHandler } from '../../lib/rules/four-eyes/proposals-handler.ts';
import { recordCall } from '../../lib/record/record-call.ts';
import { createRulesHandler } from '../../lib/rules/rules-handler.ts';
import { createTermsHandler } from '../../lib/rules/terms/terms-handler.ts';
import { termsBookOf } from '../../functions/terms-book.ts';
import { callOfRoute, documented } from '../openapi/contract.ts';

/** The handlers that deploy and answer HTTP. */
export type Handlers = Readonly<
  Record<
    | 'check'
    | 'confirm'
    | 'rollback'
    | 'refund'
    | 'checks'
    | 'settlements'
    | 'record'
    | 'status'
    | 'usage'
    | 'near'
    | 'health'
    | 'history'
    | 'rules'
    | 'subjects'
    | 'proposals',
    LambdaHandler
  >
>;

/** Functions of several routes. */
const OF_SEVERAL_ROUTES: ReadonlySet<string> = new Set([
  ...['history', 'rules', 'subjects', 'proposals'],
]);

/** The handlers of a service. Whatever they answer over HTTP is held against docs/openapi.json. */
export function handlersOf(service: Service): Handlers {
  const { db, settings } = service;
  const handlers: Handlers = {
    check: createHandler(checkCall(service.limits.check, service.limits.passing), service),
    confirm: createHandler(confirmCall(service.limits.confirm), service),
    rollback: createHandler(rollbackCall(service.limits.rollback), service),
    refund: createHandler(refundCall(service.limits.refund), service),
    checks: createHandler(checksCall(service.limits.checkMany, service.limits.passing), service),
    settlements: createHandler(settlementsCall(service.limits.settleMany), service),
    record: createHandler(recordCall(service.limits.recordMany), service),
    status: createHandler(statusCall(service.limits.status, service.rightsOf), service),
    usage: createHandler(usageCall(service.limits.usage), service),
    near: createHandler(nearCall(service.near), service),
    health: createHandler(healthCall(healthOf(service)), service),
    rules: createRulesHandler(ruleBookOn(db, settings.storeTimeoutMs, settings.fourEyes), service),
    proposals: createProposalsHandler(proposalBookOf(service), service),
    history: createHistoryHandler(historyBookOf(service), service),
    subjects: createTermsHandler(termsBookOf(service), service),
  };
  const held = Object.entries(handlers).map(([name, each]) => [
    name,
    documented(OF_SEVERAL_ROUTES.has(name) ? callOfRoute : name, each),
  ]);
  return Object.fromEntries(held) as Handlers; // of the same names
}
