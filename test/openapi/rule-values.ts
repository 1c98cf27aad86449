/** Values of each field of a rule, right and wrong ones, each for a rule that is right but for it. */

const DAY = { unit: 'day', timeZone: 'Asia/Shanghai' };
/** A rule that is right. */
export const BASE = {
  per: ['user'],
  currency: 'CNY',
  window: DAY,
  max: { amount: 5_000, count: 20 },
};
/** Values for rules of single transactions. */
export const SINGLE = { ...BASE, window: 'transaction' };
const { currency: _, ...COUNTED } = BASE;

const many = (count: number, make: (index: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, index) => make(index));
const named = (count: number, value: unknown): object =>
  Object.fromEntries(many(count, (index) => `name${index}`).map((name) => [name, value]));

const WHOLE = [0, 1, 10 ** 15, 10 ** 15 + 1, -1, 1.5, '1', true, null, []];
const TEXTS = ['x', '', 'x'.repeat(256), 'x'.repeat(257), 'a\0', 'a\uFFFD', 7];
// prettier-ignore
const INSTANTS = [
  '2026-03-02T00:00:00+08:00', '2026-03-02T00:00:00.5Z', '2026-03-02T00:00:00.123456Z',
  '2026-03-02', '2026-02-30T00:00:00Z', '1969-12-31T23:59:59Z', '9999-01-01T00:00:00Z', 0, null,
];
const LENGTHS = ['PT1S', 'PT24H', 'P1D', 'PT1.5S', 'P1W1D', 'P1Y', 'P1M', 'a day', '', 60, null];
// prettier-ignore
const MATCHED: readonly unknown[] = [
  {}, { type: 'PAYMENT' }, { type: ['A', 'B'] }, { user: 'u-1' }, { channel: ['app', 7, true] },
  { vip: true }, { level: -3 }, { level: 2 ** 53 }, { level: 1.5 }, { level: null }, { x: {} },
  { type: 7 }, { type: true }, { type: ['A', 7] }, { type: '' }, { type: [] }, { x: [] },
  { x: [[]] }, { x: 'x'.repeat(257) }, { currency: 'CNY' }, { constructor: 'x' }, { User: 'x' },
  { x: many(100, String) }, { x: many(101, String) }, named(50, 'x'), named(51, 'x'),
  { ['x'.repeat(64)]: 1 }, { ['x'.repeat(65)]: 1 }, 'PAYMENT', ['PAYMENT'], null, true,
];
const SCOPED: readonly unknown[] = [
  ...MATCHED,
  ...MATCHED.map((not) => ({ not })),
  { type: 'PAYMENT', not: { channel: 'app' } },
  { ...named(50, 'x'), not: { y: 1 } },
];
// prettier-ignore
const BY: readonly unknown[] = [
  { by: 'level', else: 1 }, { by: 'level', else: 1, gold: 5, '': 2 }, { by: 'type', else: 0 },
  { by: 'user', else: 1 }, { by: 'level' }, { else: 1 }, { by: 7, else: 1 }, { by: '', else: 1 },
  { by: 'currency', else: 1 }, { by: 'Level', else: 1 }, { by: 'toString', else: 1 },
  { by: 'level', else: -1 }, { by: 'level', else: 1, gold: 1.5 }, { by: 'level', else: null },
  { by: 'level', else: 1, ...named(100, 5) }, { by: 'level', else: 1, ...named(101, 5) }, {},
];

