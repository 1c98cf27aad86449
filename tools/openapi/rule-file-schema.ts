import { DIGITS_MAX, EXACT_COUNT_MAX, RULES_MAX } from '../../lib/shared/bounds.ts';
import type { JsonObject } from './json.ts';
import { referenceTo } from '../../lib/schema/said.ts';
import { CALENDAR_UNITS } from '../../lib/rule/calendar.ts';
import { UNITS_OF } from '../../lib/rule/windows/calendar.ts';
import './operations.ts'; // registers every component
import { components } from './schemas.ts';

/** A rule file as JSON Schema, for editors. */

const ALWAYS: JsonObject = {};
const needs = (...names: readonly string[]): JsonObject => ({ required: names });
const where = (name: string, schema: JsonObject): JsonObject => ({
  type: 'object',
  ...needs(name),
  properties: { [name]: schema },
});
const none = (...names: readonly string[]): JsonObject => ({
  properties: Object.fromEntries(names.map((name) => [name, false])),
});
const both = (...all: readonly JsonObject[]): JsonObject => ({ allOf: all });
const not = (one: JsonObject): JsonObject => ({ not: one });
const either = (...all: readonly JsonObject[]): JsonObject => ({ anyOf: all });

const SINGLE = where('window', { const: 'transaction' });
const EXACT = where('window', where('step', { const: 'exact' }));
const LENIENT = both(needs('onExceed'), not(where('onExceed', { const: 'refuse' })));
const AMOUNTS = either(where('max', needs('amount')), where('min', needs('amount')));
const COUNT = { type: 'integer', minimum: 1, maximum: EXACT_COUNT_MAX };

/** Conditions between fields: a field is needed, or left out, depending on others. */
const BETWEEN: readonly (readonly [so: JsonObject, then: JsonObject, otherwise: JsonObject])[] = [
  [SINGLE, either(needs('max'), needs('min')), both(needs('max'), none('min'))],
  [SINGLE, none('counts', 'refunds'), ALWAYS],
  [EXACT, both(where('max', where('count', COUNT)), none('appliesTo')), ALWAYS],
  [
    where('max', needs('distinct')),
    both(
      where('max', none('amount', 'count')),
      none('currency'),
      not(SINGLE),
      not(where('window', { type: 'object', ...needs('rolling') })),
    ),
    ALWAYS,
  ],
  [AMOUNTS, needs('currency'), ALWAYS],
  [LENIENT, both(needs('max'), none('min'), not(EXACT)), ALWAYS],
  [where('onExceed', { const: 'notify' }), not(where('mode', { const: 'shadow' })), ALWAYS],
  [needs('currency'), ALWAYS, both({ properties: { refunds: none('amount') } }, none('digits'))],
  [needs('match'), none('counts', 'appliesTo'), ALWAYS],
  [needs('when'), where('when', either(needs('hours'), needs('days'), needs('dates'))), ALWAYS],
  [
    where('window', { type: 'object', ...needs('closed') }),
    where(
      'window',
      both(none('every', 'since'), where('closed', either(needs('days'), needs('dates')))),
    ),
    ALWAYS,
  ],
  [
    where('window', { type: 'object', ...needs('unit', 'since') }),
    where('window', none('weekStart', 'monthDay')),
    ALWAYS,
  ],
  ...Object.entries(UNITS_OF).map(([field, units]) => {
    const others = CALENDAR_UNITS.filter((unit) => !units.includes(unit));
    const isOther = where('window', where('unit', { enum: others }));
    return [isOther, { properties: { window: none(field) } }, ALWAYS] as const;
  }),
];

/** Each rule of a file. */
const ITEM: JsonObject = {
  allOf: [
    referenceTo('Rule'),
    needs('id'),
    ...BETWEEN.map(([so, then, otherwise]) => ({
      if: so,
      ...(then === ALWAYS ? {} : { then }),
      ...(otherwise === ALWAYS ? {} : { else: otherwise }),
    })),
  ],
};

const REFERENCE = /"#\/components\/schemas\/(\w+)"/g;

/** A component and all that it refers to, by their names. @throws Error where one is not there */
function definitionsOf(id: string, all: JsonObject, known: JsonObject = {}): JsonObject {
  if (Object.hasOwn(known, id)) return known;
  const { [id]: definition } = all;
  if (definition === undefined) throw new Error(`there is no component ${id}`);
  const named = JSON.stringify(definition).matchAll(REFERENCE);
  const begun: JsonObject = { ...known, [id]: definition };
  return [...named].reduce((found, [, other = '']) => definitionsOf(other, all, found), begun);
}

/** A rule file in draft 7, which every editor reads. The reader alone refuses what no schema can express. */
export function ruleFileSchema(): JsonObject {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Rules of Headroom',
    type: 'object',
    properties: {
      currencies: {
        type: 'object',
        description:
          'The digits after the point of currencies for which ISO 4217 has none, such as { USDT: { digits: 6 } }. A rule must name each.',
        propertyNames: { pattern: '^[A-Z0-9]{3,12}$' },
        additionalProperties: {
          type: 'object',
          properties: { digits: { type: 'integer', minimum: 0, maximum: DIGITS_MAX } },
          ...needs('digits'),
          additionalProperties: false,
        },
      },
      pack: {
        type: 'object',
        description: 'Where the rules come from. Headroom does not store it.',
      },
      rules: {
        type: 'array',
        description: `The limits, at most ${RULES_MAX}.`,
        items: ITEM,
        maxItems: RULES_MAX,
      },
    },
    required: ['rules'],
    additionalProperties: false,
    definitions: definitionsOf('Rule', components()),
  };
  const text = JSON.stringify(schema).replace(REFERENCE, '"#/definitions/$1"');
  return JSON.parse(text) as JsonObject; // as it was written
}
