import type { StoredRule } from '@headroom-limits/client';
import { useReading } from '../../words/words.tsx';
import { BackTest } from '../back-test/back-test.tsx';
import { notesOf, triedOf, zoneOfRule } from '../back-test/question.ts';
import type { DraftReading, RuleDraft } from './draft.ts';
import { draftOf } from './draft.ts';
import type { RuleForm } from './rule-form.tsx';

/** Fields that no back-test says. */
const KEPT: ReadonlySet<keyof RuleDraft> = new Set([
  'id',
  'mode',
  'from',
  'to',
  'reason',
  'beginAnew',
]);

/** What the rule that is written would have done. */
export function DraftTrial({
  form,
  draft,
  reading: { rule, read },
}: {
  readonly form: RuleForm;
  readonly draft: RuleDraft;
  readonly reading: DraftReading;
}) {
  const { say } = useReading();
  const written: StoredRule | undefined = rule && { ...rule, id: draft.id };
  const isRead = written !== undefined && read !== undefined;
  return (
    <BackTest
      draft={isRead ? triedOf(written) : undefined}
      wrong={say('test.mistakes')}
      notes={isRead ? notesOf(written) : []}
      zone={zoneOfRule(written)}
      onTake={(put) => {
        const taken = draftOf(put);
        for (const name of Object.keys(taken) as (keyof RuleDraft)[])
          // its fields
          if (!KEPT.has(name)) form.setFieldValue(name, taken[name]);
      }}
    />
  );
}
