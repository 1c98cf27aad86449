import { expect } from 'vitest';
import { EXACT_STEP_MS } from '../../lib/rule/windows/window-kind.ts';
import type { Matched, Rule, Scope } from '../../lib/rule/rule.ts';
import type { Quantity, Terms } from '../../lib/rule/own-terms.ts';
import type { Times } from '../../lib/rule/times.ts';
import type { Since } from '../../lib/rule/windows/since-field.ts';
import type { Window } from '../../lib/rule/windows/windows.ts';
import type { CheckAnswer, Part } from '../../lib/limits/answer.ts';
import type { Excess } from '../../lib/limits/standing.ts';
import { HeadroomError } from '../../lib/shared/errors.ts';
import { IncompleteOrderError } from '../../lib/rule/require.ts';
import type { RecordRequest } from '../../lib/shared/request.ts';
import { documentId } from '../../lib/shared/subject.ts';
import type { RuleReport } from '../../lib/limits/report.ts';
import { SETTLED_STATES } from '../../lib/shared/states.ts';
import type { Limits, LimitsOptions } from '../../lib/edge/limits.ts';
import { orderName } from '../../lib/review/reviewed-order.ts';
import { proposalNumber } from '../../lib/four-eyes/proposal.ts';
import { memoryProposals } from './memory-proposals.ts';
import { createLimits } from '../../lib/edge/limits.ts';
import type { CounterStore } from '../../lib/document/counter-store.ts';
import { settingsOf } from '../model/limit-model.ts';
import { appOf } from '../model/model-types.ts';
import type {
  LimitsUnderTest,
  ModelBound,
  ModelCheck,
  ModelCheckAnswer,
  ModelConfirm,
  ModelExcess,
  ModelPart,
  ModelMatch,
  ModelRecord,
  ModelRollback,
  ModelRule,
  ModelRuleAnswer,
  ModelScope,
  ModelSince,
  ModelTerms,
  ModelTimes,
  ModelWindow,
} from '../model/model-types.ts';

/** The service, spoken to in the words of cases and model. */
export type ServiceUnderTest = LimitsUnderTest & { readonly limits: Limits };

/** Puts the service over a store, to be played cases and walks. */
export function serviceUnderTest(
  counters: CounterStore,
  set: Parameters<typeof settingsOf>[0],
  options: Partial<LimitsOptions> = {},
  reviews = memoryProposals(),
): ServiceUnderTest {
  let rules: readonly Rule[] = [];
  const limits = createLimits({
    counters,
    rules: () => Promise.resolve(rules),
    reviews,
    ...settingsOf(set),
    ...options,
  });
  return {
    limits,
    useRules(modelRules) {
      rules = modelRules.map(libRule);
      return Promise.resolve();
    },
    async useTerms(kind, id, terms, now) {
      const document = documentId(kind, id);
      const found = await counters.read([document], [], now, now);
      const changed = libTerms(terms, now);
      const change = { expected: found.get(document)?.terms?.version, terms: changed };
      expect(await counters.changeTerms(document, change, now)).toBe(true);
    },
    check: (request, now) =>
      answered(async () => checkAnswer(await limits.check(libCheck(request), now))),
    confirm: (request, now) =>
      answered(async () => {
        const answer = await limits.confirm(libOrder(request), now);
        const { repeated, late, amount, uncounted } = answer;
        const exceeded = modelExcesses(answer.exceeded ?? []);
        return { kind: 'confirmed', repeated, late, amount, uncounted, exceeded };
      }),
    rollback: (request, now) =>
      answered(async () => {
        const { reasonCode } = request;
        const { repeated } = await limits.rollback({ ...libOrder(request), reasonCode }, now);
        return { kind: 'rolledBack', repeated };
      }),
    async decide({ orderId, decision, forMs }, now) {
      const newest = reviews.last(orderName({ appId: appOf(orderId), orderId }));
      if (newest === undefined) return { kind: 'noReview' };
      const passesUntil = new Date(now.getTime() + forMs);
      const said = { outcome: decision, ...AUTHOR, at: now, passesUntil } as const;
      return { kind: (await reviews.decide(newest.id, said)) ? 'decided' : 'closed' };
    },
    record: (request, now) =>
      answered(async () => {
        const [result] = await limits.recordMany([libRecord(request)], now);
        if (result === undefined) throw new Error('a record is answered');
        if (result.kind === 'failed')
          throw result.error instanceof Error ? result.error : new Error(String(result.error));
        const { repeated, counted, over, exceeded } = result.answer;
        return { kind: 'recorded', repeated, counted, over, exceeded: modelExcesses(exceeded) };
      }),
  };
}

