import type { HeadroomClient, RuleUsage, Subject, TermsChangeAnswer } from 'headroom-client';
import { useForm } from '@tanstack/react-form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { termsOf, usageOf } from '../../data/queries.ts';
import { useSession } from '../../session.tsx';
import { useAsked } from '../../ui/asked.ts';
import { AmountField, Box, Choice, Sending, TextLine } from '../../ui/dialog.tsx';
import { useSending } from '../../ui/sending.ts';
import { Shown } from '../../ui/panel.tsx';
import { minorOf, quantityText } from '../../ui/written.ts';
import type { Reading } from '../../words/words.tsx';
import { useReading } from '../../words/words.tsx';

const WISHES = ['override', 'endOverride', 'freeze', 'unfreeze'] as const;
type Wish = (typeof WISHES)[number];

const DAY_MS = 86_400_000;
/** For how long, in days; for ever where it is none. */
const STRETCHES = { forDay: 1, forWeek: 7, forMonth: 30, forEver: undefined } as const;
type StretchName = keyof typeof STRETCHES;

const REASON_LENGTH_MAX = 256;

/** What is written in the form. */
type Draft = {
  readonly rule: string;
  /** Major units; NaN where nothing is written. */
  readonly amount: number;
  readonly count: number;
  readonly stretch: StretchName;
  readonly reason: string;
};

/** Raises, lowers, freezes, or ends either: with a reason, as a proposal where a second person is needed. */
export default function ChangeDialog({ subject }: { readonly subject: Subject }) {
  const { say } = useReading();
  const [{ do: asked, rule }, change] = useAsked();
  const session = useSession();
  const usage = useQuery(usageOf(session, subject));
  const terms = useQuery(termsOf(session, subject));
  const wish = WISHES.find((each) => each === asked);
  if (wish === undefined) return null;
  const close = (): void => {
    change({ do: undefined, rule: undefined });
  };
  const shown = {
    ...terms,
    data: usage.data && terms.data && { usage: usage.data, terms: terms.data },
  };
  return (
    <Box
      title={say(`change.${wish}`, { rule, subject: `${subject.kind} ${subject.id}` })}
      onClose={close}
    >
      <Shown asked={{ ...shown, error: terms.error ?? usage.error }}>
        {({ usage: { rules }, terms: { version } }) => (
          <ChangeForm
            {...{ wish, subject, version, close }}
            rules={rules}
            first={rules.find((each) => each.rule === rule) ?? rules[0]}
          />
        )}
      </Shown>
    </Box>
  );
}

function ChangeForm({
  wish,
  subject,
  rules,
  first,
  version,
  close,
}: {
  readonly wish: Wish;
  readonly subject: Subject;
  readonly rules: readonly RuleUsage[];
  readonly first: RuleUsage | undefined;
  readonly version: string;
  readonly close: () => void;
}) {
  const reading = useReading();
  const { say } = reading;
  const session = useSession();
  const { actor } = session;
  const queries = useQueryClient();
  // For the terms as they were when this was opened: a repeat is made once, another's change is seen.
  const [ifMatch, setIfMatch] = useState(version);
  const sending = useSending<Draft, TermsChangeAnswer>((draft, signal) => {
    const currency = rules.find(({ rule }) => rule === draft.rule)?.currency;
    return send(session.client, wish, { subject, draft, currency, ifMatch, actor, signal });
  });
  const form = useChangeForm(first?.rule, wish, sending.send);
  if (sending.answer !== undefined)
    return (
      <Sending.Done
        proposal={'proposal' in sending.answer ? sending.answer.proposal.id : undefined}
        says={say('proposal' in sending.answer ? 'change.proposed' : 'change.done')}
        onClose={() => {
          void queries.invalidateQueries({ queryKey: ['subject', subject.kind, subject.id] });
          void queries.invalidateQueries({ queryKey: ['proposals'] });
          close();
        }}
      />
    );
  return (
    <form
      noValidate
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        void form.handleSubmit();
      }}
    >
      {wish === 'freeze' && <p className="fine">{say('change.freezeSays')}</p>}
      {wish === 'override' && (
        <>
          <form.Field name="rule">
            {(field) => (
              <Choice
                label={say('change.rule')}
                value={field.state.value}
                onChange={field.handleChange}
                options={rules.map(({ rule }) => [rule, rule])}
              />
            )}
          </form.Field>
          <form.Subscribe selector={({ values }) => values.rule}>
            {(id) => (
              <Maxima rule={rules.find(({ rule }) => rule === id)} form={form} reading={reading} />
            )}
          </form.Subscribe>
        </>
      )}
      {(wish === 'override' || wish === 'freeze') && (
        <form.Field name="stretch">
          {(field) => (
            <Choice
              label={say('change.for')}
              value={field.state.value}
              onChange={(value) => {
                field.handleChange(value as StretchName); // of the options
              }}
              options={Object.keys(STRETCHES).map((name) => [
                name,
                say(`change.${name as StretchName}`),
              ])}
            />
          )}
        </form.Field>
      )}
      <form.Field
        name="reason"
        validators={{
          onSubmit: ({ value }) =>
            value.trim() === '' || value.length > REASON_LENGTH_MAX
              ? say('change.reasonMissing')
              : undefined,
        }}
      >
        {(field) => (
          <TextLine
            label={say('change.reason')}
            help={say('change.reasonHelp')}
            value={field.state.value}
            onChange={field.handleChange}
            wrong={field.state.meta.errors[0]}
            isFocused={wish !== 'override'}
          />
        )}
      </form.Field>
      <Sending.Progress
        sending={sending}
        onReread={() => {
          void queries
            .fetchQuery({ ...termsOf(session, subject), staleTime: 0 })
            .then(({ version: now }) => {
              setIfMatch(now);
              sending.reset();
            });
        }}
      />
      <Sending.Buttons
        sending={sending}
        submit={say(`change.submit.${wish}`)}
        isDanger={wish === 'freeze'}
        onClose={close}
      />
    </form>
  );
}

