import type { FindRuleAnswer } from '@headroom-limits/client';
import { useState } from 'react';
import { useAppForm } from '../../ui/form.tsx';
import { useReading } from '../../words/words.tsx';
import type { RuleDraft } from './draft.ts';
import { draftOf, EXCESSES, OUTCOMES, hasDigits } from './draft.ts';
import { ConditionFields } from './condition-fields.tsx';
import { MaximumFields } from './maximum-fields.tsx';
import { WindowFields } from './window-fields.tsx';

const MODES = ['draft', 'shadow', 'enforce', 'retired'] as const;

/** Makes the form of a rule. */
export function useRuleForm(
  stored: FindRuleAnswer | undefined,
  onSend: (draft: RuleDraft) => void,
) {
  const [first] = useState(() => draftOf(stored?.rule));
  return useAppForm({
    defaultValues: first,
    onSubmit: ({ value }) => {
      onSend(value);
    },
  });
}
/** The form of a rule. */
export type RuleForm = ReturnType<typeof useRuleForm>;

/** Every field of a rule. */
export function RuleFields({ form, isNew }: { readonly form: RuleForm; readonly isNew: boolean }) {
  const { say } = useReading();
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
        <AppField name="per">
          {({ Line }) => <Line label={say('edit.per')} help={say('edit.perHelp')} />}
        </AppField>
        <AppField name="currency">
          {({ Line }) => <Line label={say('edit.currency')} help={say('edit.currencyHelp')} />}
        </AppField>
      </div>
      <form.Subscribe selector={({ values }) => hasDigits(values)}>
        {(isAsked) =>
          isAsked && (
            <AppField name="digits">
              {({ Amount }) => <Amount label={say('edit.digits')} help={say('edit.digitsHelp')} />}
            </AppField>
          )
        }
      </form.Subscribe>
      <WindowFields form={form} />
      <MaximumFields form={form} />
      <ExcessFields form={form} />
      <Scopes form={form} />
      <OutcomeFields form={form} />
      <AppField name="require">
        {({ Line }) => <Line label={say('edit.require')} help={say('edit.requireHelp')} />}
      </AppField>
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
      <Times form={form} />
      <AppField name="reason">
        {({ Line }) => <Line label={say('change.reason')} help={say('change.reasonHelp')} />}
      </AppField>
    </div>
  );
}

/** Which payments count, may be refused, and lower the sum. */
function Scopes({ form }: { readonly form: RuleForm }) {
  const { say } = useReading();
  return (['counts', 'appliesTo', 'minus'] as const).map((list) => (
    <ConditionFields
      key={list}
      form={form}
      list={list}
      title={say(`edit.${list}`)}
      help={say(`edit.${list}Help`)}
    />
  ));
}

/** The end with which an order counts. */
function OutcomeFields({ form }: { readonly form: RuleForm }) {
  const { say } = useReading();
  const { AppField, Subscribe } = form;
  return (
    <div className="pair">
      <AppField name="outcome">
        {({ OneOf }) => (
          <OneOf
            label={say('edit.outcome')}
            options={OUTCOMES.map((one) => [one, say(`edit.outcome.${one}`)])}
          />
        )}
      </AppField>
      <Subscribe selector={({ values }) => values.outcome !== 'confirmed'}>
        {(hasCodes) =>
          hasCodes && (
            <AppField name="reasonCodes">
              {({ Line }) => (
                <Line label={say('edit.reasonCodes')} help={say('edit.reasonCodesHelp')} />
              )}
            </AppField>
          )
        }
      </Subscribe>
    </div>
  );
}

/** What becomes of an order above the maximum. */
function ExcessFields({ form }: { readonly form: RuleForm }) {
  const { say } = useReading();
  const { AppField, Subscribe } = form;
  return (
    <div className="pair">
      <AppField name="onExceed">
        {({ OneOf }) => (
          <OneOf
            label={say('edit.onExceed')}
            options={EXCESSES.map((one) => [one, say(`edit.onExceed.${one}`)])}
          />
        )}
      </AppField>
      <Subscribe selector={({ values }) => values.onExceed === 'challenge'}>
        {(isChallenge) =>
          isChallenge && (
            <AppField name="challenge">
              {({ Line }) => (
                <Line label={say('edit.challenge')} help={say('edit.challengeHelp')} />
              )}
            </AppField>
          )
        }
      </Subscribe>
    </div>
  );
}

/** When the rule is in effect, and what refunds give back. */
function Times({ form }: { readonly form: RuleForm }) {
  const { say } = useReading();
  const { AppField } = form;
  return (
    <>
      <div className="pair">
        <AppField name="from">
          {({ Line }) => <Line label={say('field.from')} help={say('edit.fromHelp')} />}
        </AppField>
        <AppField name="to">
          {({ Line }) => <Line label={say('field.until')} help={say('edit.toHelp')} />}
        </AppField>
      </div>
      <div className="pair">
        <AppField name="whenHours">
          {({ Line }) => <Line label={say('edit.when.hours')} help={say('edit.whenHoursHelp')} />}
        </AppField>
        <AppField name="whenDays">
          {({ Line }) => <Line label={say('edit.when.days')} help={say('edit.whenDaysHelp')} />}
        </AppField>
      </div>
      <div className="pair">
        <AppField name="whenDates">
          {({ Line }) => <Line label={say('edit.when.dates')} help={say('edit.whenDatesHelp')} />}
        </AppField>
        <AppField name="whenZone">
          {({ Line }) => <Line label={say('edit.when.timeZone')} help={say('edit.whenZoneHelp')} />}
        </AppField>
      </div>
      <fieldset className="rows">
        <legend className="label">{say('edit.refunds')}</legend>
        <AppField name="refundsAmount">
          {({ Tick }) => <Tick label={say('field.amount')} />}
        </AppField>
        <AppField name="refundsCount">{({ Tick }) => <Tick label={say('field.count')} />}</AppField>
      </fieldset>
    </>
  );
}
