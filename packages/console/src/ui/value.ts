/** Values of attributes, as they are typed: `gold`, `3`, `true`, and `"3"` for the text. */

/** One value of an attribute. */
export type Value = string | number | boolean;

const LOOKS_OTHERWISE = /^(-?\d{1,15}|true|false|".*)$|[,，]|^\s|\s$|^$/;

/** Writes a value, so that it reads back as what it is. */
export function valueText(value: Value): string {
  return typeof value === 'string' && LOOKS_OTHERWISE.test(value)
    ? JSON.stringify(value)
    : String(value);
}

/** Reads a value: numbers and truth values are what they look like, unless they are quoted. */
export function valueIn(text: string): Value {
  const given = text.trim();
  if (/^-?\d{1,15}$/.test(given)) return Number(given);
  if (given === 'true' || given === 'false') return given === 'true';
  if (!/^".*"$/.test(given)) return given;
  try {
    return String(JSON.parse(given));
  } catch {
    return given;
  }
}

/** Reads several values, separated by commas. */
export function valuesIn(text: string): readonly Value[] {
  const parts = text.match(/\s*"(?:[^"\\]|\\.)*"\s*|[^,，]+/g) ?? [];
  return parts.filter((part) => part.trim() !== '').map(valueIn);
}
