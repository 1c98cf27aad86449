import type { FindRuleAnswer } from '@headroom-limits/client';
import { useEffect, useRef, useState } from 'react';
import type { RuleDraft } from './draft.ts';
import { draftOf } from './draft.ts';
import type { RuleForm } from './rule-form.tsx';

type Name = keyof RuleDraft;

/** Fields that were changed here and there, with what they are there. */
export type Both = Partial<RuleDraft>;

/**
 * Takes the fields of somebody else who was first, but for those that were changed here: they stay. What both
 * changed is given, until one of the two is chosen.
 */
export function useNewer(
  form: RuleForm,
  stored: FindRuleAnswer | undefined,
  onNewer: () => void,
  /** What the draft was written against. */
  base: FindRuleAnswer | undefined,
): readonly [Both, (name: Name, isTheirs: boolean) => void] {
  const known = useRef(base);
  const [both, setBoth] = useState<Both>({});
  useEffect(() => {
    if (known.current?.version === stored?.version) return;
    const [before, now] = [draftOf(known.current?.rule), draftOf(stored?.rule)];
    known.current = stored;
    const written = form.state.values;
    const isSame = (name: Name, one: RuleDraft, other: RuleDraft): boolean =>
      String(one[name]) === String(other[name]);
    const names = Object.keys(now) as readonly Name[]; // its fields
    // of its type
    for (const name of names)
      if (isSame(name, written, before)) form.setFieldValue(name, now[name]);
    const changed = names.filter(
      (name) =>
        !isSame(name, written, before) && !isSame(name, now, before) && !isSame(name, now, written),
    );
    setBoth(Object.fromEntries(changed.map((name) => [name, now[name]])));
    onNewer();
  }, [form, stored, onNewer]);
  const choose = (name: Name, isTheirs: boolean): void => {
    const { [name]: theirs, ...others } = both;
    if (isTheirs && theirs !== undefined) form.setFieldValue(name, theirs);
    setBoth(others);
  };
  return [both, choose];
}
