import { actorText } from '../domain/actor.ts';
import type { Reasoned } from '../domain/override.ts';
import type { Rule } from '../domain/rule.ts';
import { RuleChangedError } from '../domain/rule-errors.ts';
import type { Subject } from '../domain/subject.ts';
import { documentId } from '../domain/subject.ts';
import type { TermsBasis, TermsWish } from '../domain/terms-change.ts';
import { TermsRefusedError } from '../domain/terms-errors.ts';

/** In view of what a change is asked for, which may be made a week later. */
export function basisOf(replaced: readonly Reasoned[], rule: Rule | undefined): TermsBasis {
  const version = rule?.version;
  return {
    replaces: replaced.map(({ at }) => at),
    ...(version === undefined ? {} : { ruleVersion: version }),
  };
}

/**
 * Its maximum may have been lowered for all to stop a few, or be in another currency by now.
 *
 * @throws RuleChangedError where the rule is another than when the change was proposed
 */
export function refuseOtherRule(
  wish: TermsWish,
  rule: Rule | undefined,
  { ruleVersion }: TermsBasis,
): void {
  if (rule?.version === ruleVersion) return;
  const shown = `rule ${JSON.stringify(ruleIn(wish))}`;
  const found =
    rule === undefined ? `${shown} is not there` : `${shown} is at version ${rule.version}`;
  const wanted = ruleVersion === undefined ? 'one that is not there' : `version ${ruleVersion}`;
  throw new RuleChangedError(found, wanted);
}

/**
 * Whoever stops a thief while a raise is waiting must not be undone by who approves it a day later.
 *
 * @throws TermsRefusedError where something was given since the change was proposed
 */
export function refuseOthers(
  { kind, id }: Subject,
  replaced: readonly Reasoned[],
  { replaces }: TermsBasis,
): void {
  const other = replaced.find(({ at }) => !replaces.some((one) => one.getTime() === at.getTime()));
  if (other === undefined) return;
  throw new TermsRefusedError(
    `${documentId(kind, id)} was given other terms at ${other.at.toISOString()} by ${actorText(other.by)}, after this change was proposed; nothing was changed: propose it anew where it is still wanted`,
  );
}

/** The id of the rule that a wish is about; undefined of a freeze. */
export function ruleIn(wish: TermsWish): string | undefined {
  if (wish.kind === 'override') return wish.override.rule;
  return wish.kind === 'endOverride' ? wish.rule : undefined;
}
