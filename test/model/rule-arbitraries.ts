/** Random rule sets for fast-check, with maxima so tight that refusals are frequent. */
import fc from 'fast-check';
import type {
  ModelBound,
  ModelCalendarWindow,
  ModelMatch,
  ModelOnExceed,
  ModelRollingWindow,
  ModelRule,
  ModelSinceWindow,
  ModelTimes,
  ModelWeekday,
  ModelWindow,
} from './model-types.ts';

const HOUR_MS = 3_600_000;

/** Where walks begin: shortly before something happens to the clocks or the calendar of a zone. */
export const SEASONS = [
  { zone: 'Asia/Shanghai', startsAt: '2025-12-31T20:00:00+08:00' }, // year, quarter, month
  { zone: 'Asia/Shanghai', startsAt: '2024-02-28T20:00:00+08:00' }, // leap day
  { zone: 'Asia/Shanghai', startsAt: '2026-01-30T12:00:00+08:00' }, // anchor 31
  { zone: 'America/New_York', startsAt: '2026-03-07T22:00:00-05:00' }, // 23 hours
  { zone: 'America/New_York', startsAt: '2026-10-31T22:00:00-04:00' }, // 25 hours
  { zone: 'Australia/Lord_Howe', startsAt: '2026-04-04T22:00:00+11:00' }, // back by 30 minutes
  { zone: 'Australia/Lord_Howe', startsAt: '2026-10-03T22:00:00+10:30' }, // forward by 30 minutes
  { zone: 'America/Sao_Paulo', startsAt: '2018-11-03T20:00:00-03:00' }, // no midnight
  { zone: 'America/Sao_Paulo', startsAt: '2018-02-17T20:00:00-02:00' }, // 23:00 twice
] as const;

export type Season = (typeof SEASONS)[number];

const ROLLING: readonly ModelRollingWindow[] = [
  { rollingMs: 60_000, stepMs: 5_000 },
  { rollingMs: 10_000, stepMs: 3_000 },
  { rollingMs: HOUR_MS, stepMs: 75_000 },
  { rollingMs: 24 * HOUR_MS, stepMs: HOUR_MS / 2 },
  { rollingMs: 7 * 24 * HOUR_MS, stepMs: 7 * HOUR_MS },
];

const EXACT: readonly ModelRollingWindow[] = [
  { rollingMs: 3_000, stepMs: 'exact' },
  { rollingMs: HOUR_MS, stepMs: 'exact' },
];

/** A window of days or longer has a day start; the rest of the fields belong to one unit each. */
function calendarArbitrary(season: Season): fc.Arbitrary<ModelCalendarWindow> {
  const timeZone = fc.oneof(
    { arbitrary: fc.constant<string>(season.zone), weight: 3 },
    { arbitrary: fc.constantFrom(...SEASONS.map(({ zone }) => zone)), weight: 1 },
  );
  const every = fc.constantFrom(2, 3, 5);
  const dayStart = fc.constantFrom('00:30', '02:15', '06:00', '23:00');
  const monthDay = fc.constantFrom(15, 29, 31);
  const required: { requiredKeys: ['unit', 'timeZone'] } = { requiredKeys: ['unit', 'timeZone'] };
  const clock = fc.record({ unit: fc.constantFrom('minute', 'hour'), timeZone, every }, required);
  const day = fc.record({ unit: fc.constant('day'), timeZone, every, dayStart }, required);
  const weekStart = fc.constantFrom('sunday', 'saturday');
  const week = fc.record(
    { unit: fc.constant('week'), timeZone, every, dayStart, weekStart },
    required,
  );
  const unit = fc.constantFrom('month', 'quarter', 'year');
  const month = fc.record({ unit, timeZone, every, dayStart, monthDay }, required);
  return fc.oneof(clock, day, day, week, month);
}

const JOINED = { attribute: 'joined' };

const SINCE: readonly ModelSinceWindow[] = [
  { since: JOINED, forMs: 2 * HOUR_MS },
  { since: JOINED, forMs: 26 * HOUR_MS },
  { since: JOINED, forMs: 60 * 24 * HOUR_MS },
];

/** Business days. A walk may begin or end within some closed ones. */
function businessArbitrary(season: Season): fc.Arbitrary<ModelCalendarWindow> {
  const day = (after: number): string =>
    new Date(Date.parse(season.startsAt) + after * 24 * HOUR_MS).toISOString().slice(0, 10);
  return fc.record(
    {
      unit: fc.constant('day'),
      timeZone: fc.constant(season.zone),
      dayStart: fc.constantFrom('02:15', '23:00'),
      closed: fc.constantFrom<NonNullable<ModelCalendarWindow['closed']>>(
        { days: ['saturday', 'sunday'] },
        { dates: [day(0), day(1), day(3)] },
        { days: ['sunday', 'thursday', 'friday', 'saturday'], dates: [day(1)] },
      ),
    },
    { requiredKeys: ['unit', 'timeZone', 'closed'] },
  );
}