function useChangeForm(rule: string | undefined, wish: Wish, onSend: (draft: Draft) => void) {
  const first: Draft = {
    ...{ rule: rule ?? '', amount: Number.NaN, count: Number.NaN, reason: '' },
    stretch: wish === 'override' ? 'forDay' : 'forEver',
  };
  return useForm({
    defaultValues: first,
    onSubmit: ({ value }) => {
      onSend(value);
    },
  });
}
type OpenForm = ReturnType<typeof useChangeForm>;

function Maxima({
  rule,
  form,
  reading,
}: {
  readonly rule: RuleUsage | undefined;
  readonly form: OpenForm;
  readonly reading: Reading;
}) {
  const { say } = reading;
  const { currency } = rule ?? {};
  return (
    <>
      {rule !== undefined && (
        <p className="fine">
          {say('change.now')}:{' '}
          <span className="figure">{quantityText(rule.max, currency, reading)}</span>
        </p>
      )}
      <div className="pair">
        {currency !== 'XXX' && (
          <form.Field
            name="amount"
            validators={{
              onSubmit: ({ value, fieldApi }) =>
                Number.isNaN(value) && Number.isNaN(fieldApi.form.getFieldValue('count'))
                  ? say('change.nothing')
                  : undefined,
            }}
          >
            {(field) => (
              <AmountField
                label={say('change.amount')}
                currency={currency}
                value={field.state.value}
                onChange={field.handleChange}
                wrong={field.state.meta.errors[0]}
                isFocused
              />
            )}
          </form.Field>
        )}
        <form.Field name="count">
          {(field) => (
            <AmountField
              label={say('change.count')}
              value={field.state.value}
              onChange={field.handleChange}
            />
          )}
        </form.Field>
      </div>
    </>
  );
}

function send(
  client: HeadroomClient,
  wish: Wish,
  {
    subject,
    draft,
    currency,
    ifMatch,
    actor,
    signal,
  }: {
    readonly subject: Subject;
    readonly draft: Draft;
    readonly currency: string | undefined;
    readonly ifMatch: string;
    readonly actor: string | undefined;
    readonly signal: AbortSignal;
  },
): Promise<TermsChangeAnswer> {
  const days = STRETCHES[draft.stretch];
  const until = days === undefined ? undefined : new Date(Date.now() + days * DAY_MS).toISOString();
  const why = { ...subject, reason: draft.reason.trim(), actor };
  // What there is none of has no version: only where there is none yet.
  const fresh = ifMatch === 'none' ? { ifNoneMatch: '*' as const } : { ifMatch };
  switch (wish) {
    case 'override': {
      const { rule, amount, count } = draft;
      const max = {
        ...(Number.isNaN(amount) ? {} : { amount: minorOf(amount, currency) }),
        ...(Number.isNaN(count) ? {} : { count }),
      };
      return client.override({ ...why, ...fresh, rule, max, until }, { signal });
    }
    case 'endOverride':
      return client.endOverride({ ...why, ifMatch, rule: draft.rule }, { signal });
    case 'freeze':
      return client.freeze({ ...why, ...fresh, until }, { signal });
    case 'unfreeze':
      return client.unfreeze({ ...why, ifMatch }, { signal });
  }
}
