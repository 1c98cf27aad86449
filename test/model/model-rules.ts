/**
 * The parts of the model that only read one rule and one request: whether the rule applies, which
 * counter it has, which bucket an instant falls in.
 */
import type {
  ModelBound,
  ModelCalendarWindow,
  ModelCheck,
  ModelEnd,
  ModelOverride,
  ModelMatch,
  ModelMatchValue,
  ModelRule,
  ModelScope,
  ModelSince,
  ModelSinceWindow,
  ModelTerms,
  ModelWindow,
  RuleInForce,
} from './model-types.ts';
import { bandAt, endOver, isInTimes } from './model-times.ts';
import { calendarWindow } from './window-oracle.ts';

/** A bucket of a counter: events in it count while `until` is after now. Milliseconds. */
export type ModelBucket = { readonly start: number; readonly until: number };

type Subjects = ModelCheck['subjects'];

/** Whether the request enters the rule's sum at this instant, or lowers it. */
export function enters(rule: ModelRule, request: ModelCheck, now: Date): boolean {
  return (
    isInEffect(rule, request, now) && (isIn(countedBy(rule), request) || isLowering(rule, request))
  );
}

/** Whether the request lowers the sum of a rule that is in effect for it. */
export function isLowering(rule: ModelRule, request: ModelCheck): boolean {
  return rule.minus !== undefined && isIn(rule.minus, request) && !isIn(countedBy(rule), request);
}

function isInEffect(rule: ModelRule, request: ModelCheck, now: Date): boolean {
  if (rule.mode === 'draft' || rule.mode === 'retired') return false;
  if (rule.from !== undefined && now < rule.from) return false;
  if (rule.to !== undefined && now >= rule.to) return false;
  if (now.getTime() >= endOf(rule.window)) return false;
  if (!isInTimes(rule, now)) return false;
  if (rule.currency !== undefined && rule.currency !== request.currency) return false;
  if (rule.distinct !== undefined && valueCounted(rule, request) === undefined) return false;
  return rule.per.every((kind) => Object.hasOwn(request.subjects, kind));
}

/** The value of a request that a rule counts, of one that counts different values. */
export function valueCounted({ distinct }: ModelRule, request: Told): string | undefined {
  const value = distinct === undefined ? undefined : valueToMatch(distinct, request);
  return value === undefined ? undefined : String(value);
}

/** Whether the rule's maximum is asked for this request at this instant. */
export function applies(rule: ModelRule, request: ModelCheck, now: Date): boolean {
  if (isLowering(rule, request)) return false;
  return enters(rule, request, now) && isIn(rule.appliesTo ?? {}, request);
}

/**
 * The required names that the request does not have, where some value of each could make the rule count the
 * request, or, as it counts nothing, limit it.
 */
export function missingFor(rule: ModelRule, request: ModelCheck, now: Date): readonly string[] {
  const required = [
    ...(rule.require ?? []),
    ...(rule.distinct === undefined ? [] : [rule.distinct]),
  ];
  const missing = required.filter((name) => valueToMatch(name, request) === undefined);
  const { is = {}, not = {} } =
    rule.window === 'transaction' ? (rule.appliesTo ?? countedBy(rule)) : countedBy(rule);
  const asked = Object.entries(is).filter(([name]) => !missing.includes(name));
  // With some subject of each missing kind, and whatever value of each missing name.
  const subjects = Object.fromEntries(missing.map((kind) => [kind, '']));
  const whole = { ...request, subjects: { ...subjects, ...request.subjects } };
  const { distinct: _, ...counting } = rule;
  const open = { ...counting, counts: { is: Object.fromEntries(asked), not } };
  const wouldCount = isInEffect(open, whole, now) && isIn(countedBy(open), whole);
  return rule.mode === 'enforce' && wouldCount ? missing : [];
}

/** Whether a rule counts an order that ended so. */
export function countsEnd(
  { outcome, reasonCodes }: Pick<ModelRule, 'outcome' | 'reasonCodes'>,
  end: ModelEnd,
  reasonCode?: string,
): boolean {
  if (!endsCounted({ outcome }).includes(end)) return false;
  if (end !== 'rolledBack' || reasonCodes === undefined) return true;
  return reasonCodes.some((code) => code === reasonCode);
}

