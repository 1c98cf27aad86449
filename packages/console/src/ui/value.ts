/** Values of attributes, as they are typed: `gold`, `3`, `true`, and `"3"` for the text. */

/** One value of an attribute. */
type Value = string | number | boolean;

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
