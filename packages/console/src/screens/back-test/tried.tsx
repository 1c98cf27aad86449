import type { StoredRule } from '@headroom-limits/client';
import { useQuery } from '@tanstack/react-query';
import { ruleOf } from '../../data/queries.ts';
import { useSession } from '../../session.tsx';
import { Diff } from '../../ui/diff.tsx';
import { useReading } from '../../words/words.tsx';
import { dropIn, isSameDraft, putIn, triedOf } from './question.ts';

/** What a back-test tried, beside the rule as it is stored now. */
export function Tried({ draft }: { readonly draft: unknown }) {
  const { say } = useReading();
  const [put, drop] = [putIn(draft), dropIn(draft)];
  if (put !== undefined) return <Put rule={put} />;
  if (drop !== undefined) return <p>{say('test.triedDrop', { rule: drop })}</p>;
  const { rules = [] } = (draft ?? {}) as { readonly rules?: readonly unknown[] }; // as in the request
  return <p>{say('test.triedRules', { count: rules.length })}</p>;
}

function Put({ rule }: { readonly rule: StoredRule }) {
  const { say } = useReading();
  // No sentence of it is shown.
  const { data, isPending } = useQuery(ruleOf(useSession(), rule.id, 'en'));
  if (isPending) return null;
  const values = { rule: rule.id };
  if (data === undefined) return <p>{say('test.triedNew', values)}</p>;
  const stored = triedOf(data.rule);
  if (isSameDraft(stored, { put: rule })) return <p>{say('test.triedSame', values)}</p>;
  return (
    <>
      <p>{say('test.triedPut', values)}</p>
      <Diff before={'put' in stored ? stored.put : data.rule} after={rule} />
    </>
  );
}
