import type { FindRuleAnswer, RuleChangeAnswer } from '@headroom-limits/client';
import { isProblemError } from '@headroom-limits/client';
import { useSelector } from '@tanstack/react-form';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo } from 'react';
import { I18nProvider } from 'react-aria-components';
import { callerOf, ruleOf } from '../../data/queries.ts';
import { useSession } from '../../session.tsx';
import { useLeaving } from '../../ui/leaving.ts';
import { ServerMistakes } from '../../ui/form.tsx';
import { Section, Shown } from '../../ui/panel.tsx';
import { personOf } from '../../ui/text.tsx';
import type { SendingState } from '../../ui/sending.ts';
import { useSending } from '../../ui/sending.ts';
import type { YamlMark } from '../../ui/yaml-field.tsx';
import { useReading } from '../../words/words.tsx';
import { DraftTrial } from './draft-trial.tsx';
import type { DraftReading, RuleDraft } from './draft.ts';
import { draftOf, readDraft } from './draft.ts';
import { useKept } from './kept-draft.ts';
import { placeOf } from './mistake-place.ts';
import { useNewer } from './newer.ts';
import { EditorNotices } from './editor-notices.tsx';
import { RestField } from './rest-field.tsx';
import { Effect } from './rule-effect.tsx';
import type { RuleForm } from './rule-form.tsx';
import { isSameRule, RuleFields, useRuleForm } from './rule-form.tsx';

