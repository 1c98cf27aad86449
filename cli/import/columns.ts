import type { Mistake } from '../../lib/shared/errors.ts';
import { isAttributeName, isKind } from '../../lib/shared/names.ts';
import { showText } from '../../lib/schema/mistakes.ts';
import type { AttributeValue } from '../../packages/client/src/index.ts';
import { CommandError, UsageError } from '../command-error.ts';
import { attributeOf } from '../words.ts';
import { PROBLEM } from './row.ts';

/** Fields of a payment that are no subject and no attribute. */
const FIELDS = [
  'orderId',
  'at',
  'type',
  'amount',
  'currency',
  'count',
  'status',
  'reasonCode',
] as const;
type Field = (typeof FIELDS)[number];
const REQUIRED: readonly Field[] = ['orderId', 'at', 'amount', 'currency'];
const NUMBERS: readonly string[] = ['amount', 'count'];
const ATTRIBUTE = 'attributes.';

/** Which field each column is, and fields that are the same in every row. */
export type ColumnOptions = {
  /** Fields to the names of their columns; a column that is not named here is what it is called. */
  readonly columns: ReadonlyMap<string, string>;
  readonly constants: ReadonlyMap<string, string>;
  readonly ignored: readonly string[];
};

/** A payment as cells make it, with what is wrong with cells alone. */
type Made = { readonly payment: object; readonly mistakes: readonly Mistake[] };

/** Reads `field=text`, once for each field. @throws UsageError */
export function readFields(
  option: string,
  words: readonly string[] = [],
): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const word of words) {
    const [, field = '', text = ''] = /^([^=]+)=(.+)$/s.exec(word) ?? [];
    if (!isField(field))
      throw new UsageError(
        `${option} is ${JSON.stringify(word)}, expected a field, = and its text. A field is one of ${FIELDS.join(', ')}, a subject kind such as user, or an attribute such as attributes.tier.`,
      );
    if (fields.has(field)) throw new UsageError(`${option} names ${field} twice.`);
    fields.set(field, text);
  }
  return fields;
}

function isField(name: string): boolean {
  if (name.startsWith(ATTRIBUTE)) return isAttributeName(name.slice(ATTRIBUTE.length));
  return isPlain(name) || isKind(name);
}

function isPlain(name: string): name is Field {
  return FIELDS.some((field) => field === name);
}

/**
 * Understands the first row of a file.
 *
 * @returns what makes a payment of the cells of a row
 * @throws CommandError for a column that is no field, twice the same, or missing
 */
export function columnsOf(
  path: string,
  header: readonly string[],
  { columns, constants, ignored }: ColumnOptions,
): (cells: readonly string[]) => Made {
  const refuse = (what: string): never => {
    throw new CommandError(`Not imported: ${path} ${what}`);
  };
  const names = header.map((name) => name.trim());
  const [alone = '', ...others] = names;
  const [parting] = /[;\t|,]/.exec(alone) ?? [];
  if (others.length === 0 && parting !== undefined)
    refuse(
      `has only one column, and its name has ${JSON.stringify(parting)} in it. If that separates the columns, add --delimiter ${JSON.stringify(parting)}.`,
    );
  const fieldOf = new Map([...columns].map(([field, column]) => [column, field]));
  for (const name of [...fieldOf.keys(), ...ignored])
    if (!names.includes(name))
      refuse(`has no column ${JSON.stringify(name)}; its columns are ${names.join(', ')}.`);
  const fields = names.map((name) =>
    ignored.includes(name) || name === PROBLEM ? undefined : (fieldOf.get(name) ?? name),
  );
  for (const [index, field] of fields.entries()) {
    if (field === undefined) continue;
    if (!isField(field))
      refuse(
        `has a column ${JSON.stringify(field)}, which is no field. Name its field, such as --column user=${field}, or --ignore ${field}.`,
      );
    if (fields.indexOf(field) !== index || constants.has(field))
      refuse(`has ${field} twice, expected one column, or one --set.`);
  }
  const all = [...fields.filter((field) => field !== undefined), ...constants.keys()];
  for (const field of REQUIRED)
    if (!all.includes(field))
      refuse(
        `has no column ${field}; its columns are ${names.join(', ')}. Name one, such as --column ${field}=COLUMN, or --set ${field}=TEXT for all rows.`,
      );
  if (!all.some(isSubject))
    refuse(`has no column of a subject, such as user; its columns are ${names.join(', ')}.`);
  return (cells) => paymentOf([...fields.map((field, at) => [field, cells[at]]), ...constants]);
}

function isSubject(field: string): boolean {
  return !isPlain(field) && !field.startsWith(ATTRIBUTE);
}

/** An empty cell is nothing. */
function paymentOf(cells: readonly (readonly (string | undefined)[])[]): Made {
  const payment: Record<string, unknown> = {};
  const subjects: Record<string, string> = {};
  const attributes: Record<string, AttributeValue> = {};
  const mistakes: Mistake[] = [];
  for (const [field, text = ''] of cells) {
    if (field === undefined || text === '') continue;
    if (field.startsWith(ATTRIBUTE)) attributes[field.slice(ATTRIBUTE.length)] = attributeOf(text);
    else if (!isPlain(field)) subjects[field] = text;
    else if (!NUMBERS.includes(field)) payment[field] = text;
    else if (/^-?\d{1,15}$|^1000000000000000$/.test(text)) payment[field] = Number(text);
    else {
      payment[field] = 0; // in place of what cannot be a number; the mistake says what stands there
      mistakes.push({ path: field, value: showText(text), expected: expectedOf(field) });
    }
  }
  const hasAttributes = Object.keys(attributes).length > 0;
  return { payment: { ...payment, subjects, ...(hasAttributes ? { attributes } : {}) }, mistakes };
}

function expectedOf(field: string): string {
  return field === 'amount'
    ? 'a whole number of minor units, only digits: 12.50 CNY are 1250'
    : 'a whole number';
}
