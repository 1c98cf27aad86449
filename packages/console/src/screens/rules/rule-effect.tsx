import type { FindRuleAnswer, RuleChangeAnswer } from '@headroom-limits/client';
import { useQueryClient } from '@tanstack/react-query';
import { ruleSentence } from '../../../../../lib/http/sentences/rule-sentence.ts';
import { useAsked } from '../../ui/asked.ts';
import { SendingDone, SendingProgress } from '../../ui/dialog.tsx';
import { Diff } from '../../ui/diff.tsx';
import { EffectText } from '../../ui/effect.tsx';
import { Given } from '../../ui/text.tsx';
import { LANGUAGES, useReading } from '../../words/words.tsx';
import type { DraftReading, RuleDraft } from './draft.ts';
import type { Change } from './rule-editor.tsx';
import type { RuleForm } from './rule-form.tsx';
import { isSameRule } from './rule-form.tsx';

type EffectProps = {
  readonly form: RuleForm;
  readonly draft: RuleDraft;
  readonly reading: DraftReading;
  readonly stored: FindRuleAnswer | undefined;
  readonly trying: Change;
  readonly saving: Change;
  /** How many mistakes there are. */
  readonly wrong: number;
};

/** What the change means and does, and the way to make it: only what the server has looked at can be saved. */
export function Effect({ form, draft, reading, stored, trying, saving, wrong }: EffectProps) {
  const { say } = useReading();
  const queries = useQueryClient();
  const [, change] = useAsked();
  const close = (): void => {
    change({ edit: undefined, id: stored?.id });
  };
  if (saving.answer !== undefined)
    return (
      <SendingDone
        says={say('proposal' in saving.answer ? 'change.proposed' : 'edit.done')}
        proposal={'proposal' in saving.answer ? saving.answer.proposal.id : undefined}
        onClose={close}
      />
    );
  const reread = (): void => void queries.invalidateQueries();
  // Of a new rule whose name is taken, nothing is read: it needs another name.
  const ways = stored === undefined ? {} : { onReread: reread };
  const effect = effectOf(trying, draft);
  const { rule, read } = reading;
  return (
    <div className="form">
      {/* Above what comes and goes: a button that moves away is missed. */}
      <p className="dialog-end">
        <button type="button" className="button" onClick={close}>
          {say('change.cancel')}
        </button>
        <button
          type="button"
          className="button primary"
          disabled={saving.isSending || effect === undefined || effect.changes.length === 0}
          onClick={() => {
            saving.send({ draft, isDry: false });
          }}
        >
          {say('edit.save')}
        </button>
      </p>
      {read !== undefined && (
        <div className="sentences">
          {LANGUAGES.map((language) => (
            <p key={language} lang={language}>
              <Given text={ruleSentence(read, language)} />
            </p>
          ))}
        </div>
      )}
      {rule !== undefined && <Diff before={stored?.rule} after={{ id: draft.id, ...rule }} />}
      {effect !== undefined && (
        <Told changes={effect.changes} warnings={effect.warnings} form={form} />
      )}
      {wrong > 0 ? (
        <p className="notice failed" role="status">
          {say('edit.wrong', { count: wrong })}
        </p>
      ) : (
        <>
          <SendingProgress sending={trying} isDry {...ways} />
          <SendingProgress sending={saving} {...ways} />
        </>
      )}
    </div>
  );
}

type Changed = Extract<RuleChangeAnswer, { readonly changes: unknown }>;

/** What the server said of this very draft, whatever its reason. */
function effectOf({ answer, sent }: Change, draft: RuleDraft): Changed | undefined {
  if (answer === undefined || sent === undefined || !('changes' in answer)) return undefined;
  return isSameRule(sent.draft, draft) ? answer : undefined;
}

/** What a change does to what is counted. */
function Told({
  changes,
  warnings,
  form,
}: Pick<Changed, 'changes' | 'warnings'> & { readonly form: RuleForm }) {
  const { say } = useReading();
  const resets = changes.some(({ counter }) => counter === 'anew' || counter === 'joins');
  if (changes.length === 0) return <p className="notice">{say('edit.unchanged')}</p>;
  return (
    <div className={resets || warnings.length > 0 ? 'notice warn' : 'notice'} role="status">
      <ul>
        {changes.map((each) => (
          <li key={each.id}>
            <strong>
              <Given text={each.id} />
            </strong>
            : <EffectText change={each} />
          </li>
        ))}
        {warnings.map((says) => (
          <li key={says} lang="en">
            <Given text={says} />
          </li>
        ))}
      </ul>
      {resets && (
        <form.AppField name="beginAnew">
          {({ Tick }) => <Tick label={say('edit.beginAnew')} />}
        </form.AppField>
      )}
    </div>
  );
}
