import type { FindRuleAnswer, RequestMistake, RuleChangeAnswer } from 'headroom-client';
import { isProblemError } from 'headroom-client';
import { useForm } from '@tanstack/react-form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { I18nProvider } from 'react-aria-components';
import { ruleOf } from '../../data/queries.ts';
import { useSession } from '../../session.tsx';
import { useAsked } from '../../ui/asked.ts';
import { AmountField, Area, Choice, Sending, TextLine } from '../../ui/dialog.tsx';
import { Diff } from '../../ui/diff.tsx';
import { Section, Shown } from '../../ui/panel.tsx';
import { useSending } from '../../ui/sending.ts';
import { Given } from '../../ui/text.tsx';
import { useReading } from '../../words/words.tsx';
import type { RuleDraft, WindowName } from './draft.ts';
import { draftOf, isReadable, ruleIn, WINDOWS } from './draft.ts';

const MODES = ['draft', 'shadow', 'enforce', 'retired'] as const;

/** Makes a rule, or changes one: the server says what is wrong, and what a change does, before it is made. */
export default function RuleEditor({ id }: { readonly id: string | undefined }) {
  const { say, language, locale } = useReading();
  const rule = useQuery({ ...ruleOf(useSession(), id ?? '', language), enabled: id !== undefined });
  return (
    <I18nProvider locale={locale}>
      <div className="head">
        <h1>{id === undefined ? say('edit.newTitle') : say('edit.title', { rule: id })}</h1>
      </div>
      {id === undefined ? (
        <Editor stored={undefined} />
      ) : (
        <Shown asked={rule} lines={10}>
          {(stored) => <Editor key={stored.version} stored={stored} />}
        </Shown>
      )}
    </I18nProvider>
  );
}

type Wish = { readonly draft: RuleDraft; readonly isDry: boolean };

function useDraft(stored: FindRuleAnswer | undefined, onSend: (draft: RuleDraft) => void) {
  const [first] = useState(() => draftOf(stored?.rule));
  return useForm({
    defaultValues: first,
    onSubmit: ({ value }) => {
      onSend(value);
    },
  });
}
type DraftForm = ReturnType<typeof useDraft>;

function Editor({ stored }: { readonly stored: FindRuleAnswer | undefined }) {
  const { say } = useReading();
  const { client, actor } = useSession();
  const queries = useQueryClient();
  const [, change] = useAsked();
  const put = ({ draft, isDry }: Wish, signal: AbortSignal): Promise<RuleChangeAnswer> =>
    client.rules.put(
      {
        ...{ id: draft.id, rule: ruleIn(draft), actor, dryRun: isDry },
        ...(stored === undefined ? { ifNoneMatch: '*' } : { ifMatch: stored.version }),
        ...(draft.reason.trim() === '' ? {} : { reason: draft.reason.trim() }),
        ...(draft.beginAnew ? { beginAnew: true } : {}),
      },
      { signal },
    );
  const trying = useSending<Wish, RuleChangeAnswer>(put);
  const saving = useSending<Wish, RuleChangeAnswer>(put);
  const form = useDraft(stored, (draft) => {
    saving.reset();
    trying.send({ draft, isDry: true });
  });
  const mistakes = mistakesIn(saving.error) ?? mistakesIn(trying.error) ?? [];
  const close = (): void => {
    change({ edit: undefined, id: stored === undefined ? undefined : stored.id });
  };
  const effect =
    trying.answer !== undefined && 'changes' in trying.answer ? trying.answer : undefined;
  return (
    <form
      noValidate
      className="columns even"
      onSubmit={(event) => {
        event.preventDefault();
        void form.handleSubmit();
      }}
    >
      <Section title={say('nav.rules')}>
        <div className="form">
          <Fields form={form} mistakes={mistakes} isNew={stored === undefined} />
        </div>
      </Section>
      <Section title={say('edit.effect')}>
        <div className="form">
          {saving.answer !== undefined ? (
            <Sending.Done
              says={say('proposal' in saving.answer ? 'change.proposed' : 'edit.done', {
                seconds: 10,
              })}
              proposal={'proposal' in saving.answer ? saving.answer.proposal.id : undefined}
              onClose={() => {
                void queries.invalidateQueries();
                close();
              }}
            />
          ) : (
            <>
              <form.Subscribe selector={({ values }) => values}>
                {(draft) => (
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
                        disabled={
                          saving.isSending || effect === undefined || !isReadable(draft.more)
                        }
                        onClick={() => {
                          saving.send({ draft, isDry: false });
                        }}
                      >
                        {say('edit.save')}
                      </button>
                    </p>
                    {isReadable(draft.more) && (
                      <Diff
                        before={stored?.rule}
                        after={{ id: draft.id, ...ruleIn(draft) }}
                        currency={draft.currency.trim() || undefined}
                      />
                    )}
                    {effect !== undefined && <Effect answer={effect} form={form} />}
                    <Mistakes mistakes={mistakes} />
                    {mistakes.length === 0 && (
                      <>
                        <Sending.Progress
                          sending={trying}
                          onReread={() => void queries.invalidateQueries()}
                        />
                        <Sending.Progress
                          sending={saving}
                          onReread={() => void queries.invalidateQueries()}
                        />
                      </>
                    )}
                  </>
                )}
              </form.Subscribe>
            </>
          )}
        </div>
      </Section>
    </form>
  );
}

