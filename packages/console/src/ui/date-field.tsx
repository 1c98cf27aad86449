import type { CalendarDate, ZonedDateTime } from '@internationalized/date';
import {
  parseAbsolute,
  parseDate,
  today,
  toCalendarDateTime,
  toZoned,
} from '@internationalized/date';
import { useContext, useEffect, useEffectEvent, useRef, useState } from 'react';
import {
  Button,
  Calendar,
  CalendarCell,
  CalendarGrid,
  DateFieldStateContext,
  DateInput,
  DatePicker,
  DateSegment,
  Dialog,
  Group,
  Heading,
  I18nProvider,
  Label,
  Popover,
} from 'react-aria-components';
import { useReading } from '../words/words.tsx';
import { Below } from './fields.tsx';

type DateFieldProps = {
  readonly label: string;
  readonly help?: string;
  /** Empty where there is none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly wrong?: string | undefined;
};

/** No day before is asked about; a year of which one digit is typed is such a year. */
const FIRST_YEAR = 1970;

/** A day: `2026-03-01`. */
export function DayField({ value, onChange, ...words }: DateFieldProps) {
  const [{ from, typed }, setTyped] = useState({ from: value, typed: value });
  if (from !== value) setTyped({ from: value, typed: value });
  return (
    <Picked
      {...words}
      picked={readOr(null, () => parseDate(typed))}
      onPick={(day: CalendarDate | null) => {
        const text = day?.toString() ?? '';
        setTyped({ from, typed: text });
        if (day === null || day.year >= FIRST_YEAR) onChange(text);
      }}
    />
  );
}

/** What is read, or else something other: an address may have anything in the place of a day. */
function readOr<Value>(otherwise: Value, read: () => Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/** An instant, typed and shown in a time zone: `2026-03-01T00:00:00+08:00`. While a part is missing, the text as far as it is typed. */
export function InstantField({
  value,
  onChange,
  zone,
  ...words
}: DateFieldProps & { readonly zone: string }) {
  const read = (text: string) => readOr(null, () => parseAbsolute(text, zone));
  const isHalf = value !== '' && read(value) === null;
  // Other parts stay where one is taken away.
  const [{ known, whole }, setKnown] = useState({ known: value, whole: value });
  if (known !== value) setKnown({ known: value, whole: isHalf ? whole : value });
  return (
    <Picked
      {...words}
      picked={read(whole)}
      isHalf={isHalf}
      placeholder={toZoned(toCalendarDateTime(today(zone)), zone)}
      onPick={(instant: ZonedDateTime | null) => {
        onChange(instant?.toString().replace(/\[.*$/, '') ?? '');
      }}
      onHalf={(text, isWhole) => {
        onChange(isWhole ? whole : text);
      }}
    />
  );
}

function Picked<Value extends CalendarDate | ZonedDateTime>({
  label,
  picked,
  placeholder,
  onPick,
  onHalf,
  isHalf = false,
  wrong,
  ...below
}: Omit<DateFieldProps, 'value' | 'onChange'> & {
  readonly picked: Value | null;
  readonly placeholder?: ZonedDateTime;
  readonly onPick: (picked: Value | null) => void;
  /** Gets what is typed of it: empty where nothing is any more, or where it is whole again. */
  readonly onHalf?: (text: string, isWhole: boolean) => void;
  readonly isHalf?: boolean;
}) {
  const { say, locale } = useReading();
  const others = placeholder === undefined ? {} : { placeholderValue: placeholder as Value }; // of its kind
  return (
    <I18nProvider locale={locale}>
      <DatePicker<Value>
        className="field date"
        value={picked}
        onChange={(value) => {
          onPick(value as Value | null); // what was given, with other figures
        }}
        isInvalid={wrong !== undefined}
        validationBehavior="aria"
        hourCycle={24}
        shouldForceLeadingZeros
        {...others}
      >
        <Label className="label">{label}</Label>
        <Group className="date-line">
          <DateInput className="segments">
            {(segment) => (
              <>
                {segment.type === 'year' && onHalf !== undefined && <Half onHalf={onHalf} />}
                <DateSegment segment={segment} className="segment" />
              </>
            )}
          </DateInput>
          {picked !== null && !isHalf && (
            <Button
              slot={null}
              className="plain"
              aria-label={say('date.clear', { label })}
              onPress={() => {
                onPick(null);
              }}
            >
              ×
            </Button>
          )}
          <Button className="plain" aria-label={say('date.choose', { label })}>
            <svg viewBox="0 0 16 16" aria-hidden="true">
              <path d="M2 4h12v10H2zM2 7h12M5 2v3M11 2v3" />
            </svg>
          </Button>
        </Group>
        <Below {...{ ...below, wrong }} />
        <Month />
      </DatePicker>
    </I18nProvider>
  );
}

/** Tells what a field shows of which only a part is typed: its value is none, as if it were empty. */
function Half({ onHalf }: { readonly onHalf: (text: string, isWhole: boolean) => void }) {
  const segments = useContext(DateFieldStateContext)?.segments ?? [];
  const typed = segments.filter(({ isEditable }) => isEditable);
  const missing = typed.filter(({ isPlaceholder }) => isPlaceholder).length;
  const isHalf = missing > 0 && missing < typed.length;
  const seen = segments.map(({ text: each }) => each.replaceAll(/[\u2066-\u2069]/g, ''));
  const text = isHalf ? seen.join('') : '';
  const told = useRef('');
  const tell = useEffectEvent(onHalf);
  useEffect(() => {
    if (told.current === text) return;
    told.current = text;
    tell(text, missing === 0);
  }, [text, missing]);
  return null;
}

/** The days of a month, to choose one. */
function Month() {
  return (
    <Popover className="calendar">
      <Dialog>
        <Calendar>
          <header>
            <Button slot="previous" className="plain">
              ‹
            </Button>
            <Heading />
            <Button slot="next" className="plain">
              ›
            </Button>
          </header>
          <CalendarGrid>{(date) => <CalendarCell date={date} />}</CalendarGrid>
        </Calendar>
      </Dialog>
    </Popover>
  );
}
