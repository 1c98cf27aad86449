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
import { Change, FrozenMeanwhile } from './proposal-look.tsx';

const DECISIONS = ['approve', 'reject', 'withdraw'] as const;

/** Asks for the reason of a decision, and takes it. */
export default function DecisionDialog({ id }: { readonly id: string }) {
  const { say } = useReading();
  const { client, actor } = useSession();
  const [{ decide }, change] = useAsked();
  const decision = DECISIONS.find((each) => each === decide) ?? 'reject';
  const sending = useSending<string, Proposal>((reason, signal) =>
    client.proposals[decision]({ id, reason, actor }, { signal }),
  );
  // What an approval does is told as it was before it: a proposal that is decided does nothing more.
  const isDecided = sending.answer !== undefined;
  const { data } = useQuery({
    ...proposalOf(useSession(), id),
    ...(isDecided ? { enabled: false } : WATCHED),
  });
  const form = useAppForm({
    defaultValues: { reason: '' },
    onSubmit: ({ value }) => {
      sending.send(value.reason.trim());
    },
  });
  const { validators, words } = useReasonField();
  const close = (): void => {
    change({ decide: undefined });
  };
  return (
    <Box title={say(`approvals.decide.${decision}`)} onClose={close}>
      {sending.answer !== undefined ? (
        <Decided decision={decision} effect={data?.effect ?? undefined} onClose={close} />
      ) : (
        <form.AppForm>
          <form.Sheet>
            {data !== undefined && (
              <>
                <Sentence answer={data} />
                {decision === 'approve' && <Change answer={data} />}
                <FrozenMeanwhile answer={data} />
              </>
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

/** The change in a sentence: of whom, what, from what to what, until when, and why. */
function Sentence({ answer }: { readonly answer: ProposalAnswer }) {
  const reading = useReading();
  const { say } = reading;
  const { was, is, from, until } = differenceIn(answer, reading) ?? {};
  return (
    <p className="run">
      <strong>{aboutText(answer, say)}</strong>
      <SubjectLinks subjects={answer.subject ?? {}} />
      {was !== undefined && <span>{say('approvals.becomes', { was, is })}</span>}
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
  effect,
  onClose,
}: {
  readonly decision: (typeof DECISIONS)[number];
  /** Of an approval of terms. */
  readonly effect: TermsEffect | undefined;
  readonly onClose: () => void;
}) {
  const { say } = useReading();
  if (decision !== 'approve' || effect === undefined) {
    const word = decision === 'approve' ? 'approveRules' : decision;
    return <SendingDone says={say(`approvals.done.${word}`)} onClose={onClose} />;
  }
  return (
    <SendingDone says={say('approvals.done.approve')} onClose={onClose}>
      <EffectOverTime effect={effect} />
    </SendingDone>
  );
}
