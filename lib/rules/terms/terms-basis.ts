import { actorText } from '../../shared/actor.ts';
import { present } from '../../shared/present.ts';
import type { Reasoned, Stretch } from '../override.ts';
import type { Rule } from '../rule.ts';
import { RuleChangedError } from '../rule-errors.ts';
import type { Subject } from '../../shared/subject.ts';
import { documentId } from '../../shared/subject.ts';
import type { Replaced, TermsBasis, TermsEdit, TermsWish } from './terms-change.ts';
import { TermsRefusedError } from './terms-errors.ts';

type Given = Reasoned & Stretch;

/** In view of what a change is asked for, which may be made a week later. */
export function basisOf(replaced: readonly Given[], rule: Rule | undefined): TermsBasis {
  return {
    replaces: replaced.map(({ at, until }) => ({ at, ...present({ until }) })),
    ...present({ ruleVersion: rule?.version }),
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
 * Support stops a thief while a raise waits for approval. Approving the raise a day later must not undo
 * that: neither a lower maximum or a freeze that was given, nor a higher maximum that was taken away.
 *
 * @throws TermsRefusedError where something was given, taken away or replaced since the change was proposed
 */
export function refuseOthers(
  { kind, id }: Subject,
  replaced: readonly Given[],
  { replaces }: TermsBasis,
  now: Date,
): void {
  const document = documentId(kind, id);
  const other = replaced.find((one) => !isAmong(one, replaces));
  if (other !== undefined)
    throw new TermsRefusedError(
      `${document} was given other terms at ${other.at.toISOString()} by ${actorText(other.by)}, ${SINCE}`,
    );
  const gone = replaces.find(
    (one) => (one.until === undefined || now < one.until) && !isAmong(one, replaced),
  );
  if (gone !== undefined)
    throw new TermsRefusedError(
      `the terms of ${document} from ${gone.at.toISOString()} were ended or replaced ${SINCE}`,
    );
}

const SINCE =
  'after this change was proposed; nothing was changed: propose it again if you still want it';

function isAmong({ at }: Replaced, several: readonly Replaced[]): boolean {
  return several.some((one) => one.at.getTime() === at.getTime());
}

/** The id of the rule that a wish is about; undefined of a freeze. */
export function ruleIn(wish: TermsWish | TermsEdit): string | undefined {
  if (wish.kind === 'override') return wish.override.rule;
  return wish.kind === 'endOverride' ? wish.rule : undefined;
}
