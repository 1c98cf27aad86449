import type { RuleUsage, Subject, TermsChangeAnswer } from '@headroom-limits/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useDigits } from '../../data/digits.tsx';
import { callerOf, termsOf, usageOf } from '../../data/queries.ts';
import { useSession } from '../../session.tsx';
import { useAsked } from '../../ui/asked.ts';
import { Box, SendingButtons, SendingDone, SendingProgress } from '../../ui/dialog.tsx';
import { useReasonField } from '../../ui/form.tsx';
import { useSending } from '../../ui/sending.ts';
import { FrozenNotice, WATCHED } from '../../ui/frozen.tsx';
import { EffectOverTime } from '../../ui/effect-over-time.tsx';
import { Empty, Shown } from '../../ui/panel.tsx';
import { useReading } from '../../words/words.tsx';
import type { Sent, Wish } from './change-call.ts';
import { dated, sendChange, WISHES } from './change-call.ts';
import { HowLong, Maxima, useChangeForm } from './change-fields.tsx';
import { ChangePreview } from './change-preview.tsx';

/** Raises, lowers, freezes, or ends either: with a reason, as a proposal where a second person is needed. */
export default function ChangeDialog({ subject }: { readonly subject: Subject }) {
  const { say } = useReading();
  const [{ do: asked, rule, override }, change] = useAsked();
  const session = useSession();
  const usage = useQuery(usageOf(session, subject));
  const terms = useQuery({ ...termsOf(session, subject), ...WATCHED });
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
      <Shown
        asked={{ ...shown, error: terms.error ?? usage.error ?? caller.error }}
        unaddressed={say('terms.unaddressed')}
      >
        {({ usage: { rules }, terms: { version, freeze, unseen } }) => {
          const isFrozen = freeze?.inForce === true && wish !== 'unfreeze';
          const frozen = isFrozen && <FrozenNotice {...freeze} />;
          const isNew = wish === 'override' || wish === 'freeze';
          const unknown = isNew && unseen === true && <UnseenNotice />;
          const named = rules.find((each) => each.rule === rule);
          if (wish === 'override' && named === undefined)
            return <Empty>{say('change.noSuchRule')}</Empty>;
          return (
            <ChangeForm
              {...{ wish, subject, version, frozen, unknown, close }}
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
  frozen,
  unknown,
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
  /** Now: it may be another one than when this was opened. */
  readonly version: string;
  /** Says that the subject is frozen, where it is. */
  readonly frozen: ReactNode;
  /** Says that no order of the subject is known, before the change and after it. */
  readonly unknown: ReactNode;
  /** The server's clock. */
  readonly nowMs: () => number;
  readonly close: () => void;
}) {
  const { say } = useReading();
  const { client, actor } = useSession();
  const digits = useDigits()(rule?.currency ?? '') ?? 0;
  const { ifMatch, readAgain } = useVersion(subject, version);
  const about = { subject, rule: id ?? '', overrideId, digits };
  const sending = useSending<Sent, TermsChangeAnswer>((draft, signal) => {
    return sendChange(client, wish, { ...about, draft, ifMatch, actor, signal });
  });
  const form = useChangeForm(wish, (draft) => {
    sending.send(dated(draft, nowMs()));
  });
  const { validators, words } = useReasonField();
  const reread = async (): Promise<void> => {
    await readAgain();
    sending.reset();
  };
  if (sending.answer !== undefined)
    return <Changed {...{ wish, frozen, unknown, close }} answer={sending.answer} />;
  const isOld = version !== ifMatch && !sending.isSending && sending.error === null;
  return (
    <form.AppForm>
      <form.Sheet>
        {frozen}
        {unknown}
        {isOld && <Meanwhile onReread={() => void reread()} />}
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

/** The terms as they were when this was opened: a repeat is made once, another's change is seen. */
function useVersion(subject: Subject, version: string) {
  const session = useSession();
  const queries = useQueryClient();
  const [ifMatch, setIfMatch] = useState(version);
  const readAgain = async (): Promise<void> => {
    const { version: now } = await queries.query({ ...termsOf(session, subject), staleTime: 0 });
    await queries.invalidateQueries({ queryKey: ['subject', subject.kind, subject.id] });
    setIfMatch(now);
  };
  return { ifMatch, readAgain };
}

/** Nobody freezes a mistyped id without a word. */
function UnseenNotice() {
  const { say } = useReading();
  return (
    <div className="notice warn" role="status">
      <p>{say('change.unseen')}</p>
    </div>
  );
}

function Meanwhile({ onReread }: { readonly onReread: () => void }) {
  const { say } = useReading();
  return (
    <div className="notice warn" role="alert">
      <p>{say('change.meanwhile')}</p>
      <button type="button" className="button small" onClick={onReread}>
        {say('change.reread')}
      </button>
    </div>
  );
}

function Changed({
  answer,
  wish,
  frozen,
  unknown,
  close,
}: {
  readonly answer: TermsChangeAnswer;
  readonly wish: Wish;
  readonly frozen: ReactNode;
  readonly unknown: ReactNode;
  readonly close: () => void;
}) {
  const { say } = useReading();
  return (
    <>
      {wish !== 'freeze' && frozen}
      {unknown}
      {answer.effect !== undefined && <EffectOverTime effect={answer.effect} />}
      <SendingDone
        proposal={'proposal' in answer ? answer.proposal.id : undefined}
        says={say('proposal' in answer ? 'change.proposed' : 'change.done')}
        onClose={close}
      />
    </>
  );
}
