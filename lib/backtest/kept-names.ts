import { isKept } from '../audit/recorded.ts';
import type { Rule } from '../rule/rule.ts';
import { errorOf } from '../shared/errors.ts';
import type { InForce } from './history.ts';
import { attributesAsked, kindsOf } from './names-asked.ts';

/**
 * Refuses a draft that asks for an attribute which rows of the time do not keep.
 *
 * @throws AttributeNotKeptError
 */
export function refuseUnkept(
  draft: readonly Rule[],
  { rules, settings }: InForce,
  from: Date,
  to: Date,
): void {
  const kinds = kindsOf([...draft, ...rules.flatMap((one) => one.rules.live)]);
  const during = settings.filter(({ at, isAssumed }, place) => {
    const until = settings[place + 1]?.at ?? to;
    return isAssumed !== true && at < to && until > from;
  });
  for (const rule of draft)
    for (const name of attributesAsked(rule, kinds)) {
      const missing = during.find((one) => !isKept(one.attributes, name));
      if (missing !== undefined) throw new AttributeNotKeptError(rule.id, name, missing.at);
    }
}

/** Rows lack what a draft asks for, and nothing is guessed. */
class AttributeNotKeptError extends errorOf(
  'CANNOT_BE_TESTED',
  (rule: string, name: string, from: Date) =>
    `rule ${JSON.stringify(rule)} asks for the attribute ${JSON.stringify(name)}, which rows do not keep from ${from.toISOString()} on (AUDIT_ATTRIBUTES): try it on another time, or without that rule`,
) {}