/** What is tried of each field, and in which rule. */
// prettier-ignore
export const FIELDS: readonly (readonly [name: string, rule: object, values: readonly unknown[]])[] = [
  ['per', BASE, [
    ['user'], ['user', 'merchant'], [], ['user', 'user'], ['User'], ['type'], ['constructor'],
    many(10, (at) => `kind${at}`), many(11, (at) => `kind${at}`), 'user', [7], null, [[]],
  ]],
  ['title', BASE, [
    ...TEXTS, {}, { en: 'Daily', zh: '单日' }, { 'zh-Hant': 'x' }, { en: '' }, { en: 7 }, { e: 'x' }, { en_US: 'x' },
    { ['en' + '-abcdefgh'.repeat(3)]: 'x' }, { ['en' + '-abcdefgh'.repeat(4)]: 'x' }, null, ['x'],
    ...[many(20, String), many(21, String)].map((each) => Object.fromEntries(each.map((at) => [`en-${at}`, 'x']))),
  ]],
  ['currency', BASE, ['CNY', 'USD', 'POINTS2', 'cny', 'CN', 'A'.repeat(12), 'A'.repeat(13), '', 7]],
  ['digits', { ...BASE, currency: 'USDT' }, [0, 6, 12, 13, -1, 1.5, '6', null]],
  ['match', BASE, MATCHED],
  ['counts', BASE, SCOPED],
  ['appliesTo', BASE, SCOPED],
  ['require', BASE, [
    ['channel'], ['type', 'card', 'vip'], [], ['a', 'a'], ['currency'], ['constructor'], ['Vip'], ['a.b'], [7], [null], 'vip', null, {},
    many(50, (at) => `name${at}`), many(51, (at) => `name${at}`), ['x'.repeat(64)], ['x'.repeat(65)],
  ]],
  ['window', BASE, [
    'transaction', 'lifetime', 'day', '', null, {}, [], DAY, { unit: 'day' }, { timeZone: 'UTC' },
    ...['minute', 'hour', 'week', 'month', 'quarter', 'year', 'decade', 7].map((unit) => ({ ...DAY, unit })),
    ...[1, 366, 367, 0, 1.5, '2'].map((every) => ({ ...DAY, every })),
    ...['UTC', 'Etc/GMT+8', '+08:00', '', 7].map((timeZone) => ({ ...DAY, timeZone })),
    ...['00:00', '23:59', '24:00', '4:00', '04:00:00', 4].map((dayStart) => ({ ...DAY, dayStart })),
    ...['monday', 'Monday', 'mon', 1].map((weekStart) => ({ ...DAY, unit: 'week', weekStart })),
    ...[1, 31, 0, 32, '1'].map((monthDay) => ({ ...DAY, unit: 'month', monthDay })),
    ...LENGTHS.map((rolling) => ({ rolling })),
    ...['PT30M', 'P1D', 'a while', '', 5, null].map((step) => ({ rolling: 'P1D', step })),
    ...[{ days: 'sunday' }, { days: [] }, { dates: '2026-12-25' }, { dates: ['2026-12-25', '2026-12-25'] }, { days: 'sunday', colour: 'red' }, 'sunday', null].map((closed) => ({ ...DAY, closed })),
    { ...DAY, since: { attribute: 'joined' } },
    ...['joined', {}, { attribute: '' }, { attribute: 'joined', colour: 'red' }, null].map((since) => ({ since, for: 'P1D' })),
    { for: 'P1D' }, { since: { attribute: 'joined' } }, { since: { attribute: 'joined' }, for: 'a while' },
    { ...DAY, colour: 'red' }, { rolling: 'P1D', colour: 'red' }, { ...DAY, rolling: 'P1D' },
  ]],
  ['min', SINGLE, [
    {}, { amount: 1 }, { count: 1 }, { amount: 0, count: 0 }, { sum: 1 }, null, 7,
    ...[1.5, -1, '1', null].map((count) => ({ count })), // at most the maximum, in words
  ]],
  ['max', BASE, [{}, { amount: 1 }, { count: 1 }, { amount: 0, count: 0 }, { sum: 1 }, null, 7, [], ...[...WHOLE, ...BY].flatMap((each) => [{ amount: each }, { count: each }])]],
  ['max', COUNTED, [{ distinct: { card: 3 } }, { distinct: { type: 1 } }, { distinct: { merchant: 100 } }, ...[{}, { card: 0 }, { card: 101 }, { card: 1.5 }, { card: '3' }, { card: { by: 'tier', else: 3 } }, { card: 1, device: 1 }, { 'a b': 1 }, { proof: 1 }, 3, null, []].map((distinct) => ({ distinct }))]],
  ['outcome', { ...COUNTED, max: { count: 3 } }, [
    'confirmed', 'rolledBack', 'expired', 'ended', 'failed', '', 7, null, {}, [], ['expired'], ['rolledBack', 'confirmed', 'expired'],
    ['expired', 'expired'], ['ended'], ['expired', 'ended'], [null],
  ]],
  ['mode', BASE, ['draft', 'shadow', 'enforce', 'retired', 'Draft', '', null]],
  ['refunds', BASE, [{}, { amount: true }, { amount: false, count: true }, { amount: 1 }, { sum: true }, null, true]],
  ['from', BASE, INSTANTS],
  ['to', BASE, INSTANTS],
  ['id', BASE, ['rule', 'Rule', '', 'a'.repeat(65), 7, null]],
  ['colour', BASE, ['red']],
];
