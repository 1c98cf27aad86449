import { describe, expect, it } from 'vitest';
import { OUTCOMES_DEFAULT } from '../../lib/domain/bounds.ts';
import type { PlainUpdate } from '../../lib/pipeline/plain-update.ts';
import type { HoldOrder } from '../../lib/store/counter-store.ts';
import { plainHold } from '../../lib/store/plain-hold.ts';
import { plainSettlement } from '../../lib/store/plain-settlement.ts';
import {
  COUNT_COUNTER,
  DAY_COUNTER,
  ESTIMATE,
  ORDER,
  ROLLING_COUNTER,
  SECOND,
  holdAsk,
  homeAsk,
  shareAsk,
} from '../support/statement-asks.ts';

/** What a request may say at its worst: texts that would be expressions, fields or operators. */
const HOSTILE: HoldOrder = {
  ...ORDER,
  id: '$$ROOT',
  nonce: '$where',
  digest: '$function',
  others: ['$expr', 'a.b'],
};
const HOSTILE_SHARE: HoldOrder = { ...SECOND, id: '$holds', nonce: 'x.$[]', home: '$set' };
const DOCUMENT = '$merge';
const TEXTS = [
  ...['$$ROOT', '$where', '$function', '$expr', 'a.b', '$holds', 'x.$[]', '$set', '$merge'],
];

const { reserved: ofHome } = homeAsk();
const { reserved: ofShare } = shareAsk();

const STATEMENTS: Readonly<Record<string, PlainUpdate | undefined>> = {
  check: hold([HOSTILE]),
  'check of many': hold([HOSTILE, { ...HOSTILE, id: '$each' }]),
  capture: hold([{ ...HOSTILE, capture: true }]),
  share: hold([HOSTILE_SHARE]),
  'check at home': plainHold(DOCUMENT, { ...holdAsk([HOSTILE]), rememberedBefore: 3 }, 64)?.update,
  confirm: settled({ id: '$$ROOT', nonce: '$where', others: ['$expr'] }),
  rollback: settled({ id: '$$ROOT', nonce: '$where', to: 'rolledBack' }),
  'confirm of a share': plainSettlement(
    DOCUMENT,
    [
      {
        ...shareAsk({ id: '$holds', nonce: 'x.$[]' }),
        ...(ofShare === undefined ? {} : { reserved: { ...ofShare, home: '$set' } }),
      },
    ],
    OUTCOMES_DEFAULT,
    ESTIMATE,
  )?.update,
};

function hold(orders: readonly HoldOrder[]): PlainUpdate | undefined {
  const counters = [DAY_COUNTER, COUNT_COUNTER, ROLLING_COUNTER];
  return plainHold(DOCUMENT, holdAsk(orders, counters), OUTCOMES_DEFAULT)?.update;
}

function settled({
  id,
  nonce,
  others,
  to = 'confirmed',
}: {
  readonly id: string;
  readonly nonce: string;
  readonly others?: readonly string[];
  readonly to?: 'confirmed' | 'rolledBack';
}): PlainUpdate | undefined {
  if (ofHome === undefined) throw new Error('the ask has a reservation');
  const reserved = { ...ofHome, nonce, ...(others === undefined ? {} : { others }) };
  const asks = ['', '2'].map((more) => ({ id: `${id}${more}`, to, reserved }));
  return plainSettlement(DOCUMENT, asks, OUTCOMES_DEFAULT, ESTIMATE)?.update;
}

const QUERY = ['$nin', '$not', '$lte', '$gte', '$lt', '$gt', '$exists', '$elemMatch', '$and'];
const UPDATE = ['$inc', '$push', '$each', '$slice', '$pull', '$in', '$max'];
const EXPRESSION = [
  ...['$and', '$not', '$lt', '$lte', '$gte', '$sum', '$map', '$filter', '$objectToArray'],
  '$ifNull',
];

/** A bucket's name, or how the names of a counter begin or end. */
const NAME = /^[a-z-]+(~[acn]{1,3})?( \d+( \d+)?|!)$/;
const FIELDS = new Set(['$$NOW', '$buckets', '$$this.k', '$$this.v.amount', '$$this.v.count']);
/** A field of the stored document, by name or below a bucket that its own rules name. */
const PATH =
  /^(_id|seen|terms(\.version)?|untidied|remembered|expireAt|settled(\.id)?|holds(\.(id|until|\d+))?|id|is|nonce|digest|amount|count|until|buckets|others|home|buckets\.[a-z-]+(~[acn]{1,3})? \d+ \d+(\.(amount|count|heldAmount|heldCount))?)$/;

/** Every key in a value, and every value that is no object. */
function contentsOf(value: unknown): {
  readonly keys: readonly string[];
  readonly values: readonly unknown[];
} {
  if (typeof value !== 'object' || value === null || value instanceof Date)
    return { keys: [], values: [value] };
  const inner = Object.values(value).map(contentsOf); // its values are looked at below
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return {
    keys: [...own, ...inner.flatMap(({ keys }) => keys)],
    values: inner.flatMap(({ values }) => values),
  };
}

function operatorsIn(value: unknown): ReadonlySet<string> {
  return new Set(contentsOf(value).keys.filter((key) => key.startsWith('$')));
}

describe.each(Object.entries(STATEMENTS))('the plain statement of a %s', (_name, built) => {
  if (built === undefined) throw new Error('the plain lane has a statement for it');
  const { $expr, ...filter } = built.filter;

  it('filters and updates by the operators that are meant, and no others', () => {
    for (const operator of operatorsIn(filter)) expect(QUERY).toContain(operator);
    for (const operator of operatorsIn(built.update)) expect(UPDATE).toContain(operator);
    expect(operatorsIn(filter).size).toBeGreaterThan(1);
    expect(operatorsIn(built.update).size).toBeGreaterThan(1);
    expect(Array.isArray(built.update)).toBe(false); // a pipeline would take texts for expressions
    expect(operatorsIn(built.projection).size).toBe(0);
  });

  it('names fields of the document alone, and buckets', () => {
    const { keys } = contentsOf([filter, built.update, built.projection]);
    const fields = keys.filter((key) => !key.startsWith('$'));
    expect(fields.filter((field) => !PATH.test(field))).toEqual([]);
  });

  it('has in its expression nothing of the request but instants, numbers and names', () => {
    for (const operator of operatorsIn($expr)) expect(EXPRESSION).toContain(operator);
    const { keys, values } = contentsOf($expr);
    const plain = keys.filter((key) => !key.startsWith('$'));
    expect(plain.filter((key) => key !== 'input' && key !== 'cond' && key !== 'in')).toEqual([]);
    const texts = values.filter((value) => typeof value === 'string');
    expect(texts.filter((text) => !FIELDS.has(text) && !NAME.test(text))).toEqual([]);
    expect(texts).toContain('$$NOW');
    for (const text of TEXTS) expect(texts).not.toContain(text);
  });

  it('has the texts of the request as values', () => {
    const { values } = contentsOf([filter, built.update]);
    expect(TEXTS.filter((text) => values.includes(text)).length).toBeGreaterThan(1);
  });
});
