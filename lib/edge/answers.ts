import type {
  CheckAnswer,
  ConfirmAnswer,
  Excess,
  RecordAnswer,
  RefundAnswer,
  Refunds,
  RollbackAnswer,
} from '../domain/answer.ts';
import { durationText } from '../domain/duration.ts';
import type { OverrideInForce, Stretch } from '../domain/override.ts';
import type { Frozen } from '../domain/plan.ts';
import type { Headroom, RuleReport } from '../domain/report.ts';
import { refusedBy, shadowRefusedBy } from '../domain/report.ts';
import type { Quantity, Window } from '../domain/rule.ts';
import { EXACT_STEP_MS } from '../domain/rule.ts';
import { unknownKindsJson } from './unknown-kinds.ts';

/** What may stand in an answer: JSON, before it becomes text. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
/** An object in an answer. */
export type JsonObject = { readonly [name: string]: Json };

/**
 * What an answer tells of rules: nothing; of those that refused, or would have, how they stand; of all
 * that apply, everything.
 */
export const REPORTS = ['none', 'violations', 'all'] as const;
/** What an answer tells of rules. */
export type ReportScope = (typeof REPORTS)[number];

/**
 * Writes what `check` answers. Amounts are minor units, instants RFC 3339 in UTC.
 *
 * `refusedBy` and `shadowRefusedBy` are lists in every answer, empty ones too, whatever `scope` says:
 * whoever reads an answer need not ask first whether they are there.
 */
export function checkAnswerJson(answer: CheckAnswer, scope: ReportScope = 'all'): JsonObject {
  const now = answer.now.toISOString();
  switch (answer.kind) {
    case 'allowed':
      return {
        decision: 'allowed',
        ...refusalsJson(answer.rules),
        repeated: answer.repeated,
        state: stateAfter(answer.state, answer.refunds),
        ...refundsJson(answer.refunds),
        ...(answer.reservation === undefined ? {} : { reservation: answer.reservation }),
        ...(answer.holdExpiresAt === undefined
          ? {}
          : { holdExpiresAt: answer.holdExpiresAt.toISOString() }),
        ...(answer.uncounted === undefined ? {} : { uncounted: [...answer.uncounted] }),
        limitReached: answer.limitReached,
        ...rulesJson(answer.rules, scope),
        headroom: headroomJson(answer.headroom),
        now,
      };
    case 'refused':
      return {
        decision: 'refused',
        reason: answer.reason,
        ...unknownKindsJson(answer.unknownKinds),
        ...(answer.frozen === undefined ? {} : { frozen: answer.frozen.map(frozenJson) }),
        ...refusalsJson(answer.rules),
        repeated: false,
        limitReached: false,
        ...rulesJson(answer.rules, scope),
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
        limitReached: false,
        ...rulesJson([], scope),
        now,
      };
  }
}

/** The state of a payment as it is now, in the words of `refund`. */
function stateAfter(state: string, refunds: Refunds | null | undefined): string {
  if (!refunds) return state;
  return refunds.remainingMinor > 0 ? 'partlyRefunded' : 'refunded';
}

function refundsJson(refunds: Refunds | null | undefined): JsonObject {
  if (refunds === undefined) return {};
  if (refunds === null) return { refunded: null };
  return { refunded: refunds.refundedMinor, remaining: refunds.remainingMinor };
}

/**
 * Writes what `confirm` answers. `exceeded` and `uncounted` are absent in the ordinary case, `exceeded`
 * is null where the rules could not be read. `refunded` and `remaining` are there in a repeat of what
 * was refunded since; `refunded` is null where the audit could not be read.
 */
export function confirmAnswerJson(answer: ConfirmAnswer): JsonObject {
  const { repeated, late, amountMinor, refunds, exceeded, uncounted } = answer;
  const confirmed = {
    state: stateAfter('confirmed', refunds),
    ...{ repeated, late, amount: amountMinor },
    ...refundsJson(refunds),
    ...(uncounted === undefined ? {} : { uncounted: [...uncounted] }),
  };
  if (exceeded === undefined) return { ...confirmed, exceeded: null };
  return exceeded.length === 0 ? confirmed : { ...confirmed, exceeded: exceeded.map(excessJson) };
}

function excessJson({ rule, ...excess }: Excess): JsonObject {
  return { rule, ...quantityJson(excess) };
}

/** Writes what `record` answers of one order. Rules are told by their ids. */
export function recordAnswerJson(answer: RecordAnswer): JsonObject {
  const { repeated, amountMinor, counted, over, exceeded } = answer;
  return {
    state: 'confirmed',
    ...{ repeated, amount: amountMinor, counted, over },
    exceeded: exceeded.map(excessJson),
  };
}

