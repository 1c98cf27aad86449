import { Rows } from '../../ui/rows.tsx';
import { useReading } from '../../words/words.tsx';
import type { RuleForm } from './rule-form.tsx';

/** The least and the most of a rule, as amount and count. */
export function MaximumFields({ form }: { readonly form: RuleForm }) {
  const { say } = useReading();
  const { AppField } = form;
  return (
    <form.Subscribe
      selector={({ values: { currency, window } }) =>
        [currency.trim() || undefined, window] as const
      }
    >
      {([currency, window]) => (
        <>
          <Maximum form={form} of="amount" currency={currency} />
          <Maximum form={form} of="count" currency={undefined} />
          {window === 'transaction' && (
            <div className="pair">
              <AppField name="minAmount">
                {({ Amount }) => <Amount label={say('edit.minAmount')} currency={currency} />}
              </AppField>
              <AppField name="minCount">
                {({ Amount }) => <Amount label={say('edit.minCount')} />}
              </AppField>
            </div>
          )}
        </>
      )}
    </form.Subscribe>
  );
}

/** One maximum: the same for all, or one for each value of an attribute. */
function Maximum({
  form,
  of,
  currency,
}: {
  readonly form: RuleForm;
  readonly of: 'amount' | 'count';
  readonly currency: string | undefined;
}) {
  const { say } = useReading();
  const { AppField } = form;
  const label = say(of === 'amount' ? 'edit.maxAmount' : 'edit.maxCount');
  return (
    <form.Subscribe selector={({ values }) => values[of].by.trim() !== ''}>
      {(isBy) => (
        <>
          <div className="pair">
            {!isBy && (
              <AppField name={`${of}.plain`}>
                {({ Amount }) => <Amount label={label} currency={currency} />}
              </AppField>
            )}
            <AppField name={`${of}.by`}>
              {({ Line }) => (
                <Line
                  label={isBy ? say('edit.byOf', { maximum: label }) : say('edit.by')}
                  help={say('edit.byHelp')}
                />
              )}
            </AppField>
          </div>
          {isBy && <ByValue {...{ form, of, currency, label }} />}
        </>
      )}
    </form.Subscribe>
  );
}

function ByValue({
  form,
  of,
  currency,
  label,
}: {
  readonly form: RuleForm;
  readonly of: 'amount' | 'count';
  readonly currency: string | undefined;
  readonly label: string;
}) {
  const { say } = useReading();
  const { AppField } = form;
  return (
    <form.Field name={`${of}.values`} mode="array">
      {(rows) => (
        <Rows
          {...{ title: label, count: rows.state.value.length }}
          addWord={say('edit.addValue')}
          onAdd={() => {
            rows.pushValue({ value: '', most: Number.NaN });
          }}
          onRemove={rows.removeValue}
          row={(index) => (
            <>
              <AppField name={`${of}.values[${index}].value`}>
                {({ Line }) => <Line label={say('edit.value')} />}
              </AppField>
              <AppField name={`${of}.values[${index}].most`}>
                {({ Amount }) => <Amount label={say('near.maximum')} currency={currency} />}
              </AppField>
            </>
          )}
        >
          <AppField name={`${of}.otherwise`}>
            {({ Amount }) => (
              <Amount label={say('edit.ofAllOthers', { maximum: label })} currency={currency} />
            )}
          </AppField>
        </Rows>
      )}
    </form.Field>
  );
}
