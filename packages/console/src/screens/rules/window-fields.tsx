import { useReading } from '../../words/words.tsx';
import type { WindowName } from './draft.ts';
import { hasDayStart, hasMonthDay, WINDOWS } from './draft.ts';
import type { RuleForm } from './rule-form.tsx';

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
  const nameOf = (window: WindowName): string => {
    if (window === 'rolling') return say('edit.window.rolling');
    return window === 'transaction' || window === 'lifetime'
      ? say(`limit.${window}`)
      : say(`limit.per.${window}`);
  };
  return (
    <div className="pair">
      <form.AppField name="window">
        {({ OneOf }) => (
          <OneOf
            label={say('edit.window')}
            options={WINDOWS.map((window) => [window, nameOf(window)])}
          />
        )}
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
  if (window === 'transaction' || window === 'lifetime') return null;
  if (window === 'rolling')
    return (
      <>
        <AppField name="span">
          {({ Line }) => <Line label={say('edit.span')} help={say('edit.spanHelp')} />}
        </AppField>
        <AppField name="step">
          {({ Line }) => <Line label={say('edit.step')} help={say('edit.stepHelp')} />}
        </AppField>
      </>
    );
  return (
    <>
      <AppField name="timeZone">{({ Line }) => <Line label={say('edit.timeZone')} />}</AppField>
      <AppField name="every">
        {({ Amount }) => <Amount label={say('edit.every')} help={say('edit.everyHelp')} />}
      </AppField>
      {hasDayStart(window) && (
        <AppField name="dayStart">
          {({ Line }) => <Line label={say('edit.dayStart')} help={say('edit.dayStartHelp')} />}
        </AppField>
      )}
      {window === 'week' && (
        <AppField name="weekStart">
          {({ OneOf }) => <OneOf label={say('edit.weekStart')} options={weekdays} />}
        </AppField>
      )}
      {hasMonthDay(window) && (
        <AppField name="monthDay">
          {({ Amount }) => <Amount label={say('edit.monthDay')} help={say('edit.monthDayHelp')} />}
        </AppField>
      )}
    </>
  );
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