/** Days and longer units that begin on the date of an instant. */
function datedArbitrary(season: Season): fc.Arbitrary<ModelCalendarWindow> {
  return fc
    .record(
      {
        unit: fc.constantFrom('day', 'week', 'month', 'quarter', 'year'),
        timeZone: fc.constant(season.zone),
        every: fc.constantFrom(2, 3),
        dayStart: fc.constantFrom('02:15', '23:00'),
      },
      { requiredKeys: ['unit', 'timeZone'] },
    )
    .map((window) => ({ ...window, since: JOINED }));
}

function windowArbitrary(season: Season): fc.Arbitrary<ModelWindow> {
  return fc.oneof(
    { arbitrary: fc.constantFrom<ModelWindow>(...SINCE), weight: 1 },
    { arbitrary: datedArbitrary(season), weight: 1 },
    { arbitrary: businessArbitrary(season), weight: 1 },
    { arbitrary: calendarArbitrary(season), weight: 6 },
    { arbitrary: fc.constantFrom(...ROLLING), weight: 2 },
    { arbitrary: fc.constantFrom(...EXACT), weight: 2 },
    { arbitrary: fc.constantFrom<ModelWindow>('lifetime', 'transaction'), weight: 2 },
  );
}

/** Nights, bands that touch, a weekend and some dates, in the zone of the window where it has one. */
function timesArbitrary(season: Season, window: ModelWindow): fc.Arbitrary<ModelTimes> {
  const hasZone = typeof window === 'object' && 'timeZone' in window;
  const date = (days: number): string =>
    new Date(Date.parse(season.startsAt) + days * 24 * HOUR_MS).toISOString().slice(0, 10);
  const days: readonly ModelWeekday[] = ['saturday', 'sunday', 'monday'];
  return fc
    .constantFrom<ModelTimes>(
      { hours: ['20:00-06:00'] },
      { hours: ['22:30-02:15', '02:15-04:00'] },
      { hours: ['09:00-21:00'], days: ['thursday', 'friday', ...days] },
      { hours: ['23:00-01:00', '01:30-02:30'], days },
      { days },
      { dates: [date(0), date(1)], hours: ['18:00-03:00'] },
    )
    .map((times) => (hasZone ? times : { ...times, timeZone: season.zone }));
}

/** Both, one of the two, and sometimes nothing at all may pass. */
function maximumArbitrary(window: ModelWindow): fc.Arbitrary<ModelBound> {
  const amount =
    window === 'transaction' ? fc.integer({ min: 4, max: 12 }) : fc.integer({ min: 5, max: 40 });
  const count = fc.oneof(
    { arbitrary: fc.integer({ min: 1, max: 4 }), weight: 12 },
    { arbitrary: fc.constant(isExact(window) ? 1 : 0), weight: 1 },
  );
  const onlyCount = fc.record({ count });
  const both = fc.record({ amount, count });
  return isExact(window)
    ? fc.oneof(onlyCount, both)
    : fc.oneof(fc.record({ amount }), onlyCount, both);
}

/** The payments that a rule counts and applies to; an exact window is asked about all that it counts. */
function scopeOf(
  window: ModelWindow,
  max: ModelBound,
  about: {
    readonly match: ModelRule['match'];
    readonly isNot: true | undefined;
    readonly appliesTo: ModelRule['appliesTo'];
    readonly byChannel: number | undefined;
  },
): Pick<ModelRule, 'match' | 'counts' | 'appliesTo' | 'maxBy'> {
  const { match, isNot, appliesTo, byChannel } = about;
  const of = max.amount === undefined ? 'count' : 'amount';
  return {
    ...(match === undefined ? {} : isNot ? notOf(window, match) : { match }),
    ...(appliesTo === undefined || isExact(window) ? {} : { appliesTo }),
    ...(byChannel === undefined || isExact(window)
      ? {}
      : { maxBy: { name: 'channel', of, values: { app: byChannel } } }),
  };
}

/** A rule for single transactions counts nothing. */
function notOf(window: ModelWindow, match: ModelMatch): Pick<ModelRule, 'counts' | 'appliesTo'> {
  return window === 'transaction' ? { appliesTo: { not: match } } : { counts: { not: match } };
}

function isExact(window: ModelWindow): boolean {
  return typeof window === 'object' && 'stepMs' in window && window.stepMs === 'exact';
}