function endsCounted({ outcome = ['confirmed'] }: EndsOf): readonly ModelEnd[] {
  if (outcome === 'ended') return ['confirmed', 'rolledBack'];
  return outcome === 'rolledBack' ? [outcome] : outcome;
}

/** Whether a rule counts no payment: what one takes while it is held is free again once it is confirmed. */
export function isOfFailures(rule: EndsOf): boolean {
  return !endsCounted(rule).includes('confirmed');
}

type EndsOf = { readonly outcome?: ModelRule['outcome'] };

/** What a rule that a request is above does to it. */
export function excessEffect(
  { mode, onExceed }: ModelRule,
  { proofs = [] }: Pick<ModelCheck, 'proofs'>,
): 'refused' | 'shadow' | 'notify' | 'proven' {
  if (typeof onExceed === 'object' && proofs.includes(onExceed.challenge)) return 'proven';
  if (mode === 'shadow') return 'shadow';
  return onExceed === 'notify' ? 'notify' : 'refused';
}

/** Whether a rule refuses a request that does not fit it. */
export function isStrict(rule: ModelRule, request: Pick<ModelCheck, 'proofs'>): boolean {
  return excessEffect(rule, request) === 'refused';
}

type Told = Pick<ModelCheck, 'type' | 'subjects' | 'attributes'>;

/** With which attribute a request says when the rule's window begins, if it does. */
export function sinceOf({ window }: Pick<ModelRule, 'window'>): ModelSince | undefined {
  return typeof window === 'object' && 'since' in window ? window.since : undefined;
}

/** The rule as its window begins for this request; nothing where the request says no instant. */
export function begunFor(rule: ModelRule, { attributes }: Pick<Told, 'attributes'>): ModelRule[] {
  const { window } = rule;
  if (typeof window !== 'object' || !('since' in window)) return [rule];
  const said = attributes[window.since.attribute];
  const at = typeof said === 'string' ? Date.parse(said) : NaN;
  if (Number.isNaN(at)) return [];
  return [{ ...rule, window: { ...window, since: { ...window.since, at } } }];
}

/** Whether the maximum and the window are the same for every request. */
export function isSameForAll(rule: ModelRule): boolean {
  const { maxBy, appliesTo } = rule;
  return maxBy === undefined && appliesTo === undefined && sinceOf(rule) === undefined;
}

/** When a window that comes once is over. */
export function endOf(window: ModelWindow): number {
  if (!isOnce(window) || window.since.at === undefined) return Infinity;
  return window.since.at + window.forMs;
}

function isOnce(window: ModelWindow): window is ModelSinceWindow {
  return typeof window === 'object' && 'forMs' in window;
}

/** The rule with the maximum that it has for this request. */
export function asAskedFor(rule: ModelRule, request: Told): ModelRule {
  if (rule.maxBy === undefined) return rule;
  const { name, of, values } = rule.maxBy;
  const max = values[String(valueToMatch(name, request))];
  return max === undefined ? rule : { ...rule, max: { ...rule.max, [of]: max } };
}

/** The rule with the maximum that its subject has of its own at this instant, and later. */
export function underTerms(rule: ModelRule, terms: ModelTerms | undefined, now: Date): RuleInForce {
  const own = (terms?.overrides ?? []).filter((one) => one.rule === rule.id);
  const later = own
    .flatMap(({ from, until }) => [from, until])
    .flatMap((at) => (at !== undefined && at > now ? [at] : []))
    .sort((one, other) => one.getTime() - other.getTime())
    .map((at) => ({ at, max: maxUnder(rule, terms, at) }));
  return { ...rule, max: maxUnder(rule, terms, now), ...(later.length === 0 ? {} : { later }) };
}

/** The rule as `underTerms` has it; its maximum is the same for every request where its subject has one of its own. */
export function asOwn(rule: ModelRule, terms: ModelTerms | undefined, now: Date): ModelRule {
  const { maxBy, ...own } = underTerms(rule, terms, now);
  const isOwn = maxBy !== undefined && Object.hasOwn(ownMax(rule, terms, now) ?? {}, maxBy.of);
  return maxBy === undefined || isOwn ? own : { ...own, maxBy };
}

