import type { Proposal } from 'headroom-client';
import { useForm } from '@tanstack/react-form';
import { useQueryClient } from '@tanstack/react-query';
import { useSession } from '../../session.tsx';
import { useAsked } from '../../ui/asked.ts';
import { Box, Sending, TextLine } from '../../ui/dialog.tsx';
import { useSending } from '../../ui/sending.ts';
import { useReading } from '../../words/words.tsx';

const DECISIONS = ['approve', 'reject', 'withdraw'] as const;
const REASON_LENGTH_MAX = 256;

/** Asks for the reason of a decision, and takes it. */
export default function DecisionDialog({ id }: { readonly id: string }) {
  const { say } = useReading();
  const { client, actor } = useSession();
  const queries = useQueryClient();
  const [{ decide }, change] = useAsked();
  const decision = DECISIONS.find((each) => each === decide) ?? 'reject';
  const sending = useSending<string, Proposal>((reason, signal) =>
    client.proposals[decision]({ id, reason, actor }, { signal }),
  );
  const form = useForm({
    defaultValues: { reason: '' },
    onSubmit: ({ value }) => {
      sending.send(value.reason.trim());
    },
  });
  const close = (): void => {
    change({ decide: undefined });
  };
  return (
    <Box title={say(`approvals.decide.${decision}`)} onClose={close}>
      {sending.answer !== undefined ? (
        <Sending.Done
          says={say(`approvals.done.${decision}`)}
          onClose={() => {
            void queries.invalidateQueries();
            close();
          }}
        />
      ) : (
        <form
          noValidate
          className="form"
          onSubmit={(event) => {
            event.preventDefault();
            void form.handleSubmit();
          }}
        >
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
                isFocused
              />
            )}
          </form.Field>
          <Sending.Progress sending={sending} />
          <Sending.Buttons
            sending={sending}
            submit={say(`approvals.${decision}`)}
            isDanger={decision === 'reject'}
            onClose={close}
          />
        </form>
      )}
    </Box>
  );
}
