import type { RuleUsage } from '@headroom-limits/client';
import { useAppForm, useClearAmount } from '../../ui/form.tsx';
import { stateText, sumsIn } from '../../ui/effect-over-time.tsx';
import { useReading } from '../../words/words.tsx';
import type { Draft, Wish } from './change-call.ts';
import { STRETCH_NAMES } from './change-call.ts';

/** The form of a change, as it is when the dialog opens. */
export function useChangeForm(wish: Wish, onSend: (draft: Draft) => void) {
  const first: Draft = {
    amount: Number.NaN,
    count: Number.NaN,
    reason: '',
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

/** For how long the change is. */
export function HowLong({ form }: { readonly form: OpenForm }) {
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

/** The new maximum, beside the one of now. */
export function Maxima({
  rule,
  form,
}: {
  readonly rule: RuleUsage | undefined;
  readonly form: OpenForm;
}) {
  const reading = useReading();
  const { say } = reading;
  const { currency } = rule ?? {};
  const clear = useClearAmount();
  const isWritten = (value: unknown): boolean => !Number.isNaN(value);
  return (
    <>
      {rule !== undefined && (
        <p className="fine">
          {say('change.now')}:{' '}
          <span className="figure">{stateText(rule, sumsIn([rule]), currency, reading)}</span>
        </p>
      )}
      <div className="pair">
        {currency !== 'XXX' && (
          <form.AppField name="amount" validators={clear}>
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
              clear.onSubmit({ value }) ??
              (isWritten(value) || isWritten(fieldApi.form.getFieldValue('amount'))
                ? undefined
                : say('change.nothing')),
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
