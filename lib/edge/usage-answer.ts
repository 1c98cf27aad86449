import type { UsageAnswer } from '../domain/answer.ts';
import type { RuleReport } from '../domain/report.ts';
import { shareTaken } from '../domain/report.ts';
import type { JsonObject } from './answers.ts';
import { frozenJson, ruleJson } from './answers.ts';

/** Writes what `usage` answers. Amounts are minor units, instants RFC 3339 in UTC. */
export function usageAnswerJson({ subjects, rules, frozen, now, asOf }: UsageAnswer): JsonObject {
  return {
    subjects,
    frozen: frozen.map(frozenJson),
    rules: rules.map(standingJson),
    ...(asOf === undefined ? {} : { asOf: asOf.toISOString() }),
    now: now.toISOString(),
  };
}

/** `resetsAt` is when all that counts now has ended; a rolling window lets go bit by bit, a lifetime never. */
function standingJson(report: RuleReport): JsonObject {
  const { rule, subjects, window } = report;
  const { title, maxBy, currency } = rule;
  const isCalendar = rule.window.kind === 'calendar';
  return {
    ...ruleJson(report, {
      ...(Object.keys(title).length === 0 ? {} : { title }),
      subjects,
      ...(currency === undefined ? {} : { currency }),
    }),
    ...(maxBy === undefined ? {} : { maxBy: maxByJson(maxBy) }),
    share: Math.round(shareTaken(report) * 10_000) / 10_000,
    resetsAt: isCalendar && window !== undefined ? window.end.toISOString() : null,
  };
}

function maxByJson({ amountMinor, count }: NonNullable<RuleReport['rule']['maxBy']>): JsonObject {
  return {
    ...(amountMinor === undefined ? {} : { amount: { ...amountMinor } }),
    ...(count === undefined ? {} : { count: { ...count } }),
  };
}
