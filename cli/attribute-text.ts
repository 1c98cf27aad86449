import type { AttributeValue } from '../packages/client/src/index.ts';

/** Reads an attribute: whole numbers, true and false are no texts, unless they stand in quotation marks. */
export function attributeOf(text: string): AttributeValue {
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  if (text === 'true' || text === 'false') return text === 'true';
  return /^".*"$/s.test(text) ? text.slice(1, -1) : text;
}
