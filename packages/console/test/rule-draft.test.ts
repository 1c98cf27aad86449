import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { StoredRule } from '../../client/src/index.ts';
import type { RuleDraft } from '../src/screens/rules/draft.ts';
import { draftOf, readDraft, scaleOf } from '../src/screens/rules/draft.ts';
import { placeOf } from '../src/screens/rules/mistake-place.ts';
import { wordsAt } from '../src/screens/rules/schema-words.ts';
import { valueIn } from '../src/ui/value.ts';

const FILE = join(import.meta.dirname, '..', '..', '..', 'examples', 'rules.yaml');
const { rules: EXAMPLES } = parse(readFileSync(FILE, 'utf8')) as {
  readonly rules: readonly StoredRule[]; // as its own tests say
};

const DAY = { unit: 'day', timeZone: 'Asia/Shanghai' } as const;
const PLAIN = { id: 'r', per: ['user'], currency: 'CNY', window: DAY, max: { amount: 1 } } as const;

/** Rules that can be written in another way than the shortest. */
const RULES: readonly StoredRule[] = [
  ...EXAMPLES,
  { ...PLAIN, title: 'one text' },
  { ...PLAIN, title: { en: 'a', zh: 'b', 'zh-Hant': 'c' } },
  { ...PLAIN, mode: 'enforce', refunds: { amount: true } },
  { ...PLAIN, refunds: { count: false } },
  { ...PLAIN, match: { type: ['A', 'B'], verified: false, level: 3, code: '3', quoted: '"x", y' } },
  { ...PLAIN, counts: { type: 'A', not: { channel: ['app', 'web'] } } },
  { ...PLAIN, counts: { not: { type: 'A' } }, appliesTo: { tier: 'gold', not: { type: 'B' } } },
  { ...PLAIN, max: { amount: { by: 'tier', gold: 500, silver: 0, else: 200 }, count: 3 } },
  { ...PLAIN, max: { count: { by: 'type', A: 5, else: 0 } } },
  { ...PLAIN, currency: undefined, max: { distinct: { card: 3 } } },
  { ...PLAIN, match: { verified: false }, require: ['verified', 'card'] },
  { ...PLAIN, window: 'transaction', min: { amount: 1, count: 2 } },
  { ...PLAIN, window: { unit: 'week', timeZone: 'UTC', weekStart: 'sunday', dayStart: '23:00' } },
  { ...PLAIN, window: { unit: 'month', timeZone: 'UTC', monthDay: 31, every: 2 } },
  { ...PLAIN, window: { rolling: 'PT24H', step: 'exact' }, max: { count: 3 } },
  {
    ...PLAIN,
    window: { unit: 'day', timeZone: 'UTC', closed: { days: 'sunday', dates: ['2026-12-25'] } },
  },
  { ...PLAIN, window: { since: { attribute: 'registeredAt' }, for: 'PT24H' } },
  { ...PLAIN, window: { unit: 'day', timeZone: 'UTC', since: { attribute: 'addedAt' } } },
  { ...PLAIN, from: '2026-01-01T00:00:00+08:00', to: '2027-01-01T00:00:00+08:00' },
  { ...PLAIN, onExceed: 'notify' },
  { ...PLAIN, onExceed: 'refuse' },
  { ...PLAIN, onExceed: { challenge: 'sca' } },
  { ...PLAIN, counts: { type: 'IN' }, minus: { type: ['OUT', 'FEE'], not: { channel: 'pos' } } },
  { ...PLAIN, outcome: 'confirmed' },
  { ...PLAIN, max: { count: 3 }, outcome: 'rolledBack', reasonCodes: ['wrong-pin', 'no-funds'] },
  { ...PLAIN, max: { count: 3 }, outcome: 'ended' },
  { ...PLAIN, max: { count: 3 }, outcome: 'expired' },
  { ...PLAIN, max: { count: 3 }, outcome: ['rolledBack', 'expired'], reasonCodes: ['wrong-pin'] },
  { ...PLAIN, when: { hours: '20:00-06:00', days: ['saturday', 'sunday'] } },
  { ...PLAIN, window: 'lifetime', when: { dates: ['2026-11-11'], timeZone: 'Asia/Shanghai' } },
  { id: 'r', per: ['user', 'merchant'], window: 'lifetime', max: { count: 0 } },
  { ...PLAIN, currency: 'JPY', max: { amount: 500 } },
  { ...PLAIN, currency: 'KWD', max: { amount: 1_234_567 } },
  { ...PLAIN, currency: 'USDT', digits: 6, max: { amount: 1_234_567 } },
  { ...PLAIN, currency: 'HUF', max: { amount: 125_000 } },
  { ...PLAIN, currency: 'POINTS', max: { amount: 1_000_000_000_000_000 } },
];

