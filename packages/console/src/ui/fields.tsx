import {
  FieldError,
  Group,
  Input,
  Label,
  NumberField,
  Text,
  TextField,
} from 'react-aria-components';
import { NumberParser } from '@internationalized/number';
import { useState } from 'react';
import { useDigits } from '../data/digits.tsx';
import { useReading } from '../words/words.tsx';
import { formatOf, isUnclear, UNCLEAR } from './written.ts';

/** More than anything that the API takes in a line, but for long lists of values. */
const TYPED_MAX = 4_000;

/** What every field may say. */
type FieldProps<Value> = {
  readonly label: string;
  readonly help?: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly wrong?: string | undefined;
  readonly isFocused?: boolean;
};

/** What stands below a field: what is meant, and what is wrong. */
export function Below({
  help,
  wrong,
}: {
  readonly help?: string;
  readonly wrong: string | undefined;
}) {
  return (
    <>
      {help !== undefined && (
        <Text slot="description" className="fine">
          {help}
        </Text>
      )}
      <FieldError className="wrong">{wrong}</FieldError>
    </>
  );
}

/** In what an amount is typed; digits where the form itself says them. */
export type Scale = {
  readonly currency?: string | undefined;
  readonly digits?: number | undefined;
};

/** An amount in major units as people of the locale write it, or a plain number without a currency. It is known while it is typed. */
export function AmountField({
  label,
  currency,
  digits,
  value,
  onChange,
  wrong,
  isFocused = false,
  ...below
}: FieldProps<number> & Scale) {
  const known = useDigits();
  const format = formatOf(currency, digits ?? known(currency ?? '') ?? 0);
  const { locale, say } = useReading();
  const [unclear, setUnclear] = useState('');
  // What is typed is not written otherwise before the field is left: only what comes from elsewhere is.
  const [{ typed, key }, setTyped] = useState({ typed: value, key: 0 });
  if (!Object.is(typed, value)) setTyped({ typed: value, key: key + 1 });
  const parser = new NumberParser(locale, format);
  // Another amount came from elsewhere. While one is typed, the form may know of it a moment later.
  if (unclear !== '' && value !== UNCLEAR && !Number.isNaN(value)) setUnclear('');
  // What was typed is known no more once the page was loaded again.
  const forgotten = value === UNCLEAR ? say('amount.wrong') : wrong;
  const mistake = unclear === '' ? forgotten : say('amount.unclear', { typed: unclear });
  const tell = (told: number): void => {
    setTyped({ typed: told, key });
    onChange(told);
  };
  // A field that is left tells how the amount looks there: rounded, while its currency is being typed.
  const tellChosen = (told: number): void => {
    // It would be what the field takes an unclear one for.
    if (unclear !== '' || value === UNCLEAR) return;
    const looks = parser.parse(new Intl.NumberFormat(locale, format).format(value));
    if (Object.is(told, value)) return;
    if (Object.is(told, looks)) setTyped({ typed: value, key: key + 1 });
    else tell(told);
  };
  return (
    <NumberField
      key={key}
      className="field"
      defaultValue={value === UNCLEAR ? Number.NaN : value}
      onChange={tellChosen}
      onBlur={() => {
        // The field would show what it takes it for.
        if (unclear !== '') setTyped({ typed, key: key + 1 });
      }}
      minValue={0}
      formatOptions={format}
      isInvalid={mistake !== undefined}
      validationBehavior="aria"
      autoFocus={isFocused}
    >
      <Label className="label">{label}</Label>
      <Group>
        <Input
          className="figure"
          onInput={({ currentTarget }) => {
            const text = currentTarget.value;
            setUnclear(isUnclear(text) ? text : '');
            tell(isUnclear(text) ? UNCLEAR : parser.parse(text));
          }}
        />
      </Group>
      <Below {...below} wrong={mistake} />
    </NumberField>
  );
}

/** A line of text. */
export function TextLine({
  label,
  value,
  onChange,
  wrong,
  isFocused = false,
  ...below
}: FieldProps<string>) {
  return (
    <TextField
      className="field"
      value={value}
      onChange={onChange}
      isInvalid={wrong !== undefined}
      validationBehavior="aria"
      autoFocus={isFocused}
    >
      <Label className="label">{label}</Label>
      <Input maxLength={TYPED_MAX} autoComplete="off" spellCheck="false" />
      <Below {...below} wrong={wrong} />
    </TextField>
  );
}

/** One of several. */
export function Choice({
  label,
  value,
  onChange,
  options,
  wrong,
}: FieldProps<string> & { readonly options: readonly (readonly [value: string, text: string])[] }) {
  return (
    <label className="field">
      <span className="label">{label}</span>
      <select
        value={value}
        aria-invalid={wrong !== undefined}
        onChange={({ target }) => {
          onChange(target.value);
        }}
      >
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
      {wrong !== undefined && <span className="wrong">{wrong}</span>}
    </label>
  );
}