const KINDS = {
  ORDER_REUSED: 'orderReused',
  ALREADY_CONFIRMED: 'alreadyConfirmed',
  ALREADY_ROLLED_BACK: 'alreadyRolledBack',
  NOT_FOUND: 'notFound',
  TOO_MANY_OPEN_HOLDS: 'tooManyOpenHolds',
} as const;

async function answered<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof IncompleteOrderError)
      return { kind: 'incompleteOrder', missing: error.fields.missing } as T; // one of those of check
    if (error instanceof HeadroomError && error.code in KINDS) {
      const code = error.code as keyof typeof KINDS; // checked in the line above
      return { kind: KINDS[code] } as T; // every answer type has its error kinds
    }
    throw error;
  }
}

const AUTHOR = { by: { kind: 'local', id: 'local' }, reason: 'asked for' } as const;

let termsEver = 0;

/** Terms in the words of the library; undefined where there are none. */
export function libTerms({ frozen, overrides = [] }: ModelTerms, now: Date): Terms | undefined {
  if (frozen === undefined && overrides.length === 0) return undefined;
  const author = { ...AUTHOR, at: now };
  return {
    version: `v${termsEver++}`,
    ...(frozen === undefined ? {} : { freeze: { from: new Date(0), ...frozen, ...author } }),
    overrides: overrides.map(({ max: { amount, count }, ...override }, index) => ({
      id: `o${index}`,
      from: new Date(0),
      ...override,
      ...author,
      max: {
        ...(amount === undefined ? {} : { amountMinor: amount }),
        ...(count === undefined ? {} : { count }),
      },
    })),
  };
}

function modelExcesses(exceeded: readonly Excess[]): readonly ModelExcess[] {
  return exceeded.map(({ rule, amount, count }) => ({
    rule,
    ...(amount === undefined ? {} : { amount }),
    ...(count === undefined ? {} : { count }),
  }));
}

export function libRecord({ amount, at, failed, ...request }: ModelRecord): RecordRequest {
  const ending = failed && { to: 'rolledBack' as const, reasonCode: failed.reasonCode };
  const appId = appOf(request.orderId);
  return { ...request, appId, amountMinor: amount, happenedAt: at, ending };
}

export function libCheck({
  amount,
  partial,
  ...request
}: ModelCheck): Parameters<Limits['check']>[0] {
  const least = partial === undefined ? {} : { leastMinor: partial.min };
  const appId = appOf(request.orderId);
  return { ...request, ...least, appId, amountMinor: amount, dryRun: false };
}

export function libOrder({
  orderId,
  subjects,
  ...request
}: ModelConfirm | ModelRollback): Parameters<Limits['confirm']>[0] {
  const amount = 'amount' in request ? request.amount : undefined;
  return {
    appId: appOf(orderId),
    orderId,
    whereabouts: { kind: 'subjects', subjects },
    ...(amount === undefined ? {} : { amountMinor: amount }),
  };
}

function quantity({ amount, count }: ModelBound): Quantity {
  return {
    ...(amount === undefined ? {} : { amountMinor: amount }),
    ...(count === undefined ? {} : { count }),
  };
}

export function libRule(rule: ModelRule): Rule {
  const { match, counts = { is: match ?? {} }, appliesTo = {}, ...others } = rule;
  const { min = {}, max, maxBy, window, when, refunds = {}, outcome, minus, ...rest } = others;
  const gives = { amount: refunds.amount ?? true, count: refunds.count ?? true };
  const states = outcome === 'ended' ? SETTLED_STATES : [outcome ?? []].flat();
  const times = when && libTimes(when);
  return {
    ...rest,
    counterparts: rest.counterparts ?? 'few',
    title: {},
    counts: libScope(counts),
    appliesTo: libScope(appliesTo),
    ...(maxBy === undefined
      ? {}
      : {
          maxBy: {
            [maxBy.of === 'amount' ? 'amountMinor' : 'count']: {
              by: maxBy.name,
              values: maxBy.values,
            },
          },
        }),
    ...(times === undefined ? {} : { when: times }),
    window: libWindow(window, rule.from, times),
    min: quantity(min),
    max: quantity(max),
    ...(minus === undefined ? {} : { minus: libScope(minus) }),
    ...(outcome === undefined ? {} : { outcomes: states }),
    refunds: outcome === undefined ? gives : { amount: false, count: false },
  };
}