/** A value in one of `times` runs, otherwise nothing. (fast-check's `option` has it the other way.) */
function rarely<Value>(value: fc.Arbitrary<Value>, times: number): fc.Arbitrary<Value | undefined> {
  const nothing = fc.constant(undefined);
  return fc.oneof({ arbitrary: nothing, weight: times - 1 }, { arbitrary: value, weight: 1 });
}

const MATCHES: readonly NonNullable<ModelRule['match']>[] = [
  { type: 'PAYMENT' },
  { type: ['PAYMENT', 'TRANSFER'] },
  { channel: 'app' },
  { channel: ['app', 'web'], type: 'TRANSFER' },
  { merchant: ['m-1'] },
  { proof: ['sca', 'otp'] },
];

const APPLIES_TO: readonly NonNullable<ModelRule['appliesTo']>[] = [
  { is: { channel: 'app' } },
  { not: { type: 'PAYMENT' } },
  { not: { proof: 'sca' } },
];

/** Whether a walk stays in the user's document or goes through those of merchants as well. */
export type WalkDocuments = 'one' | 'several';

function perArbitrary(documents: WalkDocuments): fc.Arbitrary<ModelRule['per']> {
  const user: ModelRule['per'][] = [['user'], ['user'], ['user'], ['user', 'merchant']];
  const merchant: ModelRule['per'][] = [['merchant'], ['merchant', 'user']];
  return fc.constantFrom(...user, ...(documents === 'one' ? [] : merchant));
}

export function ruleArbitrary(season: Season, documents: WalkDocuments): fc.Arbitrary<ModelRule> {
  const hours = (least: number, most: number): fc.Arbitrary<Date> =>
    fc
      .integer({ min: least, max: most })
      .map((after) => new Date(Date.parse(season.startsAt) + after * HOUR_MS));
  const rest = windowArbitrary(season).chain((window) =>
    fc.record({
      window: fc.constant(window),
      max: maximumArbitrary(window),
      when: rarely(timesArbitrary(season, window), 5),
      min: fc.constantFrom<ModelBound | undefined>(
        ...(window === 'transaction' ? [undefined, { count: 2 }, { amount: 3 }] : [undefined]),
      ),
    }),
  );
  return fc
    .record({
      of: perArbitrary(documents).chain((per) =>
        fc.record({ per: fc.constant(per), ending: rarely(endingArbitrary(per), 3) }),
      ),
      rest,
      inCurrency: fc.boolean(),
      match: rarely(fc.constantFrom(...MATCHES), 2),
      isNot: rarely(fc.constant(true), 4),
      appliesTo: rarely(fc.constantFrom(...APPLIES_TO), 4),
      byChannel: rarely(fc.integer({ min: 1, max: 12 }), 4),
      require: rarely(fc.constantFrom(['channel'], ['merchant'], ['type', 'channel']), 12),
      mode: MODES,
      minus: rarely(fc.constantFrom(...MINUS), 3),
      distinct: rarely(fc.constantFrom('card', 'card', 'merchant', 'type'), 4),
      onExceed: rarely(
        fc.oneof(fc.constantFrom<ModelOnExceed>('notify', { challenge: 'sca' }), {
          weight: 3,
          arbitrary: fc.constant<ModelOnExceed>('review'),
        }),
        2,
      ),
      from: rarely(hours(-50, 20), 3),
      to: rarely(hours(21, 90), 4),
    })
    .map(
      ({
        rest: { window, max, min, when },
        of: { per, ending },
        inCurrency,
        require,
        mode,
        minus,
        distinct,
        onExceed,
        from,
        to,
        ...about
      }) => {
        const money = inCurrency || max.amount !== undefined || min?.amount !== undefined;
        const plain: ModelRule = {
          id: 'unnamed',
          per,
          window,
          max,
          mode,
          ...(money ? { currency: 'CNY' } : {}),
          ...(min === undefined ? {} : { min }),
          ...(when === undefined ? {} : { when }),
          ...scopeOf(window, max, about),
          ...(require === undefined ? {} : { require }),
          ...excessEffect(onExceed, window, min, mode),
          ...(from === undefined ? {} : { from }),
          ...(to === undefined ? {} : { to }),
        };
        const wish = { minus, distinct, ending };
        return COUNTER_KINDS.reduce((rule, counting) => counting(rule, wish), plain);
      },
    );
}

/** What a rule may count, if its window and its maximum let it. */
type CounterWish = {
  readonly minus: ModelRule['minus'];
  readonly distinct: string | undefined;
  readonly ending: Pick<ModelRule, 'outcome' | 'reasonCodes'> | undefined;
};

