import type * as orders from '../../contract/orders.ts';
import type { Told } from '../../contract/words.ts';
import type {
  CheckAnswer,
  ConfirmAnswer,
  Part,
  RecordAnswer,
  RefundAnswer,
  Refunds,
  Review,
  RollbackAnswer,
} from '../limits/answer.ts';
import type { RuleReport } from '../limits/report.ts';
import { refusedBy, shadowRefusedBy } from '../limits/report.ts';
import type { Excess } from '../limits/standing.ts';
import type { ReportScope } from './check-request.ts';
import {
  callersOwn,
  frozenJson,
  headroomJson,
  ruleJson,
  unknownKindsJson,
} from './standing-answer.ts';

/** Writes an answer of `check`. `refusedBy` and `shadowRefusedBy` are lists in each, empty ones, too. */
export function checkAnswerJson(
  answer: CheckAnswer,
  scope: ReportScope = 'all',
): Told<typeof orders.checkAnswer> {
  const now = answer.now;
  switch (answer.kind) {
    case 'allowed':
      return {
        decision: 'allowed',
        ...refusalsJson(answer.rules),
        repeated: answer.repeated,
        state: stateAfter(answer.state, answer.refunds),
        ...refundsJson(answer.refunds),
        reservation: answer.reservation,
        holdExpiresAt: answer.holdExpiresAt,
        ...partJson(answer.part),
        approval: answer.approval,
        uncounted: answer.uncounted,
        limitReached: answer.limitReachedBy.length > 0,
        limitReachedBy: answer.limitReachedBy,
        exceeded: someExcesses(answer.exceeded),
        rules: rulesJson(answer.rules, scope),
        headroom: headroomJson(answer.headroom),
        now,
      };
    case 'refused':
      return {
        decision: 'refused',
        reason: answer.reason,
        challenges: answer.challenges,
        review: answer.review && reviewJson(answer.review),
        unknownKinds: unknownKindsJson(answer.unknownKinds),
        frozen: answer.frozen?.map(frozenJson),
        ...refusalsJson(answer.rules),
        repeated: false,
        ...NONE_REACHED,
        rules: rulesJson(answer.rules, scope),
        headroom: headroomJson(answer.headroom),
        now,
      };
    case 'undecided':
      return {
        decision: 'allowed',
        undecided: true,
        ...refusalsJson([]),
        repeated: false,
        state: 'none',
        ...NONE_REACHED,
        rules: rulesJson([], scope),
        now,
      };
  }
}

function partJson(part: Part | undefined) {
  if (part === undefined) return {};
  return { amount: part.amountMinor, asked: part.askedMinor, amountBy: part.amountBy };
}

function reviewJson({ proposal, state, until }: Review) {
  return { proposal, state, until };
}

function stateAfter<State extends string>(state: State, refunds: Refunds | null | undefined) {
  return refunds ? stateOf(refunds) : state;
}

function stateOf({ remainingMinor }: Refunds) {
  return remainingMinor > 0 ? 'partlyRefunded' : 'refunded';
}

function refundsJson(refunds: Refunds | null | undefined) {
  if (refunds === undefined) return {};
  if (refunds === null) return { refunded: null };
  return { refunded: refunds.refundedMinor, remaining: refunds.remainingMinor };
}

/** Writes an answer of `confirm`. `exceeded` is null if it is not known, and `refunded` without the audit. */
export function confirmAnswerJson(answer: ConfirmAnswer): Told<typeof orders.confirmAnswer> {
  const { repeated, late, amountMinor, refunds, exceeded, uncounted } = answer;
  return {
    state: stateAfter('confirmed', refunds),
    repeated,
    late,
    amount: amountMinor,
    ...refundsJson(refunds),
    uncounted,
    exceeded: exceeded === undefined ? null : someExcesses(exceeded),
  };
}

function someExcesses(excesses: readonly Excess[]) {
  return excesses.length === 0 ? undefined : excesses.map(excessJson);
}

function excessJson({ rule, amountMinor, count }: Excess): Told<typeof orders.excess> {
  return { rule, amount: amountMinor, count };
}

/** Writes an answer of `record` about one order. */
export function recordAnswerJson(
  answer: RecordAnswer,
): Omit<Told<typeof orders.recorded>, 'orderId'> {
  const { state, repeated, amountMinor, counted, over, exceeded } = answer;
  return {
    state,
    repeated,
    amount: amountMinor,
    counted,
    over,
    exceeded: exceeded.map(excessJson),
  };
}

/** Writes an answer of `rollback`. */
export function rollbackAnswerJson(answer: RollbackAnswer): Told<typeof orders.rollbackAnswer> {
  return { state: 'rolledBack', repeated: answer.repeated };
}

/** Writes an answer of `refund`. */
export function refundAnswerJson(answer: RefundAnswer): Told<typeof orders.refundAnswer> {
  const { repeated, amountMinor, refundedMinor, remainingMinor, windows } = answer;
  const sums = { amount: amountMinor, refunded: refundedMinor, remaining: remainingMinor };
  return { state: stateOf(answer), repeated, ...sums, windows };
}

function refusalsJson(reports: readonly RuleReport[]) {
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
