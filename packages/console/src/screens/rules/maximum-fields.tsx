import type { Scale } from '../../ui/fields.tsx';
import { Rows } from '../../ui/rows.tsx';
import { useReading } from '../../words/words.tsx';
import { scaleOf } from './draft.ts';
import type { RuleForm } from './rule-form.tsx';
import { WINDOWS } from './windows.ts';

/** The least and the most of a rule, as amount and count. */
export function MaximumFields({ form }: { readonly form: RuleForm }) {
  const { say } = useReading();
  const { AppField } = form;
  return (
    <form.Subscribe
      selector={({ values }) =>
        [values.currency.trim() || undefined, scaleOf(values), values.window] as const
      }
    >
      {([currency, digits, window]) => (
        <>
          <Maximum form={form} of="amount" currency={currency} digits={digits} />
          <Maximum form={form} of="count" currency={undefined} digits={0} />
          {!WINDOWS[window].isSingle && (
            <AppField name="distinct">
              {({ Line }) => <Line label={say('edit.distinct')} help={say('edit.distinctHelp')} />}
            </AppField>
          )}
          {WINDOWS[window].isSingle && (
            <div className="pair">
              <AppField name="minAmount">
                {({ Amount }) => <Amount label={say('edit.minAmount')} {...{ currency, digits }} />}
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
  digits,
}: {
  readonly form: RuleForm;
  readonly of: 'amount' | 'count';
} & Scale) {
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
                {({ Amount }) => <Amount {...{ label, currency, digits }} />}
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
          {isBy && <ByValue {...{ form, of, currency, digits, label }} />}
        </>
      )}
    </form.Subscribe>
  );
}

function ByValue({
  form,
  of,
  currency,
  digits,
  label,
}: {
  readonly form: RuleForm;
  readonly of: 'amount' | 'count';
  readonly label: string;
} & Scale) {
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
                {({ Amount }) => <Amount label={say('near.maximum')} {...{ currency, digits }} />}
              </AppField>
            </>
          )}
        >
          <AppField name={`${of}.otherwise`}>
            {({ Amount }) => (
              <Amount
                label={say('edit.ofAllOthers', { maximum: label })}
                {...{ currency, digits }}
              />
            )}
          </AppField>
        </Rows>
      )}
    </form.Field>
  );
}
