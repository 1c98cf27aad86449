import type { FindRuleAnswer } from '@headroom-limits/client';
import { useContext, useState } from 'react';
import { InstantField } from '../../ui/date-field.tsx';
import { ServerMistakes, useAppForm } from '../../ui/form.tsx';
import { isZone, localZone } from '../../ui/written.ts';
import { useReading } from '../../words/words.tsx';
import type { DraftReading, RuleDraft } from './draft.ts';
import { draftOf, scaleOf } from './draft.ts';

const MODES = ['draft', 'shadow', 'enforce', 'retired'] as const;

/** Makes the form of a rule; Enter in a field sends nothing, because all is looked at while one types. */
export function useRuleForm(stored: FindRuleAnswer | undefined) {
  const [first] = useState(() => draftOf(stored?.rule));
  return useAppForm({ defaultValues: first });
}
/** The form of a rule. */
export type RuleForm = ReturnType<typeof useRuleForm>;

/** The fields of a rule that most changes are about. */
export function RuleFields({
  form,
  isNew,
  rest,
}: {
  readonly form: RuleForm;
  readonly isNew: boolean;
  readonly rest: DraftReading['rest'];
}) {
  const { say } = useReading();
  const currency = textIn(rest, 'currency');
  const digits = scaleOf(rest);
  const named = textIn(rest.window, 'timeZone') ?? '';
  const zone = isZone(named) ? named : localZone();
  const { AppField } = form;
  return (
    <div className="form">
      {isNew && (
        <AppField name="id">
          {({ Line }) => <Line label={say('edit.id')} help={say('edit.idHelp')} />}
        </AppField>
      )}
      <div className="pair">
        <AppField name="titleEn">{({ Line }) => <Line label={say('edit.titleEn')} />}</AppField>
        <AppField name="titleZh">{({ Line }) => <Line label={say('edit.titleZh')} />}</AppField>
      </div>
      <div className="pair">
        <AppField name="amount">
          {({ Amount }) => <Amount label={say('edit.maxAmount')} {...{ currency, digits }} />}
        </AppField>
        <AppField name="count">
          {({ Amount }) => <Amount label={say('edit.maxCount')} digits={0} />}
        </AppField>
      </div>
      <AppField name="mode">
        {({ OneOf }) => (
          <OneOf
            label={say('rules.mode')}
            options={MODES.map((mode) => [
              mode,
              `${say(`rules.mode.${mode}`)}: ${say(`rules.modeHelp.${mode}`)}`,
            ])}
          />
        )}
      </AppField>
      <div className="pair">
        <InstantOf
          {...{ form, zone }}
          name="from"
          label={say('field.from')}
          help={say('edit.fromHelp')}
        />
        <InstantOf
          {...{ form, zone }}
          name="to"
          label={say('field.until')}
          help={say('edit.toHelp')}
        />
      </div>
      <AppField name="reason">
        {({ Line }) => <Line label={say('change.reason')} help={say('change.reasonHelp')} />}
      </AppField>
    </div>
  );
}

/** A time at which the rule begins or ends, in the zone of its window. */
function InstantOf({
  form,
  name,
  ...words
}: {
  readonly form: RuleForm;
  readonly name: 'from' | 'to';
  readonly label: string;
  readonly help: string;
  readonly zone: string;
}) {
  const wrong = useContext(ServerMistakes)(name);
  return (
    <form.Field name={name}>
      {({ state, handleChange }) => (
        <InstantField {...{ ...words, wrong, value: state.value, onChange: handleChange }} />
      )}
    </form.Field>
  );
}

function textIn(thing: unknown, name: string): string | undefined {
  const { [name]: value } = (thing ?? {}) as Readonly<Record<string, unknown>>; // any value has fields
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Whether two drafts say the same rule, whatever their reasons. */
export function isSameRule(one: RuleDraft, other: RuleDraft): boolean {
  const textOf = (draft: RuleDraft): string =>
    JSON.stringify({ ...draft, reason: '', beginAnew: false }, (_name, value: unknown) =>
      // An empty amount, and one that may mean two things, are no JSON.
      typeof value === 'number' ? String(value) : value,
    );
  return textOf(one) === textOf(other);
}
