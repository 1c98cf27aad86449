import type { RuleUsage, Subject, TermsChangeAnswer } from '@headroom-limits/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useDigits } from '../../data/digits.tsx';
import { callerOf, termsOf, usageOf } from '../../data/queries.ts';
import { useSession } from '../../session.tsx';
import { useAsked } from '../../ui/asked.ts';
import { Box, SendingButtons, SendingDone, SendingProgress } from '../../ui/dialog.tsx';
import { useAppForm, useReasonField } from '../../ui/form.tsx';
import { useSending } from '../../ui/sending.ts';
import { EffectOverTime } from '../../ui/effect-over-time.tsx';
import { Empty, Shown } from '../../ui/panel.tsx';
import { quantityText } from '../../ui/written.ts';
import { useReading } from '../../words/words.tsx';
import type { Draft, Sent, Wish } from './change-call.ts';
import { dated, sendChange, STRETCH_NAMES, WISHES } from './change-call.ts';
import { ChangePreview } from './change-preview.tsx';

/** Raises, lowers, freezes, or ends either: with a reason, as a proposal where a second person is needed. */
export default function ChangeDialog({ subject }: { readonly subject: Subject }) {
  const { say } = useReading();
  const [{ do: asked, rule, override }, change] = useAsked();
  const session = useSession();
  const usage = useQuery(usageOf(session, subject));
  const terms = useQuery(termsOf(session, subject));
  // It says how what is typed is scaled.
  const caller = useQuery(callerOf(session));
  const wish = WISHES.find((each) => each === asked);
  if (wish === undefined || (wish === 'endOverride' && rule === undefined)) return null;
  const close = (): void => {
    change({ do: undefined, rule: undefined, override: undefined });
  };
  // A day is one of the server's: this machine may have any time.
  const aheadMs = terms.data === undefined ? 0 : Date.parse(terms.data.now) - terms.dataUpdatedAt;
  const nowMs = (): number => Date.now() + aheadMs;
  const shown = {
    ...terms,
    data: usage.data && terms.data && caller.data && { usage: usage.data, terms: terms.data },
  };
  return (
    <Box
      title={say(`change.${wish}`, { rule, subject: `${subject.kind} ${subject.id}` })}
      onClose={close}
    >
      <Shown asked={{ ...shown, error: terms.error ?? usage.error ?? caller.error }}>
        {({ usage: { rules }, terms: { version } }) => {
          const named = rules.find((each) => each.rule === rule);
          if (wish === 'override' && named === undefined)
            return <Empty>{say('change.noSuchRule')}</Empty>;
          return (
            <ChangeForm
              {...{ wish, subject, version, close }}
              id={rule}
              overrideId={override}
              rule={named}
              nowMs={nowMs}
            />
          );
        }}
      </Shown>
    </Box>
  );
}

function ChangeForm({
  wish,
  subject,
  id,
  overrideId,
  rule,
  version,
  nowMs,
  close,
}: {
  readonly wish: Wish;
  readonly subject: Subject;
  /** Of the rule. */
  readonly id: string | undefined;
  /** The one that is to end. */
  readonly overrideId: string | undefined;
  readonly rule: RuleUsage | undefined;
  readonly version: string;
  /** The server's clock. */
  readonly nowMs: () => number;
  readonly close: () => void;
}) {
  const { say } = useReading();
  const session = useSession();
  const { actor } = session;
  const digits = useDigits()(rule?.currency ?? '') ?? 0;
  const queries = useQueryClient();
  // For the terms as they were when this was opened: a repeat is made once, another's change is seen.
  const [ifMatch, setIfMatch] = useState(version);
  const about = { subject, rule: id ?? '', overrideId, digits };
  const sending = useSending<Sent, TermsChangeAnswer>((draft, signal) => {
    return sendChange(session.client, wish, { ...about, draft, ifMatch, actor, signal });
  });
  const form = useChangeForm(wish, (draft) => {
    sending.send(dated(draft, nowMs()));
  });
  const { validators, words } = useReasonField();
  const reread = async (): Promise<void> => {
    const { version: now } = await queries.query({ ...termsOf(session, subject), staleTime: 0 });
    await queries.invalidateQueries({ queryKey: ['subject', subject.kind, subject.id] });
    setIfMatch(now);
    sending.reset();
  };
  if (sending.answer !== undefined) return <Changed answer={sending.answer} close={close} />;
  return (
    <form.AppForm>
      <form.Sheet>
        {wish === 'freeze' && <p className="fine">{say('change.freezeSays')}</p>}
        {wish === 'override' && <Maxima rule={rule} form={form} />}
        {(wish === 'override' || wish === 'freeze') && <HowLong form={form} />}
        <form.AppField name="reason" validators={validators}>
          {({ Line }) => <Line {...words} isFocused={wish !== 'override'} />}
        </form.AppField>
        <form.Subscribe
          selector={({ values: { amount, count, stretch } }) => ({ amount, count, stretch })}
        >
          {(draft) => <ChangePreview key={ifMatch} {...{ wish, about, draft, nowMs }} />}
        </form.Subscribe>
        <SendingProgress sending={sending} onReread={() => void reread()} />
        <SendingButtons
          sending={sending}
          submit={say(`change.submit.${wish}`)}
          isDanger={wish === 'freeze'}
          onClose={close}
        />
      </form.Sheet>
    </form.AppForm>
  );
}

function Changed({
  answer,
  close,
}: {
  readonly answer: TermsChangeAnswer;
  readonly close: () => void;
}) {
  const { say } = useReading();
  return (
    <>
      {answer.effect !== undefined && <EffectOverTime effect={answer.effect} />}
      <SendingDone
        proposal={'proposal' in answer ? answer.proposal.id : undefined}
        says={say('proposal' in answer ? 'change.proposed' : 'change.done')}
        onClose={close}
      />
    </>
  );
}

function useChangeForm(wish: Wish, onSend: (draft: Draft) => void) {
  const first: Draft = {
    ...{ amount: Number.NaN, count: Number.NaN, reason: '' },
    stretch: wish === 'override' ? 'forDay' : 'forEver',
  };
  return useAppForm({
    defaultValues: first,
    onSubmit: ({ value }) => {
      onSend(value);
    },
  });
}
type OpenForm = ReturnType<typeof useChangeForm>;

function HowLong({ form }: { readonly form: OpenForm }) {
  const { say } = useReading();
  return (
    <form.AppField name="stretch">
      {({ OneOf }) => (
        <OneOf
          label={say('change.for')}
          options={STRETCH_NAMES.map((name) => [name, say(`change.${name}`)])}
        />
      )}
    </form.AppField>
  );
}

function Maxima({ rule, form }: { readonly rule: RuleUsage | undefined; readonly form: OpenForm }) {
  const reading = useReading();
  const { say } = reading;
  const { currency } = rule ?? {};
  const isWritten = (value: unknown): boolean => !Number.isNaN(value);
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
          <form.AppField name="amount">
            {({ Amount }) => (
              <Amount
                {...{ label: say('change.amount'), help: say('change.amountHelp'), currency }}
                isFocused
              />
            )}
          </form.AppField>
        )}
        <form.AppField
          name="count"
          validators={{
            onSubmit: ({ value, fieldApi }) =>
              isWritten(value) || isWritten(fieldApi.form.getFieldValue('amount'))
                ? undefined
                : say('change.nothing'),
          }}
        >
          {({ Amount }) => (
            <Amount
              {...{ label: say('change.count'), help: say('change.countHelp') }}
              isFocused={currency === 'XXX'}
            />
          )}
        </form.AppField>
      </div>
    </>
  );
}