/** What a change does to what is counted. */
function Effect({
  answer,
  form,
}: {
  readonly answer: Extract<RuleChangeAnswer, { changes: unknown }>;
  readonly form: DraftForm;
}) {
  const { say } = useReading();
  const resets = answer.changes.some(({ counter }) => counter === 'anew' || counter === 'joins');
  if (answer.changes.length === 0) return <p className="notice">{say('edit.unchanged')}</p>;
  return (
    <div className={resets ? 'notice warn' : 'notice'} role="status">
      <ul>
        {answer.changes.map(({ id, says }) => (
          <li key={id}>
            <strong>
              <Given text={id} />
            </strong>
            : <Given text={says} />
          </li>
        ))}
      </ul>
      {resets && (
        <form.Field name="beginAnew">
          {(field) => (
            <label className="check">
              <input
                type="checkbox"
                checked={field.state.value}
                onChange={({ target }) => {
                  field.handleChange(target.checked);
                }}
              />
              <span>{say('edit.beginAnew')}</span>
            </label>
          )}
        </form.Field>
      )}
    </div>
  );
}

function mistakesIn(error: unknown): readonly RequestMistake[] | undefined {
  return isProblemError(error, 'INVALID_REQUEST') ? error.problem.errors : undefined;
}

/** Where each field's mistakes stand in the server's answer. */
const PATHS = {
  id: /^(rule\.)?id$/,
  titleEn: /^rule\.title(\.en)?$/,
  titleZh: /^rule\.title\.zh$/,
  per: /^rule\.per/,
  currency: /^rule\.currency$/,
  mode: /^rule\.mode$/,
  timeZone: /^rule\.window\.timeZone$/,
  span: /^rule\.window\.rolling$/,
  step: /^rule\.window\.step$/,
  window: /^rule\.window(\.unit)?$/,
  maxAmount: /^rule\.max(\.amount)?$/,
  maxCount: /^rule\.max\.count$/,
  minAmount: /^rule\.min(\.amount)?$/,
  reason: /^reason$/,
} as const;

function wrongAt(
  mistakes: readonly RequestMistake[],
  name: keyof typeof PATHS,
): string | undefined {
  const found = mistakes.find(({ path }) => PATHS[name].test(path));
  if (found === undefined) return undefined;
  return found.value === undefined ? found.expected : `${found.value}: ${found.expected}`;
}

