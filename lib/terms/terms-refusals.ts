import { countMaxOf, measureOf } from '../rule/measures/measures.ts';
import { actorText } from '../shared/actor.ts';
import { errorOf } from '../shared/errors.ts';
import type { Subject } from '../shared/subject.ts';
import { documentId } from '../shared/subject.ts';
import type { Rule } from '../rule/rule.ts';
import type { Terms, Validity } from '../rule/own-terms.ts';
import { hasEnded } from '../rule/rule.ts';
import { isCounted } from '../rule/windows/windows.ts';
import { RuleChangedError } from '../changes/rule-edit.ts';
import { overridesOf } from '../rule/terms.ts';
import { beginning, overridesFrom } from '../changes/terms-change.ts';
import type { replacedBy, TermsBasis, TermsWish } from '../changes/terms-change.ts';

/** There is nothing of the kind that was asked for. */
export class NoSuchTermsError extends errorOf(
  'NO_SUCH_TERMS',
  (document: string, what: string) =>
    `${document} has no ${what}: GET /v1/subjects/{kind}/{id}/terms lists its terms`,
) {}

/** The change is for other terms than there are. */
export class TermsChangedError extends errorOf(
  'TERMS_CHANGED',
  (now: string, wanted: string) =>
    `${now}, and the change is for ${wanted}; nothing was changed: read them again first`,
) {}

/** The terms would not be asked for with every check that they are about, or mean nothing. */
export class TermsRefusedError extends errorOf('TERMS_REFUSED', (says: string) => says) {}

/**
 * @param rule as the caller calls it
 * @throws NoSuchTermsError where there is nothing to take away; TermsRefusedError where nothing is left to come
 */
export function refuseNothing(
  { kind, id }: Subject,
  rule: string | undefined,
  before: Terms | undefined,
  wish: TermsWish,
  now: Date,
): void {
  const document = documentId(kind, id);
  if (wish.kind === 'unfreeze' && before?.freeze === undefined)
    throw new NoSuchTermsError(document, 'freeze');
  if (wish.kind === 'endOverride') refuseUnclear(document, rule, before, wish, now);
  if (wish.kind !== 'override' && wish.kind !== 'freeze') return;
  const { from, until }: Validity = wish.kind === 'override' ? beginning(wish, now) : wish;
  if (until === undefined) return;
  // A mistyped year must not unfreeze anybody.
  const ends = `the ${wish.kind} would end at ${until.toISOString()}`;
  if (until <= now)
    throw new TermsRefusedError(
      `${ends}, which is past (it is ${now.toISOString()}): give it a later until, or end the present one by DELETE`,
    );
  if (from !== undefined && until <= from)
    throw new TermsRefusedError(
      `${ends}, before it begins at ${from.toISOString()}: give it a later until`,
    );
}

/** Somebody who takes a raise back means to keep the lower maximum below it. */
function refuseUnclear(
  document: string,
  rule: string | undefined,
  before: Terms | undefined,
  { rule: id, overrideId }: Extract<TermsWish, { readonly kind: 'endOverride' }>,
  now: Date,
): void {
  const named = `rule ${JSON.stringify(rule)}`;
  const all = overridesOf(before, { id });
  if (all.length === 0) throw new NoSuchTermsError(document, `override of ${named}`);
  const isOne = overrideId !== undefined && overrideId !== 'all';
  if (isOne && !all.some((each) => each.id === overrideId))
    throw new NoSuchTermsError(document, `override ${JSON.stringify(overrideId)} of ${named}`);
  const ids = overridesFrom(before, { id }, now).map((each) => JSON.stringify(each.id));
  if (overrideId === undefined && ids.length > 1)
    throw new TermsRefusedError(
      `${document} has ${ids.length} overrides of ${named}: end one by its overrideId (${ids.join(', ')}), or all of them by "all"`,
    );
}

/** Why no check would be decided by a freeze or override, or why its rule cannot have it. */
export function whyUnasked(
  rule: Rule | undefined,
  { kind }: Subject,
  wish: TermsWish,
  alwaysAsked: readonly string[],
): string | undefined {
  const whyUnread = (what: string): string | undefined =>
    alwaysAsked.includes(kind)
      ? undefined
      : `a ${kind} cannot ${what}, because not every check reads its document: use ${alwaysAsked.join(', ')}, or add ${kind} to FREEZABLE_KINDS`;
  if (wish.kind === 'freeze') return whyUnread('be frozen');
  if (wish.kind !== 'override') return undefined;
  const { rule: id, max } = wish.override;
  const named = `rule ${JSON.stringify(id)}`;
  if (rule === undefined) return `there is no ${named} in force: GET /v1/rules lists all rules`;
  const { per, window, currency } = rule;
  if (per[0] !== kind)
    return `${named} counts per ${per.join(', ')}: only a ${per[0]} can have an override of it, not a ${kind}`;
  if (max.amountMinor !== undefined && currency === undefined)
    return `${named} has no currency, so it limits only counts`;
  if (max.amountMinor !== undefined && rule.outcomes !== undefined)
    return `${named} counts orders by how they ended, so it limits only counts`;
  if (!isCounted(window)) return whyUnread('have overrides of a rule for single transactions');
  const count = max.count === undefined ? rule.max.count : max.count;
  const most = countMaxOf(rule);
  if (most === undefined || (typeof count === 'number' && count >= 1 && count <= most))
    return undefined;
  const { others } = measureOf(rule);
  const because = others === undefined ? 'has an exact window' : `counts ${others}`;
  return `${named} ${because}, so its maximum count must be 1 to ${most}`;
}

/** @throws RuleChangedError where the rule is another than when the change was proposed: lower for all, say */
export function refuseOtherRule(
  id: string | undefined,
  rule: Rule | undefined,
  { ruleVersion }: TermsBasis,
): void {
  if (rule?.version === ruleVersion) return;
  const is = rule === undefined ? 'not there' : `at version ${rule.version}`;
  const wanted = ruleVersion === undefined ? 'one that is not there' : `version ${ruleVersion}`;
  throw new RuleChangedError(`rule ${JSON.stringify(id)} is ${is}`, wanted);
}

/**
 * Support stops a thief while a raise waits. Approving the raise a day later must not undo that.
 *
 * @throws TermsRefusedError where something was given, taken away or replaced since the change was proposed
 */
export function refuseOthers(
  { kind, id }: Subject,
  replaced: ReturnType<typeof replacedBy>,
  { replaces }: TermsBasis,
  now: Date,
): void {
  const document = documentId(kind, id);
  const since =
    'after this change was proposed; nothing was changed: propose it again if you still want it';
  const seen = new Set(replaces.map(({ at }) => at.getTime()));
  const other = replaced.find(({ at }) => !seen.has(at.getTime()));
  if (other !== undefined)
    throw new TermsRefusedError(
      `${document} was given other terms at ${other.at.toISOString()} by ${actorText(other.by)}, ${since}`,
    );
  const left = new Set(replaced.map(({ at }) => at.getTime()));
  const gone = replaces.find((one) => !hasEnded(one, now) && !left.has(one.at.getTime()));
  if (gone !== undefined)
    throw new TermsRefusedError(
      `the terms of ${document} from ${gone.at.toISOString()} were ended or replaced ${since}`,
    );
}
