import * as z from 'zod/mini';
import { STALE_MS_MAX } from '../shared/bounds.ts';
import { attributes, durationFrom, subjects, typeName } from '../schema/fields.ts';
import { requestSchema } from '../http/requests.ts';
import { component } from '../schema/said.ts';
import type { usageAnswer } from '../../contract/limits.ts';
import type { ruleUsage } from '../../contract/standings.ts';
import type { Told } from '../../contract/words.ts';
import type { RuleUsage, UsageAnswer } from '../limits/answer.ts';
import { begins } from '../rule/windows/windows.ts';
import {
  callersOwn,
  frozenJson,
  maxByJson,
  overrideJson,
  quantityJson,
  ruleJson,
  scopeJson,
  shareJson,
  unknownKindsJson,
} from '../http/standing-answer.ts';
import { shareTaken } from '../limits/standing.ts';

/** The request for `usage`. */
export const usageSchema = component(
  'UsageRequest',
  requestSchema({
    subjects: subjects('Kinds and ids.'),
    type: z.optional(typeName('The type of the payments, for maxima that depend on it.')),
    attributes: z.optional(
      attributes(
        'The attributes of the payments, for maxima that depend on them and windows that begin with them. No name may be a subject kind of the query.',
      ),
    ),
    stale: z.optional(
      durationFrom(
        'Staleness',
        [1_000, STALE_MS_MAX],
        `an ISO 8601 duration from PT1S to PT${STALE_MS_MAX / 3_600_000}H, such as PT10S`,
        'How old the answer may be: an ISO 8601 duration from PT1S to PT1H. A secondary may then answer, so that payments do not wait. Default: the answer is current.',
      ),
    ),
  }),
);

/** Amounts are minor units, instants RFC 3339 in UTC. */
export function usageAnswerJson(answer: UsageAnswer): Told<typeof usageAnswer> {
  const { subjects, rules, withoutInstant, unknownKinds, unseen, frozen, now, asOf } = answer;
  return {
    subjects,
    unknownKinds: unknownKindsJson(unknownKinds, usageSchema),
    unseen,
    frozen: frozen.map(frozenJson),
    rules: rules.map(standingJson),
    withoutInstant,
    asOf,
    now,
  };
}

/**
 * `resetsAt` is when all that counts now has ended; a rolling window lets go bit by bit, a lifetime never.
 * Where a maximum depends on what nobody said, nobody can say which share is taken.
 */
function standingJson({
  untold,
  later,
  own,
  beginsAt,
  ...report
}: RuleUsage): Told<typeof ruleUsage> {
  const { rule, window, outcome } = report;
  return {
    ...ruleJson(report, { ...callersOwn(report), currency: rule.currency }),
    override: rule.override && {
      ...overrideJson({ ...rule.override, own: own?.max ?? rule.override.own }),
      maxBy: maxByJson(own?.untold),
    },
    counts: scopeJson(rule.counts),
    appliesTo: scopeJson(rule.appliesTo),
    minus: rule.minus,
    maxBy: maxByJson(untold),
    later: later?.map((one) => ({
      from: one.from,
      max: quantityJson(one.max),
      maxBy: maxByJson(one.untold),
    })),
    outcome: untold !== undefined && outcome === 'within' ? 'depends' : outcome,
    share: untold === undefined ? shareJson(shareTaken(report)) : null,
    beginsAt,
    resetsAt: begins(rule.window) && window !== undefined ? window.end : null,
  };
}
