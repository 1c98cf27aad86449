import type { FindRuleAnswer } from '@headroom-limits/client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { callerOf } from '../../data/queries.ts';
import { isSignedOut } from '../../data/signed-out.ts';
import { useSession } from '../../session.tsx';
import type { RuleDraft } from './draft.ts';
import type { RuleForm } from './rule-form.tsx';

const KEY = 'headroom.draft';

/** A draft of one person, as this tab keeps it. */
type KeptDraft = {
  readonly person: string;
  readonly draft: Omit<RuleDraft, 'amount' | 'count'> & {
    /** An empty one is no JSON. */
    readonly amount: string;
    readonly count: string;
  };
  /** The rule that was changed; absent of a new one. */
  readonly stored?: FindRuleAnswer;
};

/** Reads what this person wrote of a rule before their session ended, or the page was loaded again. */
function readKept(
  person: string,
  id: string | undefined,
): { readonly draft: RuleDraft; readonly stored?: FindRuleAnswer } | undefined {
  const text = sessionStorage.getItem(KEY);
  if (text === null) return undefined;
  const { draft, stored, ...kept } = JSON.parse(text) as KeptDraft; // as it was written below
  if (kept.person !== person || stored?.id !== id) return undefined;
  const { amount, count } = draft;
  return {
    draft: { ...draft, amount: Number(amount), count: Number(count) },
    ...(stored === undefined ? {} : { stored }),
  };
}

/**
 * Keeps what is written in this tab until it is saved or left: a session may end at any time. Whoever leaves
 * was asked.
 *
 * @param isUnsaved whether there is something to keep
 */
export function useKept(
  form: RuleForm,
  { person, draft, stored }: Pick<KeptDraft, 'person' | 'stored'> & { readonly draft: RuleDraft },
  isUnsaved: boolean,
) {
  const session = useSession();
  const queries = useQueryClient();
  const [found] = useState(() => readKept(person, stored?.id));
  useEffect(() => {
    if (found === undefined) return;
    for (const name of Object.keys(found.draft) as (keyof RuleDraft)[])
      // of its type
      form.setFieldValue(name, found.draft[name]);
  }, [form, found]);
  useEffect(() => {
    if (!isUnsaved) return;
    const { amount, count } = draft;
    const kept = { ...draft, amount: String(amount), count: String(count) };
    const text: KeptDraft = { person, draft: kept, ...(stored === undefined ? {} : { stored }) };
    sessionStorage.setItem(KEY, JSON.stringify(text));
    return () => {
      const { error } = queries.getQueryState(callerOf(session).queryKey) ?? {};
      if (!isSignedOut(error)) sessionStorage.removeItem(KEY);
    };
  }, [isUnsaved, draft, person, stored, queries, session]);
  return found;
}