function Mistakes({ mistakes }: { readonly mistakes: readonly RequestMistake[] }) {
  const { say } = useReading();
  if (mistakes.length === 0) return null;
  const elsewhere = mistakes.filter(
    ({ path }) => !Object.values(PATHS).some((pattern) => pattern.test(path)),
  );
  return (
    <div className="notice failed" role="alert">
      <p>{say('edit.wrong', { count: mistakes.length })}</p>
      <ul>
        {elsewhere.map(({ path, value, expected }) => (
          <li key={path}>
            <Given text={`${path}${value === undefined ? '' : ` ${value}`}: ${expected}`} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Fields({
  form,
  mistakes,
  isNew,
}: {
  readonly form: DraftForm;
  readonly mistakes: readonly RequestMistake[];
  readonly isNew: boolean;
}) {
  const { say } = useReading();
  const line = (
    name:
      | 'id'
      | 'titleEn'
      | 'titleZh'
      | 'per'
      | 'currency'
      | 'timeZone'
      | 'span'
      | 'step'
      | 'reason',
    label: string,
    help?: string,
  ): ReactNode => (
    <form.Field name={name}>
      {(field) => (
        <TextLine
          label={label}
          value={field.state.value}
          onChange={field.handleChange}
          wrong={wrongAt(mistakes, name)}
          {...(help === undefined ? {} : { help })}
        />
      )}
    </form.Field>
  );
  return (
    <>
      {isNew && line('id', say('edit.id'), say('edit.idHelp'))}
      <div className="pair">
        {line('titleEn', say('edit.titleEn'))}
        {line('titleZh', say('edit.titleZh'))}
      </div>
      <div className="pair">
        {line('per', say('edit.per'), say('edit.perHelp'))}
        {line('currency', say('edit.currency'), say('edit.currencyHelp'))}
      </div>
      <WindowFields form={form} mistakes={mistakes} line={line} />
      <form.Subscribe selector={({ values }) => values.currency}>
        {(currency) => (
          <div className="pair">
            {(['maxAmount', 'maxCount', 'minAmount'] as const).map((name) => (
              <form.Field key={name} name={name}>
                {(field) => (
                  <AmountField
                    label={say(`edit.${name}`)}
                    currency={name === 'maxCount' ? undefined : currency.trim() || undefined}
                    value={field.state.value}
                    onChange={field.handleChange}
                    wrong={wrongAt(mistakes, name)}
                  />
                )}
              </form.Field>
            ))}
          </div>
        )}
      </form.Subscribe>
      <form.Field name="mode">
        {(field) => (
          <Choice
            label={say('rules.mode')}
            value={field.state.value}
            onChange={(value) => {
              field.handleChange(value as RuleDraft['mode']); // of the options
            }}
            options={MODES.map((mode) => [
              mode,
              `${say(`rules.mode.${mode}`)}: ${say(`rules.modeHelp.${mode}`)}`,
            ])}
          />
        )}
      </form.Field>
      <form.Field
        name="more"
        validators={{
          onSubmit: ({ value }) => (isReadable(value) ? undefined : say('edit.moreWrong')),
        }}
      >
        {(field) => (
          <Area
            label={say('edit.more')}
            help={say('edit.moreHelp')}
            value={field.state.value}
            onChange={field.handleChange}
            wrong={isReadable(field.state.value) ? undefined : say('edit.moreWrong')}
          />
        )}
      </form.Field>
      {line('reason', say('change.reason'), say('change.reasonHelp'))}
    </>
  );
}

function WindowFields({
  form,
  mistakes,
  line,
}: {
  readonly form: DraftForm;
  readonly mistakes: readonly RequestMistake[];
  readonly line: (name: 'timeZone' | 'span' | 'step', label: string, help?: string) => ReactNode;
}) {
  const { say } = useReading();
  const nameOf = (window: WindowName): string => {
    if (window === 'rolling') return say('edit.window.rolling');
    return window === 'transaction' || window === 'lifetime'
      ? say(`limit.${window}`)
      : say(`limit.per.${window}`);
  };
  const wrong = wrongAt(mistakes, 'window');
  return (
    <form.Field name="window">
      {(field) => (
        <>
          <div className="pair">
            <Choice
              label={say('edit.window')}
              value={field.state.value}
              onChange={(value) => {
                field.handleChange(value as WindowName); // of the options
              }}
              options={WINDOWS.map((window) => [window, nameOf(window)])}
            />
            {field.state.value === 'rolling' ? (
              <>
                {line('span', say('edit.span'), say('edit.spanHelp'))}
                {line('step', say('edit.step'), say('edit.stepHelp'))}
              </>
            ) : (
              !['transaction', 'lifetime'].includes(field.state.value) &&
              line('timeZone', say('edit.timeZone'))
            )}
          </div>
          {wrong !== undefined && (
            <p className="wrong">
              <Given text={wrong} />
            </p>
          )}
        </>
      )}
    </form.Field>
  );
}
