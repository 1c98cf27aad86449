import type * as orders from '../../contract/orders.ts';
import type { Told } from '../../contract/words.ts';
import type { CheckAnswer } from '../limits/answer.ts';
import type { RuleReport } from '../limits/report.ts';
import { refusedBy, shadowRefusedBy } from '../limits/report.ts';
import type { ReportScope } from './check-request.ts';
import { callersOwn, frozenJson, ruleJson, unknownKindsJson } from './standing-answer.ts';

/** Writes an answer of `check`. `refusedBy` and `shadowRefusedBy` are lists in each, empty ones, too. */
export function checkAnswerJson(
  answer: CheckAnswer,
  scope: ReportScope = 'all',
): Told<typeof orders.checkAnswer> {
  const { now } = answer;
  switch (answer.kind) {
    case 'allowed':
      return {
        decision: 'allowed',
        ...refusedByJson(answer.rules),
        repeated: answer.repeated,
        state: answer.state,
        refunded: answer.refunded,
        remaining: answer.remaining,
        reservation: answer.reservation,
        holdExpiresAt: answer.holdExpiresAt,
        ...answer.part,
        approval: answer.approval,
        uncounted: answer.uncounted,
        limitReached: answer.limitReachedBy.length > 0,
        limitReachedBy: answer.limitReachedBy,
        exceeded: answer.exceeded.length === 0 ? undefined : answer.exceeded,
        rules: rulesJson(answer.rules, scope),
        headroom: answer.headroom,
        now,
      };
    case 'refused':
      return {
        decision: 'refused',
        reason: answer.reason,
        challenges: answer.challenges,
        review: answer.review,
        unknownKinds: unknownKindsJson(answer.unknownKinds),
        frozen: answer.frozen?.map(frozenJson),
        ...refusedByJson(answer.rules),
        repeated: false,
        ...NONE_REACHED,
        rules: rulesJson(answer.rules, scope),
        headroom: answer.headroom,
        now,
      };
    case 'undecided':
      return {
        decision: 'allowed',
        undecided: true,
        ...refusedByJson([]),
        repeated: false,
        state: 'none',
        ...NONE_REACHED,
        rules: rulesJson([], scope),
        now,
      };
  }
}

function refusedByJson(reports: readonly RuleReport[]) {
  return { refusedBy: refusedBy(reports), shadowRefusedBy: shadowRefusedBy(reports) };
}

const NONE_REACHED = { limitReached: false, limitReachedBy: [] } as const;

function rulesJson(reports: readonly RuleReport[], scope: ReportScope) {
  switch (scope) {
    case 'none':
      return undefined;
    case 'violations':
      return reports
        .filter((one) => refusedBy([one]).length + shadowRefusedBy([one]).length > 0)
        .map((report) => ruleJson(report, {}));
    case 'all':
      return reports.map((report) => ruleJson(report, callersOwn(report)));
  }
}
