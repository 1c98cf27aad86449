import type { RuleUsage, UsageAnswer } from '../domain/answer.ts';
import { shareTaken } from '../domain/report.ts';
import type { Untold, UntoldMaximum } from '../domain/untold.ts';
import type { JsonObject } from './answers.ts';
import { frozenJson, ruleJson } from './answers.ts';
import { unknownKindsJson } from './unknown-kinds.ts';
import { USAGE_FIELDS } from './usage-request.ts';

/** Writes what `usage` answers. Amounts are minor units, instants RFC 3339 in UTC. */
export function usageAnswerJson(answer: UsageAnswer): JsonObject {
  const { subjects, rules, unknownKinds, frozen, now, asOf } = answer;
  return {
    subjects,
    ...unknownKindsJson(unknownKinds, USAGE_FIELDS),
    frozen: frozen.map(frozenJson),
    rules: rules.map(standingJson),
    ...(asOf === undefined ? {} : { asOf: asOf.toISOString() }),
    now: now.toISOString(),
  };
}

/**
 * `resetsAt` is when all that counts now has ended; a rolling window lets go bit by bit, a lifetime never.
 * Where a maximum depends on what nobody said, nobody can say which share is taken.
 */
function standingJson({ untold, ...report }: RuleUsage): JsonObject {
  const { rule, subjects, window, outcome } = report;
  const { title, currency } = rule;
  const isCalendar = rule.window.kind === 'calendar';
  return {
    ...ruleJson(report, {
      ...(Object.keys(title).length === 0 ? {} : { title }),
      subjects,
      ...(currency === undefined ? {} : { currency }),
    }),
    ...(untold === undefined ? {} : { maxBy: maxByJson(untold) }),
    ...(untold !== undefined && outcome === 'within' ? { outcome: 'depends' } : {}),
    share: untold === undefined ? Math.round(shareTaken(report) * 10_000) / 10_000 : null,
    resetsAt: isCalendar && window !== undefined ? window.end.toISOString() : null,
  };
}

function maxByJson({ amountMinor, count }: Untold): JsonObject {
  return {
    ...(amountMinor === undefined ? {} : { amount: byJson(amountMinor) }),
    ...(count === undefined ? {} : { count: byJson(count) }),
  };
}

function byJson({ by, values, otherwise }: UntoldMaximum): JsonObject {
  return { by, values: { ...values }, ...(otherwise === undefined ? {} : { else: otherwise }) };
}