const sayName = (mistake: string): string => mistake;

describe('the form of a rule that nobody changed', () => {
  it.each(RULES.map((rule) => ({ rule, says: JSON.stringify(rule) })))(
    'says the very rule: $says',
    ({ rule }) => {
      const { rule: said, mistakes } = readDraft(draftOf(rule), rule, sayName);
      expect({ id: rule.id, ...said }).toEqual(rule);
      expect(mistakes).toEqual([]);
    },
  );

  it('has a plain maximum, the titles, the mode and the dates in fields, and the rest as YAML', () => {
    const from = '2026-01-01T00:00:00+08:00';
    const title = { en: 'A day', zh: '单日', 'zh-Hant': '單日' };
    const max = { amount: 5_000_050, count: { by: 'tier', gold: 9, else: 3 } };
    expect(draftOf({ ...PLAIN, title, mode: 'shadow', from, max })).toEqual({
      ...{ id: 'r', titleEn: 'A day', titleZh: '单日', amount: 50_000.5, count: Number.NaN },
      ...{ mode: 'shadow', from, to: '', reason: '', beginAnew: false },
      rest: [
        ...['title:', '  zh-Hant: 單日', 'per:', '  - user', 'currency: CNY', 'window:'],
        ...['  unit: day', '  timeZone: Asia/Shanghai', 'max:', '  count:', '    by: tier'],
        ...['    gold: 9', '    else: 3', ''],
      ].join('\n'),
    });
  });
});

const BASE = 'per: [user]\ncurrency: CNY\nwindow: { unit: day, timeZone: UTC }\n';
const typed = (change: Partial<RuleDraft>, stored?: StoredRule) =>
  readDraft({ ...draftOf(stored), id: 'r', rest: BASE, amount: 1, ...change }, stored, sayName);

describe('what is typed', () => {
  const base = { per: ['user'], currency: 'CNY', window: { unit: 'day', timeZone: 'UTC' } };
  it.each([
    { change: { amount: 1_200.5 }, has: { max: { amount: 120_050 } } },
    { change: { amount: Number.NaN, count: 3 }, has: { max: { count: 3 } } },
    {
      change: { rest: BASE.replace('CNY', 'JPY'), amount: 1_200 },
      has: { currency: 'JPY', max: { amount: 1_200 } },
      why: 'yen have no digits after the point',
    },
    {
      change: { rest: BASE.replace('CNY', 'USDT\ndigits: 6'), amount: 80.5 },
      has: { currency: 'USDT', digits: 6, max: { amount: 80_500_000 } },
    },
    {
      change: { rest: `${BASE}max: { count: { by: tier, gold: 5, else: 1 } }`, amount: 2 },
      has: { max: { amount: 200, count: { by: 'tier', gold: 5, else: 1 } } },
      why: 'a maximum by attribute joins the field',
    },
    {
      change: { rest: `${BASE}title: { fr: Jour }`, titleEn: 'Day' },
      has: { title: { en: 'Day', fr: 'Jour' } },
    },
    {
      change: { rest: `${BASE}match: { code: "3", level: 3, open: no }` },
      has: { match: { code: '3', level: 3, open: 'no' } },
      why: 'YAML 1.2 knows no other words for true and false',
    },
    {
      change: { mode: 'enforce' as const },
      has: { mode: 'enforce' },
      stored: { ...PLAIN, mode: 'draft' as const },
    },
    {
      change: { mode: 'enforce' as const },
      has: {},
      stored: PLAIN,
      why: 'it is in force without a word',
    },
    { change: { from: ' 2026-01-01T00:00:00Z ' }, has: { from: '2026-01-01T00:00:00Z' } },
  ])('$change is $has', ({ change, has, stored }) => {
    const mode = stored === undefined ? { mode: 'draft' } : {};
    expect(typed(change, stored)).toMatchObject({
      rule: { ...base, ...mode, max: { amount: 100 }, ...has },
      mistakes: [],
    });
    expect(typed(change, stored).rule).toEqual({ ...base, ...mode, max: { amount: 100 }, ...has });
  });

  it.each([
    { text: 'gold', is: 'gold' },
    { text: ' 3 ', is: 3 },
    { text: '"3"', is: '3' },
    { text: 'true', is: true },
    { text: '"', is: '"' },
  ])('$text is the value $is of an attribute', ({ text, is }) => {
    expect(valueIn(text)).toBe(is);
  });
});

