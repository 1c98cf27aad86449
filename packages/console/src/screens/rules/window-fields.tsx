import type { ReactNode } from 'react';
import { useReading } from '../../words/words.tsx';
import type { RuleForm } from './rule-form.tsx';
import type { WindowDraft, WindowName } from './windows.ts';
import { WINDOWS } from './windows.ts';

const WEEKDAYS = [
  ...(['monday', 'tuesday', 'wednesday', 'thursday'] as const),
  ...(['friday', 'saturday', 'sunday'] as const),
];
/** A Monday. */
const A_MONDAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

/** Over what the rule sums: only fields that the window has are shown. */
export function WindowFields({ form }: { readonly form: RuleForm }) {
  const { say } = useReading();
  const options = Object.entries(WINDOWS).map(([name, { label }]) => [name, say(label)] as const);
  return (
    <div className="pair">
      <form.AppField name="window">
        {({ OneOf }) => <OneOf label={say('edit.window')} options={options} />}
      </form.AppField>
      <form.Subscribe selector={({ values }) => values.window}>
        {(window) => <OfWindow form={form} window={window} />}
      </form.Subscribe>
    </div>
  );
}

function OfWindow({ form, window }: { readonly form: RuleForm; readonly window: WindowName }) {
  const { say } = useReading();
  const weekdays = useWeekdays();
  const { AppField } = form;
  const shown: Readonly<Record<keyof WindowDraft, ReactNode>> = {
    timeZone: (
      <AppField key="timeZone" name="timeZone">
        {({ Line }) => <Line label={say('edit.timeZone')} />}
      </AppField>
    ),
    every: (
      <AppField key="every" name="every">
        {({ Amount }) => <Amount label={say('edit.every')} help={say('edit.everyHelp')} />}
      </AppField>
    ),
    dayStart: (
      <AppField key="dayStart" name="dayStart">
        {({ Line }) => <Line label={say('edit.dayStart')} help={say('edit.dayStartHelp')} />}
      </AppField>
    ),
    weekStart: (
      <AppField key="weekStart" name="weekStart">
        {({ OneOf }) => <OneOf label={say('edit.weekStart')} options={weekdays} />}
      </AppField>
    ),
    monthDay: (
      <AppField key="monthDay" name="monthDay">
        {({ Amount }) => <Amount label={say('edit.monthDay')} help={say('edit.monthDayHelp')} />}
      </AppField>
    ),
    closedDays: (
      <AppField key="closedDays" name="closedDays">
        {({ Line }) => <Line label={say('edit.closedDays')} help={say('edit.closedDaysHelp')} />}
      </AppField>
    ),
    closedDates: (
      <AppField key="closedDates" name="closedDates">
        {({ Line }) => <Line label={say('edit.closedDates')} help={say('edit.closedDatesHelp')} />}
      </AppField>
    ),
    since: (
      <AppField key="since" name="since">
        {({ Line }) => <Line label={say('edit.since')} help={say('edit.sinceHelp')} />}
      </AppField>
    ),
    span: (
      <AppField key="span" name="span">
        {({ Line }) => <Line label={say('edit.span')} help={say('edit.spanHelp')} />}
      </AppField>
    ),
    step: (
      <AppField key="step" name="step">
        {({ Line }) => <Line label={say('edit.step')} help={say('edit.stepHelp')} />}
      </AppField>
    ),
  };
  return WINDOWS[window].fields.map((field) => shown[field]);
}

/** Days of the week in the reader's language. */
function useWeekdays(): readonly (readonly [string, string])[] {
  const { say, locale } = useReading();
  const name = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  return [
    ['', say('edit.asUsual')],
    ...WEEKDAYS.map((day, index): readonly [string, string] => [
      day,
      name.format(new Date(A_MONDAY + index * DAY_MS)),
    ]),
  ];
}
