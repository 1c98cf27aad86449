import type { Proposal, ProposalAnswer, TermsEffect } from '@headroom-limits/client';
import { useQuery } from '@tanstack/react-query';
import { proposalOf } from '../../data/queries.ts';
import { useSession } from '../../session.tsx';
import { useAsked } from '../../ui/asked.ts';
import { Box, SendingButtons, SendingDone, SendingProgress } from '../../ui/dialog.tsx';
import { EffectOverTime } from '../../ui/effect-over-time.tsx';
import { WATCHED } from '../../ui/frozen.tsx';
import { useAppForm, useReasonField } from '../../ui/form.tsx';
import { useSending } from '../../ui/sending.ts';
import { useReading } from '../../words/words.tsx';
import { Given, Instant, SubjectLinks, Until } from '../../ui/text.tsx';
import { aboutText, differenceIn } from './proposal-columns.tsx';
import { Change, FrozenMeanwhile, LookAlikes } from './proposal-look.tsx';

/** How long an approved payment may pass. */
const SPANS = ['PT1H', 'PT24H', 'P7D'] as const;

const DECISIONS = ['approve', 'reject', 'withdraw'] as const;

/** Asks for the reason of a decision, and takes it. */
export default function DecisionDialog({ id }: { readonly id: string }) {
  const { say, language } = useReading();
  const { client, actor } = useSession();
  const [{ decide }, change] = useAsked();
  const decision = DECISIONS.find((each) => each === decide) ?? 'reject';
  const sending = useSending<{ readonly reason: string; readonly for?: string }, Proposal>(
    (said, signal) => client.proposals[decision]({ id, actor, ...said }, { signal }),
  );
  // What an approval does is told as it was before it: a proposal that is decided does nothing more.
  const isDecided = sending.answer !== undefined;
  const { data } = useQuery({
    ...proposalOf(useSession(), id, language),
    ...(isDecided ? { enabled: false } : WATCHED),
  });
  const ofPayment = data?.about === 'order' ? 'Payment' : '';
  const passes = ofPayment !== '' && decision === 'approve';
  const form = useAppForm({
    defaultValues: { reason: '', for: 'PT24H' },
    onSubmit: ({ value }) => {
      const reason = value.reason.trim();
      sending.send(passes ? { reason, for: value.for } : { reason });
    },
  });
  const { validators, words } = useReasonField();
  const close = (): void => {
    change({ decide: undefined });
  };
  return (
    <Box
      title={say(
        `approvals.decide.${decision === 'withdraw' ? decision : (`${decision}${ofPayment}` as const)}`,
      )}
      onClose={close}
    >
      {sending.answer !== undefined ? (
        <Decided {...{ decision, ofPayment }} effect={data?.effect ?? undefined} onClose={close} />
      ) : (
        <form.AppForm>
          <form.Sheet>
            {data !== undefined && <Asked answer={data} isApproved={decision === 'approve'} />}
            {passes && (
              <form.AppField name="for">
                {({ OneOf }) => (
                  <OneOf
                    label={say('approvals.for')}
                    options={SPANS.map((span) => [span, say(`approvals.for.${span}`)])}
                  />
                )}
              </form.AppField>
            )}
            <form.AppField name="reason" validators={validators}>
              {({ Line }) => <Line {...words} isFocused />}
            </form.AppField>
            <SendingProgress sending={sending} />
            <SendingButtons
              sending={sending}
              submit={say(`approvals.${decision}`)}
              isDanger={decision === 'reject'}
              onClose={close}
            />
          </form.Sheet>
        </form.AppForm>
      )}
    </Box>
  );
}

/** What is decided. */
function Asked({
  answer,
  isApproved,
}: {
  readonly answer: ProposalAnswer;
  readonly isApproved: boolean;
}) {
  return (
    <>
      <Sentence answer={answer} />
      {isApproved && <Change answer={answer} />}
      <FrozenMeanwhile answer={answer} />
      <LookAlikes answer={answer} />
    </>
  );
}

/** The change in a sentence: of whom, what, from what to what, until when, and why. */
function Sentence({ answer }: { readonly answer: ProposalAnswer }) {
  const reading = useReading();
  const { say } = reading;
  const { was, is, from, until } = differenceIn(answer, reading) ?? {};
  return (
    <p className="run">
      <strong>{aboutText(answer, say)}</strong>
      <SubjectLinks subjects={answer.subject ?? {}} />
      {was !== undefined && answer.about !== 'order' && (
        <span>{say('approvals.becomes', { was, is })}</span>
      )}
      {from !== undefined && (
        <span>
          {say('time.from')} <Instant at={from} isShort />
        </span>
      )}
      {until !== undefined && <Until at={until} />}
      <Given text={answer.reason ?? ''} />
    </p>
  );
}

function Decided({
  decision,
  ofPayment,
  effect,
  onClose,
}: {
  readonly decision: (typeof DECISIONS)[number];
  readonly ofPayment: 'Payment' | '';
  /** Of an approval of terms. */
  readonly effect: TermsEffect | undefined;
  readonly onClose: () => void;
}) {
  const { say } = useReading();
  if (decision !== 'approve' || effect === undefined) {
    const plain = decision === 'approve' ? ('approveRules' as const) : decision;
    const word = ofPayment === '' ? plain : (`${decision}${ofPayment}` as const);
    return <SendingDone says={say(`approvals.done.${word}`)} onClose={onClose} />;
  }
  return (
    <SendingDone says={say('approvals.done.approve')} onClose={onClose}>
      <EffectOverTime effect={effect} />
    </SendingDone>
  );
}
