import type { FindRuleAnswer, RequestMistake, RuleChangeAnswer } from '@headroom-limits/client';
import { isProblemError } from '@headroom-limits/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { I18nProvider } from 'react-aria-components';
import { ruleOf } from '../../data/queries.ts';
import { useSession } from '../../session.tsx';
import { useAsked } from '../../ui/asked.ts';
import { SendingDone, SendingProgress } from '../../ui/dialog.tsx';
import { Diff } from '../../ui/diff.tsx';
import { EffectText } from '../../ui/effect.tsx';
import { ServerMistakes } from '../../ui/form.tsx';
import { Section, Shown } from '../../ui/panel.tsx';
import type { SendingState } from '../../ui/sending.ts';
import { useSending } from '../../ui/sending.ts';
import { Given } from '../../ui/text.tsx';
import { useReading } from '../../words/words.tsx';
import type { RuleDraft } from './draft.ts';
import { draftOf, ruleIn } from './draft.ts';
import { placeOf } from './mistake-place.ts';
import type { RuleForm } from './rule-form.tsx';
import { RuleFields, useRuleForm } from './rule-form.tsx';

/** Makes a rule, or changes one: the server says what is wrong, and what a change does, before it is made. */
export default function RuleEditor({ id }: { readonly id: string | undefined }) {
  const { say, language, locale } = useReading();
  const rule = useQuery({
    ...ruleOf(useSession(), id ?? '', language),
    enabled: id !== undefined,
    // What is being written stays: who is late is told when it is sent.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
  });
  return (
    <I18nProvider locale={locale}>
      <div className="head">
        <h1>{id === undefined ? say('edit.newTitle') : say('edit.title', { rule: id })}</h1>
      </div>
      {id === undefined ? (
        <Editor stored={undefined} />
      ) : (
        <Shown asked={rule} lines={10}>
          {(stored) => <Editor stored={stored} />}
        </Shown>
      )}
    </I18nProvider>
  );
}

type Wish = { readonly draft: RuleDraft; readonly isDry: boolean };
type Change = SendingState<Wish, RuleChangeAnswer>;

function Editor({ stored }: { readonly stored: FindRuleAnswer | undefined }) {
  const { say } = useReading();
  const { client, actor } = useSession();
  const put = ({ draft, isDry }: Wish, signal: AbortSignal): Promise<RuleChangeAnswer> =>
    client.rules.put(
      {
        id: draft.id,
        rule: ruleIn(draft, stored?.rule),
        actor,
        dryRun: isDry,
        ...(stored === undefined ? { ifNoneMatch: '*' } : { ifMatch: stored.version }),
        ...(draft.reason.trim() === '' ? {} : { reason: draft.reason.trim() }),
        ...(draft.beginAnew ? { beginAnew: true } : {}),
      },
      { signal },
    );
  const trying = useSending<Wish, RuleChangeAnswer>(put);
  const saving = useSending<Wish, RuleChangeAnswer>(put);
  const form = useRuleForm(stored, (draft) => {
    saving.reset();
    trying.send({ draft, isDry: true });
  });
  useNewer(form, stored, () => {
    trying.reset();
    saving.reset();
  });
  const sent = saving.error === null ? trying : saving;
  const draft = sent.sent?.draft;
  const mistakes = mistakesIn(sent.error).map((mistake) => ({
    ...mistake,
    place: draft && placeOf(mistake, draft),
  }));
  const wrongAt = (name: string): string | undefined => {
    const found = mistakes.find(({ place }) => place === name);
    return found && mistakeText(found);
  };
  return (
    <ServerMistakes.Provider value={wrongAt}>
      <form.AppForm>
        <form.Sheet className="columns even beside">
          <Section title={say('field.rule')}>
            <RuleFields form={form} isNew={stored === undefined} />
          </Section>
          <Section title={say('edit.effect')}>
            <div className="form">
              <Effect {...{ form, stored, trying, saving, mistakes }} />
            </div>
          </Section>
        </form.Sheet>
      </form.AppForm>
    </ServerMistakes.Provider>
  );
}