/** Each kind of counter but plain sums: gives the rule that counts so, where it can. */
const COUNTER_KINDS: readonly ((rule: ModelRule, wish: CounterWish) => ModelRule)[] = [
  (rule, { minus }) =>
    minus !== undefined && rule.max.amount !== undefined && isLevel(rule.window)
      ? { ...rule, minus }
      : rule,
  (rule, { distinct }) => {
    const { window, per, max } = rule;
    if (distinct === undefined || !isLevel(window) || per.includes(distinct)) return rule;
    const { currency: _, maxBy: _by, minus: _minus, ...counting } = rule;
    return { ...counting, distinct, max: { count: ((max.count ?? 1) % 2) + 1 } };
  },
  // Counts alone are limited so.
  (rule, { ending }) =>
    rule.window === 'transaction' || rule.max.amount !== undefined ? rule : { ...rule, ...ending },
];

/** What lowers a sum of amounts over a window that begins. */
const MINUS: readonly NonNullable<ModelRule['minus']>[] = [
  { is: { type: 'WITHDRAWAL' } },
  { is: { type: ['TRANSFER', 'WITHDRAWAL'], channel: 'app' } },
  { not: { type: 'PAYMENT' } },
];

function isLevel(window: ModelWindow): boolean {
  return window === 'lifetime' || (typeof window === 'object' && !('rollingMs' in window));
}

/** What must become of an order, in place of a confirm. */
const ENDINGS: readonly Pick<ModelRule, 'outcome' | 'reasonCodes'>[] = [
  { outcome: 'rolledBack' },
  { outcome: 'rolledBack', reasonCodes: ['wrong-pin'] },
  { outcome: 'ended' },
  { outcome: 'ended', reasonCodes: ['no-funds', 'wrong-pin'] },
];

/** Only for rules of the kind that is home. */
const EXPIRING: typeof ENDINGS = [
  { outcome: ['expired'] },
  { outcome: ['expired', 'rolledBack'], reasonCodes: ['wrong-pin'] },
  { outcome: ['confirmed', 'expired'] },
  { outcome: ['confirmed', 'rolledBack', 'expired'] },
];

function endingArbitrary([kind]: ModelRule['per']): fc.Arbitrary<(typeof ENDINGS)[number]> {
  return fc.constantFrom(...ENDINGS, ...(kind === 'user' ? EXPIRING : []));
}

/** What a rule may do with what is above its maximum. */
function excessEffect(
  onExceed: ModelOnExceed | undefined,
  window: ModelWindow,
  min: ModelBound | undefined,
  mode: ModelRule['mode'],
): Pick<ModelRule, 'onExceed'> {
  const isAny = onExceed === undefined || isExact(window) || min !== undefined;
  return isAny || (onExceed === 'notify' && mode === 'shadow') ? {} : { onExceed };
}

/** Most rules are in force; one in twelve is a draft or retired. */
const MODES: fc.Arbitrary<ModelRule['mode']> = fc.oneof(
  { weight: 8, arbitrary: fc.constant('enforce') },
  { weight: 3, arbitrary: fc.constant('shadow') },
  { weight: 1, arbitrary: fc.constantFrom('draft', 'retired') },
);

/** Two to six rules; about every second set has a rule that shares the counter of another. */
export function rulesArbitrary(
  season: Season,
  documents: WalkDocuments,
): fc.Arbitrary<readonly ModelRule[]> {
  const sharing = fc.option(
    fc.record({
      of: fc.nat(4),
      mode: fc.constantFrom('enforce', 'shadow', 'draft'),
      less: fc.boolean(),
    }),
    { nil: undefined, freq: 2 },
  );
  return fc
    .tuple(fc.array(ruleArbitrary(season, documents), { minLength: 2, maxLength: 5 }), sharing)
    .map(([rules, share]) => {
      const shared = share && rules[share.of % rules.length];
      const twin = shared && { ...shared, mode: share.mode, max: nudged(shared.max, share.less) };
      return (twin === undefined ? rules : [...rules, twin]).map((rule, index) => ({
        ...rule,
        id: `r-${index + 1}`,
        ...(documents === 'several' && index % 2 === 0 ? inDocumentOfAll(rule) : {}),
      }));
    });
}

/** A rule of several subjects counts in a document that those have together. */
function inDocumentOfAll({
  per,
  window,
  outcome = [],
}: ModelRule): Pick<ModelRule, 'counterparts'> {
  const isOfExpired = typeof outcome === 'object' && outcome.includes('expired');
  const isOfSeveral = per.length > 1 && window !== 'transaction';
  return isOfSeveral && !isOfExpired ? { counterparts: 'many' } : {};
}

function nudged({ amount, count }: ModelBound, less: boolean): ModelBound {
  const nudge = (maximum: number): number => Math.max(1, maximum + (less ? -1 : 1));
  return {
    ...(amount === undefined ? {} : { amount: nudge(amount) }),
    ...(count === undefined ? {} : { count: nudge(count) }),
  };
}