describe('a mistake', () => {
  const placed = (change: Partial<RuleDraft>) => {
    const { mistakes, document } = typed(change);
    const { rest = BASE } = change;
    return mistakes.map((mistake) => {
      const place = placeOf(mistake, document);
      const at = 'field' in place ? `field ${place.field}` : rest.slice(place.from, place.to);
      return `${mistake.path} at ${at}`;
    });
  };
  it.each([
    { change: { id: 'A' }, is: ['rule.id at field id'] },
    { change: { titleEn: 'x'.repeat(300) }, is: ['rule.title at field titleEn'] },
    { change: { amount: Number.NaN }, is: ['rule.max at field amount'] },
    { change: { count: 1.5 }, is: ['rule.max.count at field count'] },
    { change: { from: 'soon' }, is: ['rule.from at field from'] },
    { change: { rest: BASE.replace('UTC', 'Mars') }, is: ['rule.window.timeZone at Mars'] },
    { change: { rest: `${BASE}require: [a, 3]` }, is: ['rule.require[1] at 3'] },
    { change: { rest: `${BASE}strange: 1` }, is: ['rule.strange at 1'] },
    {
      change: { rest: BASE.replace(', timeZone: UTC', '') },
      is: ['rule.window.timeZone at window'],
    },
    {
      change: { rest: 'per: [user]\ncurrency: CNY' },
      is: ['rule.window at '],
      why: 'nothing there has it',
    },
    { change: { rest: `${BASE}match: { "a b": 1 }` }, is: ['rule.match["a b"] at 1'] },
    {
      change: { rest: `${BASE}max: { count: { by: tier, else: -1 } }` },
      is: ['rule.max.count.else at -1'],
    },
    {
      change: { rest: `${BASE}mode: shadow` },
      is: ['rule.mode at shadow'],
      why: 'its field says draft',
    },
    { change: { rest: `${BASE}max: { amount: 5 }` }, is: ['rule.max.amount at 5'] },
    {
      change: { rest: `${BASE}max: { amount: { by: tier, gold: 5, else: 3 } }` },
      is: ['rule.max.amount at amount'],
      why: 'its field has a maximum, which would be the one that is saved',
    },
    {
      change: { rest: `${BASE}title: Day` },
      is: ['rule.title at Day'],
    },
    {
      change: { rest: `${BASE}title: { en: { a: b } }`, titleEn: 'Day' },
      is: ['rule.title.en at en'],
    },
    { change: { rest: 'per: [user]\ncurrency: *nobody' }, is: [' at *nobody'] },
    { change: { rest: 'per: &itself [*itself]\nwindow: lifetime' }, is: [' at *itself'] },
    {
      change: { rest: `a: &a [x]\nb: [${'*a, '.repeat(101)}]` },
      is: [' at *a'],
      why: 'a few parts could become millions',
    },
    { change: { rest: '- user' }, is: [' at '] },
    { change: { rest: 'per: [user' }, is: [' at '] },
    { change: { rest: 'per: [user]\nper: [card]' }, is: [' at p'] },
  ])('in $change is shown where it is: $is', ({ change, is }) => {
    expect(placed(change)).toEqual(is);
  });

  it('of an alias says what may be repeated, and of a second maximum that it is one', () => {
    const saidOf = (rest: string) => typed({ rest }).mistakes.map(({ expected }) => expected);
    expect(saidOf('per: [*nobody]')).toEqual(['badAlias']);
    expect(saidOf(`${BASE}max: { amount: { by: tier, else: 3 } }`)).toEqual(['twoMaxima']);
  });

  it('leaves what the YAML says of the currency, by an alias too, and while it is typed', () => {
    const scaled = (rest: string) => scaleOf(typed({ rest }).rest);
    expect(scaled('match: { c: &c KWD }\ncurrency: *c\n')).toBe(3);
    expect(scaled('currency: KWD\nwindow: { unit: ')).toBe(3);
  });

  it('is none of a draft in which all is right, whose meaning is known then', () => {
    expect(typed({}).read).toMatchObject({ id: 'r', per: ['user'] });
    expect(typed({ id: '' }).read).toBeUndefined();
  });

  it.each(['reason', 'id'])('of the request, about its %s, stands at that field', (path) => {
    const { document } = typed({});
    expect(placeOf({ path, expected: 'otherwise' }, document)).toEqual({ field: path });
  });
});