function maxUnder(rule: ModelRule, terms: ModelTerms | undefined, at: Date): ModelBound {
  const own = ownMax(rule, terms, at);
  if (own === undefined) return rule.max;
  const all = Object.entries<number | null>({ ...rule.max, ...own });
  const max: ModelBound = Object.fromEntries(
    all.filter(
      ([of, maximum]) => maximum !== null && (of === 'count' || rule.currency !== undefined),
    ),
  );
  // An exact window takes no more, nor do different values, whatever the subject had while the rule was another.
  const isBounded = isExact(rule.window) || rule.distinct !== undefined;
  return isBounded ? { ...max, count: Math.min(max.count ?? 100, 100) } : max;
}

/** What the subject has of its own, layer upon layer; undefined where it has nothing. */
function ownMax(
  rule: ModelRule,
  terms: ModelTerms | undefined,
  at: Date,
): ModelOverride['max'] | undefined {
  const layers = (terms?.overrides ?? []).filter((one) => one.rule === rule.id && isNow(one, at));
  return layers.reduce<ModelOverride['max'] | undefined>(
    (below, { max }) => ({ ...below, ...max }),
    undefined,
  );
}

/** What is known of a rule's maximum; what depends on something that nobody told is not. */
export function maxAsTold(
  rule: ModelRule,
  told: Told,
  terms: ModelTerms | undefined,
  now: Date,
): ModelBound {
  const { max } = underTerms(asAskedFor(rule, told), terms, now);
  const own = ownMax(rule, terms, now);
  const { maxBy } = rule;
  if (maxBy === undefined || valueToMatch(maxBy.name, told) !== undefined) return max;
  if (own !== undefined && Object.hasOwn(own, maxBy.of)) return max;
  return Object.fromEntries(Object.entries(max).filter(([of]) => of !== maxBy.of));
}

/** Whether the instant lies between the two, the second left out. */
export function isNow(
  { from, until }: { readonly from?: Date; readonly until?: Date },
  now: Date,
): boolean {
  return (from === undefined || from <= now) && (until === undefined || now < until);
}

function countedBy(rule: ModelRule): ModelScope {
  return rule.counts ?? { is: rule.match ?? {} };
}

function isIn({ is = {}, not = {} }: ModelScope, request: ModelCheck): boolean {
  const has = ([key, wanted]: [string, ModelMatch[string]]): boolean => {
    if (key === 'proof') return (request.proofs ?? []).some((one) => listed(wanted).includes(one));
    const found = valueToMatch(key, request);
    return found !== undefined && listed(wanted).includes(found);
  };
  return Object.entries(is).every(has) && !Object.entries(not).some(has);
}

function valueToMatch(key: string, request: Told): ModelMatchValue | undefined {
  if (key === 'type') return request.type;
  if (Object.hasOwn(request.subjects, key)) return request.subjects[key];
  return Object.hasOwn(request.attributes, key) ? request.attributes[key] : undefined;
}

/** The document whose subject has terms for the rule: that of the first kind in `per`. */
export function ownerDocument(rule: ModelRule, subjects: Subjects): string {
  return documentOf(rule.per[0], subjects);
}

/** The document that holds the rule's counter: its owner's, or one that all its subjects have together. */
export function counterDocument(rule: ModelRule, subjects: Subjects): string {
  if (rule.counterparts !== 'many') return ownerDocument(rule, subjects);
  return JSON.stringify(rule.per.map((kind) => [kind, subjects[kind]]));
}

/** The documents that a request visits for a rule that it enters. */
export function documentsFor(rule: ModelRule, subjects: Subjects): readonly string[] {
  return [ownerDocument(rule, subjects), counterDocument(rule, subjects)];
}

export function documentOf(kind: string, subjects: Subjects): string {
  return JSON.stringify([kind, subjects[kind]]);
}