/** Writes what `rollback` answers. */
export function rollbackAnswerJson({ repeated }: RollbackAnswer): JsonObject {
  return { state: 'rolledBack', repeated };
}

/** Writes what `refund` answers. Amounts are minor units. */
export function refundAnswerJson(answer: RefundAnswer): JsonObject {
  const { repeated, amountMinor, refundedMinor, remainingMinor, windows } = answer;
  const state = stateAfter('confirmed', { refundedMinor, remainingMinor });
  const sums = { amount: amountMinor, refunded: refundedMinor, remaining: remainingMinor };
  return { state, repeated, ...sums, windows };
}

function headroomJson({ amountMinor, earliestAt }: Headroom): JsonObject {
  return { amount: amountMinor, earliestAt: earliestAt?.toISOString() ?? null };
}

/** Which rules refused, and which would have, were they in force. */
function refusalsJson(reports: readonly RuleReport[]): JsonObject {
  return { refusedBy: refusedBy(reports), shadowRefusedBy: shadowRefusedBy(reports) };
}

function rulesJson(reports: readonly RuleReport[], scope: ReportScope): JsonObject {
  switch (scope) {
    case 'none':
      return {};
    case 'violations':
      return { rules: reports.filter(isViolated).map((report) => ruleJson(report)) };
    case 'all':
      return { rules: reports.map((report) => ruleJson(report, callersOwn(report))) };
  }
}

function isViolated(report: RuleReport): boolean {
  return [...refusedBy([report]), ...shadowRefusedBy([report])].length > 0;
}

/** What callers know already: the rule's titles, and the subjects that they named. */
function callersOwn({ rule: { title }, subjects }: RuleReport): JsonObject {
  return { ...(Object.keys(title).length === 0 ? {} : { title }), subjects };
}

/** Writes how a rule stands. */
export function ruleJson(report: RuleReport, own: JsonObject = {}): JsonObject {
  const { rule, used, held, remaining, outcome, retryAt } = report;
  return {
    rule: rule.id,
    ...own,
    mode: rule.mode,
    window: windowJson(rule.window, report.window),
    ...(isLimited(rule.min) ? { min: quantityJson(rule.min) } : {}),
    max: quantityJson(rule.max),
    ...(rule.override === undefined ? {} : { override: overrideJson(rule.override) }),
    ...(used === undefined ? {} : { used: quantityJson(used) }),
    ...(held === undefined ? {} : { held: quantityJson(held) }),
    ...(remaining === undefined ? {} : { remaining: quantityJson(remaining) }),
    outcome,
    ...(retryAt === undefined ? {} : { retryAt: retryAt?.toISOString() ?? null }),
  };
}

/** Why a subject is frozen, and until when; null where nobody has said. */
export function frozenJson({ kind, id, freeze }: Frozen): JsonObject {
  return { subjects: { [kind]: id }, reason: freeze.reason, until: untilJson(freeze) };
}

/** The maximum is the subject's own, and until when; null where nobody has said. */
function overrideJson(override: OverrideInForce): JsonObject {
  return { reason: override.reason, until: untilJson(override), own: quantityJson(override.own) };
}

/** Until when something is in force; null where nobody has said. */
export function untilJson({ until }: Stretch): string | null {
  return until?.toISOString() ?? null;
}

function isLimited(quantity: Quantity): boolean {
  return quantity.amountMinor !== undefined || quantity.count !== undefined;
}

/** Writes amount and count; what is absent stays so. */
export function quantityJson({ amountMinor, count }: Quantity): JsonObject {
  return {
    ...(amountMinor === undefined ? {} : { amount: amountMinor }),
    ...(count === undefined ? {} : { count }),
  };
}

/** A lifetime has neither start nor end that would mean anything; a single transaction neither. */
export function windowJson(window: Window, period: RuleReport['window']): JsonObject {
  const { start, end } = period ?? {};
  const stretch = start && end ? { start: start.toISOString(), end: end.toISOString() } : {};
  switch (window.kind) {
    case 'transaction':
    case 'lifetime':
      return { kind: window.kind };
    case 'calendar': {
      const { unit, every, timeZone } = window;
      return { kind: 'calendar', unit, ...(every === 1 ? {} : { every }), timeZone, ...stretch };
    }
    case 'rolling': {
      const exact = window.stepMs === EXACT_STEP_MS;
      const step = durationText(window.stepMs);
      return {
        ...{ kind: 'rolling', span: durationText(window.spanMs), step: exact ? 'exact' : step },
        ...stretch,
        maxEarlyRefusal: exact ? 'PT0S' : step,
      };
    }
  }
}