/** Where somebody else was first, their fields are taken, but for those that were changed here. */
function useNewer(form: RuleForm, stored: FindRuleAnswer | undefined, onNewer: () => void): void {
  const known = useRef(stored);
  useEffect(() => {
    if (known.current?.version === stored?.version) return;
    const [before, now] = [draftOf(known.current?.rule), draftOf(stored?.rule)];
    known.current = stored;
    const written = form.state.values;
    const isSame = (name: keyof RuleDraft): boolean =>
      JSON.stringify(written[name]) === JSON.stringify(before[name]);
    for (const name of Object.keys(now) as (keyof RuleDraft)[])
      // of its type
      if (isSame(name)) form.setFieldValue(name, now[name]);
    onNewer();
  }, [form, stored, onNewer]);
}

type PlacedMistake = RequestMistake & { readonly place: string | undefined };

function mistakesIn(error: unknown): readonly RequestMistake[] {
  return isProblemError(error, 'INVALID_REQUEST') ? error.problem.errors : [];
}

function mistakeText({ value, expected }: RequestMistake): string {
  return value === undefined ? expected : `${value}: ${expected}`;
}

type EffectProps = {
  readonly form: RuleForm;
  readonly stored: FindRuleAnswer | undefined;
  readonly trying: Change;
  readonly saving: Change;
  readonly mistakes: readonly PlacedMistake[];
};

/** What the change does, and the way to make it: only what the server has looked at can be saved. */
function Effect({ form, stored, trying, saving, mistakes }: EffectProps) {
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
  return (
    <form.Subscribe selector={({ values }) => values}>
      {(draft) => {
        const effect = effectOf(trying, draft);
        return (
          <>
            {/* Above what comes and goes: a button that moves away is missed. */}
            <p className="dialog-end">
              <button type="button" className="button" onClick={close}>
                {say('change.cancel')}
              </button>
              <button type="submit" className="button" disabled={trying.isSending}>
                {say('edit.check')}
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
            <Diff
              before={stored?.rule}
              after={{ id: draft.id, ...ruleIn(draft, stored?.rule) }}
              currency={draft.currency.trim() || undefined}
            />
            {effect !== undefined && <Told changes={effect.changes} form={form} />}
            <Mistakes mistakes={mistakes} />
            {mistakes.length === 0 && (
              <>
                <SendingProgress sending={trying} onReread={reread} />
                <SendingProgress sending={saving} onReread={reread} />
              </>
            )}
          </>
        );
      }}
    </form.Subscribe>
  );
}

type Changed = Extract<RuleChangeAnswer, { readonly changes: unknown }>;

/** What the server said of this very draft, whatever its reason. */
function effectOf({ answer, sent }: Change, draft: RuleDraft): Changed | undefined {
  if (answer === undefined || sent === undefined || !('changes' in answer)) return undefined;
  return isSameRule(sent.draft, draft) ? answer : undefined;
}

function isSameRule(one: RuleDraft, other: RuleDraft): boolean {
  const textOf = (draft: RuleDraft): string =>
    JSON.stringify({ ...draft, reason: '', beginAnew: false });
  return textOf(one) === textOf(other);
}

/** What a change does to what is counted. */
function Told({ changes, form }: Pick<Changed, 'changes'> & { readonly form: RuleForm }) {
  const { say } = useReading();
  const resets = changes.some(({ counter }) => counter === 'anew' || counter === 'joins');
  if (changes.length === 0) return <p className="notice">{say('edit.unchanged')}</p>;
  return (
    <div className={resets ? 'notice warn' : 'notice'} role="status">
      <ul>
        {changes.map((each) => (
          <li key={each.id}>
            <strong>
              <Given text={each.id} />
            </strong>
            : <EffectText change={each} />
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

/** How many mistakes there are, and those that no field of the form is about. */
function Mistakes({ mistakes }: { readonly mistakes: readonly PlacedMistake[] }) {
  const { say } = useReading();
  if (mistakes.length === 0) return null;
  const elsewhere = mistakes.filter(({ place }) => place === undefined);
  return (
    <div className="notice failed" role="alert">
      <p>{say('edit.wrong', { count: mistakes.length })}</p>
      <ul>
        {elsewhere.map((mistake) => (
          <li key={mistake.path}>
            <Given text={`${mistake.path}: ${mistakeText(mistake)}`} />
          </li>
        ))}
      </ul>
    </div>
  );
}