describe('words that are offered', () => {
  const offered = (marked: string) => {
    const { typed: begun, words } = wordsAt(marked.replace('|', ''), marked.indexOf('|'));
    return { begun, words: words.map(({ word }) => word) };
  };
  const UNITS = ['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'];
  it.each([
    {
      at: 'per: [user]\nwin|',
      begun: 'win',
      has: ['window', 'currency'],
      not: ['per', 'mode', 'id'],
    },
    { at: 'window:\n  un|', begun: 'un', has: ['unit', 'rolling', 'since'], not: ['per'] },
    {
      at: 'window:\n  unit: day\n  |',
      begun: '',
      has: ['timeZone', 'every'],
      not: ['unit', 'rolling'],
    },
    { at: 'window:\n  |\n  unit: day', begun: '', has: ['timeZone'], not: ['unit', 'rolling'] },
    { at: 'window:\n  unit: |', begun: '', has: UNITS, not: ['monday'] },
    { at: 'window: { unit: day, ti|', begun: 'ti', has: ['timeZone'], not: ['unit', 'rolling'] },
    { at: 'window: { unit: d|', begun: 'd', has: UNITS, not: [] },
    {
      at: 'window: { unit: day, timeZone: Asia/Sh|',
      begun: 'Asia/Sh',
      has: ['Asia/Shanghai'],
      not: [],
    },
    { at: 'window: |', begun: '', has: ['lifetime', 'transaction'], not: ['unit'] },
    { at: 'window: { unit: day }\n|', begun: '', has: ['match'], not: ['window', 'unit'] },
    { at: 'when:\n  days:\n    - sat|', begun: 'sat', has: ['saturday'], not: [] },
    { at: 'when:\n  days:\n  - sat|', begun: 'sat', has: ['saturday'], not: [] },
    { at: 'when:\n  days: [saturday, su|', begun: 'su', has: ['sunday'], not: ['hours'] },
    { at: 'onExceed: |', begun: '', has: ['refuse', 'notify'], not: [] },
    { at: 'counts:\n  not:\n    ty|', begun: 'ty', has: ['type'], not: ['not'] },
    { at: 'strange:\n  |', begun: '', has: [], not: ['per'] },
  ])('at $at are $has', ({ at, begun, has, not }) => {
    const { begun: typedThere, words } = offered(at);
    expect(typedThere).toBe(begun);
    expect(words).toEqual(expect.arrayContaining(has));
    expect(words.filter((word) => (not as readonly string[]).includes(word))).toEqual([]);
  });

  it('say what they mean, and open what they have inside', () => {
    const { words } = wordsAt('', 0);
    expect(words.find(({ word }) => word === 'currency')).toMatchObject({
      written: 'currency: ',
      help: 'The currency of the amounts. Required if the rule limits amounts.',
    });
    expect(words.find(({ word }) => word === 'when')?.written).toBe('when:\n  ');
    expect(words.filter(({ isRequired }) => isRequired).map(({ word }) => word)).toEqual([
      'per',
      'window',
    ]);
  });
});