/** Makes a rule, or changes one: what is wrong, and what a change does, is known while somebody types. */
export default function RuleEditor({ id }: { readonly id: string | undefined }) {
  const { say, locale } = useReading();
  const session = useSession();
  // It says whose draft it is.
  const caller = useQuery(callerOf(session));
  const rule = useQuery({
    ...ruleOf(session, id ?? '', 'en'), // no sentence of it is shown: another language changes nothing
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
      <Shown asked={caller} lines={10}>
        {({ by }) =>
          id === undefined ? (
            <Editor stored={undefined} person={session.actor ?? personOf(by)} />
          ) : (
            <Shown asked={rule} lines={10}>
              {(stored) => <Editor stored={stored} person={session.actor ?? personOf(by)} />}
            </Shown>
          )
        }
      </Shown>
    </I18nProvider>
  );
}

type Wish = { readonly draft: RuleDraft; readonly isDry: boolean };
/** A change of a rule on its way. */
export type Change = SendingState<Wish, RuleChangeAnswer>;

function Editor({
  stored,
  person,
}: {
  readonly stored: FindRuleAnswer | undefined;
  /** Who writes. */
  readonly person: string;
}) {
  const { say } = useReading();
  const form = useRuleForm(stored);
  const draft = useSelector(form.store, ({ values }) => values);
  const reading = useDraftReading(draft, stored);
  const put = usePut(stored);
  const trying = useSending<Wish, RuleChangeAnswer>(put);
  const saving = useSending<Wish, RuleChangeAnswer>(put);
  const isWritten = !isSameRule(draft, form.options.defaultValues ?? draft);
  const isUnsaved = isWritten && saving.answer === undefined;
  useLeaving(isUnsaved);
  const kept = useKept(
    form,
    { person, draft, ...(stored === undefined ? {} : { stored }) },
    isUnsaved,
  );
  const isInert = saving.isSending || saving.answer !== undefined;
  useTrial({ form, draft, reading, stored, trying, saving });
  const reset = (): void => {
    trying.reset();
    saving.reset();
  };
  const [both, choose] = useNewer(form, stored, reset, kept?.stored ?? stored);
  const sent = [saving, trying].find(({ error }) => error !== null);
  const atServer = sent?.sent !== undefined && isSameRule(sent.sent.draft, draft);
  const told = atServer ? mistakesIn(sent.error) : isWritten ? reading.mistakes : [];
  const mistakes = useMistakes(told, reading);
  const wrongAt = (name: string): string | undefined =>
    mistakes.find(({ place }) => 'field' in place && place.field === name)?.says;
  const marks = useMarks(mistakes);
  return (
    <ServerMistakes.Provider value={wrongAt}>
      <form.AppForm>
        <form.Sheet className="columns even">
          {/* While it is saved, and afterwards, all is as it was sent. */}
          <Section title={say('field.rule')} isInert={isInert}>
            <RuleFields {...{ form, isNew: stored === undefined, rest: reading.rest }} />
          </Section>
          <RestField {...{ form, marks, isInert, text: draft.rest }} />
          <div className="across">
            <EditorNotices
              {...{ form, stored, both, choose }}
              isKept={kept !== undefined && isUnsaved}
            />
            <Section title={say('edit.effect')}>
              <Effect
                {...{ form, draft, reading, stored, trying, saving }}
                wrong={mistakes.length}
              />
            </Section>
            <DraftTrial {...{ form, draft, reading }} />
          </div>
        </form.Sheet>
      </form.AppForm>
    </ServerMistakes.Provider>
  );
}

function useDraftReading(draft: RuleDraft, stored: FindRuleAnswer | undefined): DraftReading {
  const { say } = useReading();
  return useMemo(() => {
    return readDraft(draft, stored?.rule, (mistake) => say(`edit.${mistake}`));
  }, [draft, stored, say]);
}

/** Sends a rule as it is written, or asks what that would change. */
function usePut(stored: FindRuleAnswer | undefined) {
  const { client, actor } = useSession();
  return ({ draft, isDry }: Wish, signal: AbortSignal): Promise<RuleChangeAnswer> => {
    const { rule } = readDraft(draft, stored?.rule, () => '');
    if (rule === undefined) throw new TypeError('only a draft that was read is sent');
    return client.rules.put(
      {
        id: draft.id,
        rule,
        actor,
        dryRun: isDry,
        ...(stored === undefined ? { ifNoneMatch: '*' } : { ifMatch: stored.version }),
        // What a change does is asked whatever its reason is, and whether it is wanted.
        ...(isDry || draft.reason.trim() === '' ? {} : { reason: draft.reason.trim() }),
        ...(isDry || !draft.beginAnew ? {} : { beginAnew: true }),
      },
      { signal },
    );
  };
}

/** So long nobody types before the server is asked. */
const PAUSE_MS = 300;

/** Asks the server what a draft would change, whenever somebody pauses. */
function useTrial({
  form,
  draft,
  reading,
  stored,
  trying,
  saving,
}: {
  readonly form: RuleForm;
  readonly draft: RuleDraft;
  readonly reading: DraftReading;
  readonly stored: FindRuleAnswer | undefined;
  readonly trying: Change;
  readonly saving: Change;
}): void {
  const begin = useEffectEvent(() => {
    if (saving.isSending || saving.answer !== undefined) return;
    if (saving.sent !== undefined && saving.sent.draft !== draft) saving.reset();
    if (trying.sent !== undefined && isSameRule(trying.sent.draft, draft)) return;
    // Consent is to the effect that was told.
    if (draft.beginAnew) form.setFieldValue('beginAnew', false);
    trying.send({ draft, isDry: true });
  });
  const isAsked = reading.read !== undefined && !isSameRule(draft, draftOf(stored?.rule));
  useEffect(() => {
    if (!isAsked) return;
    const timer = setTimeout(begin, PAUSE_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [isAsked, draft, stored]);
}

type Told = DraftReading['mistakes'];

function mistakesIn(error: unknown): Told {
  return isProblemError(error, 'INVALID_REQUEST') ? error.problem.errors : [];
}

/** Each mistake as it is said, and where. */
function useMistakes(told: Told, { document }: DraftReading) {
  return useMemo(
    () =>
      told.map((mistake) => {
        const { path, value, expected } = mistake;
        const place = placeOf(mistake, document);
        const says = value === undefined ? expected : `${value}: ${expected}`;
        const name = path.replace(/^rule\.?/, '');
        return { place, says: 'field' in place || name === '' ? says : `${name}: ${says}` };
      }),
    [told, document],
  );
}

/** Those in the YAML, in their order. */
function useMarks(mistakes: ReturnType<typeof useMistakes>): readonly YamlMark[] {
  return useMemo(
    () =>
      mistakes
        .flatMap(({ place, says }) => ('field' in place ? [] : [{ ...place, says }]))
        .toSorted((one, other) => one.from - other.from),
    [mistakes],
  );
}
