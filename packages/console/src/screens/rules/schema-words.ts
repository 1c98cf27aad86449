import { isMap, parseDocument } from 'yaml';
import schema from '../../../../../docs/rules.schema.json';
import { FIELDS } from './draft.ts';
import { placeAtEnd } from './schema-place.ts';

/** What is read of a JSON schema. */
type Schema = {
  readonly $ref?: string;
  readonly description?: string;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema | false>>;
  readonly additionalProperties?: Schema | false;
  readonly required?: readonly string[];
  readonly enum?: readonly (string | number)[];
  readonly const?: string;
  readonly type?: string;
};

const DEFINITIONS = schema.definitions as unknown as Readonly<Record<string, Schema>>; // as it was written

/** A word that may stand where somebody types. */
type SchemaWord = {
  readonly word: string;
  /** What is written in its place. */
  readonly written: string;
  readonly help?: string | undefined;
  readonly isRequired?: boolean;
};

/** Names and values that a rule may have at a place of its YAML, and what is typed of one already. */
export function wordsAt(
  text: string,
  at: number,
): { readonly typed: string; readonly words: readonly SchemaWord[] } {
  const place = placeAtEnd(text.slice(0, at));
  const { path, typed, isName } = place;
  const others = namesOf(text, at, path);
  const here = path.reduce<readonly Schema[]>(
    (all, name) => all.flatMap((each) => insideOf(each, name)),
    unfold({ $ref: '#/definitions/Rule' }),
  );
  const fitting = here.filter((each) => others.every((name) => insideOf(each, name).length > 0));
  const words = isName ? fitting.flatMap((each) => namesIn(each, place)) : here.flatMap(valuesIn);
  const isFree = ({ word }: SchemaWord): boolean =>
    !isName || !(others.includes(word) || (path.length === 0 && OWN_FIELDS.has(word)));
  const free = words.filter(isFree);
  return { typed, words: [...new Map(free.map((each) => [each.word, each])).values()] };
}

/** Fields that stand beside the YAML as a whole. */
const OWN_FIELDS: ReadonlySet<string> = new Set(
  Object.values(FIELDS).flatMap((path) => (path.length === 1 ? path : [])),
);

/** The names that are there already, without the line that is typed. */
function namesOf(text: string, at: number, path: readonly string[]): readonly string[] {
  const before = text.slice(0, text.lastIndexOf('\n', at - 1) + 1);
  const after = text.slice(at).replace(/^[^\n]*/, '');
  const line = text.slice(before.length, at);
  const isInline = /[[{]/.test(line);
  const document = parseDocument(isInline ? text : `${before}${after}`, { schema: 'core' });
  const found: unknown = path.length === 0 ? document.contents : document.getIn(path, true);
  const names = isMap(found) ? found.items.map(({ key }) => String(key)) : [];
  return isInline ? names.filter((name) => !line.endsWith(name)) : names;
}

/** A schema, or each of which one must hold; lists as what is in them. */
function unfold(given: Schema): readonly Schema[] {
  const { $ref, anyOf = [], allOf = [], items } = given;
  if ($ref !== undefined) {
    const { [$ref.replace('#/definitions/', '')]: definition = {} } = DEFINITIONS;
    return unfold(definition);
  }
  const inside = [...anyOf, ...allOf, ...(items === undefined ? [] : [items])];
  return [
    ...(inside.length === 0 || given.properties !== undefined ? [given] : []),
    ...inside.flatMap(unfold),
  ];
}

function insideOf({ properties = {}, additionalProperties }: Schema, name: string) {
  const found = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
  return found === undefined || found === false ? [] : unfold(found);
}

function namesIn(
  { properties = {}, required = [] }: Schema,
  { indent, isInline }: { readonly indent: number; readonly isInline: boolean },
): readonly SchemaWord[] {
  return Object.entries(properties).flatMap(([word, said]) => {
    if (said === false) return [];
    const kinds = unfold(said);
    const isWhole = !isInline && kinds.every(({ type }) => type === 'object');
    const written = isWhole ? `${word}:\n${' '.repeat(indent + 2)}` : `${word}: `;
    const help = said.description ?? kinds[0]?.description;
    return [{ word, written, help, isRequired: required.includes(word) }];
  });
}

function valuesIn(said: Schema): readonly SchemaWord[] {
  const isZone = said.description === DEFINITIONS.TimeZone?.description;
  const values = isZone ? Intl.supportedValuesOf('timeZone') : (said.enum ?? [said.const]);
  return values.flatMap((value) =>
    value === undefined ? [] : [{ word: String(value), written: String(value) }],
  );
}