/** The document that knows the order: of the first home kind present, else of the first by name. */
export function homeDocument(homeKinds: readonly string[], subjects: Subjects): string {
  const present = Object.keys(subjects).sort();
  const kind = homeKinds.find((candidate) => present.includes(candidate)) ?? present[0];
  if (kind === undefined) throw new Error('a request names at least one subject');
  return documentOf(kind, subjects);
}

/**
 * The name of the rule's counter for these subjects: who is counted, what, and in which generation, and
 * never the rule's id, maximum, mode or dates. Rules with the same name share the counter.
 */
export function counterOf(rule: ModelRule, subjects: Subjects): string {
  const match = matchName(countedBy(rule));
  return JSON.stringify([
    rule.per.map((kind) => [kind, subjects[kind]]),
    rule.currency,
    match,
    windowName(rule),
    timesName(rule),
    [...endsCounted(rule)].sort(),
    matchName(rule.minus),
    [...(rule.reasonCodes ?? [])].sort(),
    rule.refunds?.amount ?? true,
    rule.refunds?.count ?? true,
    rule.generation ?? 0,
    rule.distinct ?? null,
    rule.counterparts ?? 'few',
  ]);
}

function matchName(scope: ModelScope | undefined): unknown {
  if (scope === undefined) return null;
  const { is = {}, not = {} } = scope;
  return [is, not].map((one) =>
    Object.entries(one)
      .map(([key, wanted]) => [
        key,
        [...new Set(listed(wanted).map((value) => JSON.stringify(value)))].sort(),
      ])
      .sort(([left], [right]) => (String(left) < String(right) ? -1 : 1)),
  );
}

function timesName({ when }: ModelRule): unknown {
  if (when === undefined) return null;
  const { hours = [], days = [], dates = [], timeZone } = when;
  return [...[hours, days, dates].map((list: readonly string[]) => [...list].sort()), timeZone];
}

function windowName(rule: ModelRule): unknown {
  const { window } = rule;
  if (!isCalendar(window)) return window;
  const { unit, every = 1, timeZone } = window;
  const { dayStart = '00:00', weekStart = 'monday', monthDay = 1 } = window;
  const anchor =
    every > 1 && rule.from !== undefined
      ? calendarWindow({ ...window, every: 1 }, rule.from).start
      : null;
  return [
    unit,
    every,
    timeZone,
    dayStart,
    weekStart,
    monthDay,
    anchor,
    window.since ?? null,
    window.closed && [window.closed.days, window.closed.dates].map((all = []) => [...all].sort()),
  ];
}

/** The bucket of the rule's counter that something that happens at this instant enters. */
export function bucketAt(rule: ModelRule, now: Date): ModelBucket {
  const { window } = rule;
  if (window === 'transaction') throw new Error('one transaction has no counter');
  if (window === 'lifetime') return { start: 0, until: Number.POSITIVE_INFINITY };
  if (isCalendar(window)) {
    if (window.unit === 'minute' || window.unit === 'hour') {
      const { start, end } = calendarWindow(window, now, rule.from);
      return { start, until: end };
    }
    // All of a night counts in the window in which it began.
    const began = bandAt(rule, now.getTime())?.start ?? now;
    const { start, end } = calendarWindow(window, new Date(began), rule.from);
    return { start: endOver(rule, start), until: endOver(rule, end) };
  }
  if (isOnce(window)) return { start: window.since.at ?? NaN, until: endOf(window) };
  const stepMs = window.stepMs === 'exact' ? 1 : window.stepMs;
  const start = Math.floor(now.getTime() / stepMs) * stepMs;
  return { start, until: start + window.rollingMs + stepMs - 1 };
}

/** Whether every event of the window is a bucket of its own. */
export function isExact(window: ModelWindow): boolean {
  return typeof window === 'object' && 'rollingMs' in window && window.stepMs === 'exact';
}

function isCalendar(window: ModelWindow): window is ModelCalendarWindow {
  return typeof window === 'object' && 'unit' in window;
}

function listed(value: ModelMatchValue | readonly ModelMatchValue[]): readonly ModelMatchValue[] {
  return typeof value === 'object' ? value : [value];
}