function libScope({ is = {}, not = {} }: ModelScope): Scope {
  const matched = (match: ModelMatch): Matched =>
    Object.fromEntries(
      Object.entries(match).map(([key, value]) => [
        key,
        typeof value === 'object' ? value : [value],
      ]),
    );
  return { is: matched(is), not: matched(not) };
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

function libTimes({ hours, ...rest }: ModelTimes): Times {
  if (hours === undefined) return rest;
  return {
    ...rest,
    hours: hours.map((text) => {
      const [from = 0, to = 0] = text.split('-').map(minutesOf);
      return { from, to: to > from ? to : to + 1_440 };
    }),
  };
}

function libSince({ attribute, at }: ModelSince): Since {
  return { attribute, ...(at === undefined ? {} : { at: new Date(at) }) };
}

export function libWindow(window: ModelWindow, from?: Date, times?: Times): Window {
  if (window === 'transaction' || window === 'lifetime') return { kind: window };
  if ('rollingMs' in window) {
    const stepMs = window.stepMs === 'exact' ? EXACT_STEP_MS : window.stepMs;
    return { kind: 'rolling', spanMs: window.rollingMs, stepMs };
  }
  if ('forMs' in window)
    return { kind: 'since', forMs: window.forMs, since: libSince(window.since) };
  return {
    kind: 'calendar',
    unit: window.unit,
    every: window.every ?? 1,
    ...(from === undefined ? {} : { anchorAt: from }),
    timeZone: window.timeZone,
    dayStartMinutes: minutesOf(window.dayStart ?? '00:00'),
    weekStart: window.weekStart ?? 'monday',
    monthDay: window.monthDay ?? 1,
    ...(window.closed === undefined ? {} : { closed: window.closed }),
    ...(window.since === undefined ? {} : { since: libSince(window.since) }),
    ...(times === undefined || ['minute', 'hour'].includes(window.unit) ? {} : { times }),
  };
}

function bound({ amountMinor, count }: Quantity): ModelBound {
  return {
    ...(amountMinor === undefined ? {} : { amount: amountMinor }),
    ...(count === undefined ? {} : { count }),
  };
}

function ruleAnswer(report: RuleReport): ModelRuleAnswer {
  const sum = (sums: Quantity = {}): { amount: number; count: number } => ({
    amount: sums.amountMinor ?? 0,
    count: sums.count ?? 0,
  });
  return {
    rule: report.rule.id,
    used: sum(report.used),
    held: sum(report.held),
    remaining: bound(report.remaining ?? report.rule.max),
    outcome: report.outcome,
    ...(report.retryAt === undefined ? {} : { retryAt: report.retryAt }),
  };
}

function checkAnswer(answer: CheckAnswer): ModelCheckAnswer {
  if (answer.kind === 'undecided') throw new Error('a store under test decides');
  const rules = answer.rules.map(ruleAnswer);
  const { headroom } = answer;
  if (answer.kind === 'refused') {
    const refusing = ['exceeded', 'below-minimum'];
    const exceeded = rules
      .filter(({ outcome }) => refusing.includes(outcome))
      .map(({ rule }) => rule);
    const { reason, challenges = [], review } = answer;
    const told = { reason, challenges, exceeded, rules, headroom };
    return { kind: 'refused', ...told, ...(review && { review: placeOf(review) }) };
  }
  const { repeated, state, holdExpiresAt, limitReachedBy, part } = answer;
  if (state === 'none') throw new Error('only a dry run holds nothing');
  const expires = holdExpiresAt === undefined ? {} : { holdExpiresAt };
  const notified = modelExcesses(answer.exceeded);
  const got = part === undefined ? {} : { part: modelPart(part) };
  const approval = answer.approval === undefined ? {} : { approval: placeOf(answer.approval) };
  const common = { ...got, ...approval, limitReachedBy, notified, rules, headroom };
  const stands = state === 'held' ? 'held' : 'confirmed'; // whatever was refunded since
  return { kind: 'allowed', repeated, state: stands, ...expires, ...common };
}

/** Which review of its order it is. */
function placeOf({ proposal }: { readonly proposal: string }): number {
  return proposalNumber({ id: proposal });
}

function modelPart({ amountBy, ...part }: Part): ModelPart {
  return amountBy === undefined ? part : { ...part, amountBy };
}
