import type {
  CheckAnswer,
  ConfirmAnswer,
  RefundAnswer,
  RollbackAnswer,
  UsageAnswer,
} from '../domain/answer.ts';
import type { Outcome, RuleReport } from '../domain/report.ts';
import type {
  CheckRequest,
  ConfirmRequest,
  OrderName,
  RefundRequest,
  RollbackRequest,
  UsageRequest,
} from '../domain/request.ts';
import {
  checkAnswerJson,
  confirmAnswerJson,
  refundAnswerJson,
  rollbackAnswerJson,
} from './answers.ts';
import type { OrderStatus } from '../domain/order-status.ts';
import { readCheckRequest } from './check-request.ts';
import type { Call } from './handler.ts';
import { readRefundRequest } from './refund-request.ts';
import { statusAnswerJson } from './status-answer.ts';
import { readStatusRequest } from './status-request.ts';
import { readConfirmRequest, readRollbackRequest } from './settle-request.ts';
import type { CallRecord } from './telemetry.ts';
import { usageAnswerJson } from './usage-answer.ts';
import { readUsageRequest, usageQuery } from './usage-request.ts';

/** The call `check`, as it is read and written. */
export function checkCall(
  run: Call<CheckRequest, CheckAnswer>['run'],
): Call<CheckRequest, CheckAnswer> {
  return {
    name: 'check',
    needs: ['check'],
    read: readCheckRequest,
    run,
    write: (answer) => checkAnswerJson(answer),
    tell(answer) {
      if (answer.kind === 'undecided') return { outcome: 'undecided', fault: answer.cause };
      return {
        outcome: answer.kind,
        ...(answer.kind === 'allowed' ? { repeated: answer.repeated } : {}),
        ...toldOfRules([answer]),
      };
    },
  };
}

/** Names the rules that refused, and those that would have, each once; counts what met no rule. */
export function toldOfRules(
  answers: readonly { readonly rules: readonly RuleReport[] }[],
): Pick<CallRecord, 'refusedBy' | 'shadowRefusedBy' | 'withoutRules'> {
  const reports = answers.flatMap(({ rules }) => rules);
  const withoutRules = answers.filter(({ rules }) => rules.length === 0).length;
  const refusedBy = idsOf(reports, 'exceeded');
  const shadowRefusedBy = idsOf(reports, 'exceeded-shadow');
  return {
    ...(refusedBy.length === 0 ? {} : { refusedBy }),
    ...(shadowRefusedBy.length === 0 ? {} : { shadowRefusedBy }),
    ...(withoutRules === 0 ? {} : { withoutRules }),
  };
}

function idsOf(reports: readonly RuleReport[], outcome: Outcome): readonly string[] {
  const found = reports.filter((report) => report.outcome === outcome);
  return [...new Set(found.map(({ rule }) => rule.id))];
}

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
export function statusCall(run: Call<OrderName, OrderStatus>['run']): Call<OrderName, OrderStatus> {
  return {
    name: 'status',
    needs: ['status'],
    read: readStatusRequest,
    run,
    write: statusAnswerJson,
    tell: () => ({ outcome: 'answered' }),
  };
}

/** The call `usage`, as it is read and written. */
export function usageCall(
  run: Call<UsageRequest, UsageAnswer>['run'],
): Call<UsageRequest, UsageAnswer> {
  return {
    name: 'usage',
    needs: ['usage'],
    readQuery: usageQuery,
    read: readUsageRequest,
    run,
    write: usageAnswerJson,
    tell: () => ({ outcome: 'answered' }),
  };
}
