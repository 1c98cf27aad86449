/**
 * Walks: random but replayable stories of checks, confirms, rollbacks and time, and the player
 * that tells the same story to two keepers of limits and compares every answer.
 */
import type {
  LimitsUnderTest,
  ModelAnswer,
  ModelCheck,
  ModelConfirm,
  ModelDecision,
  ModelNoRule,
  ModelOverride,
  ModelRecord,
  ModelRollback,
  ModelRule,
  ModelTerms,
} from './model-types.ts';
import { LimitModel, modelUnderTest, settingsOf } from './limit-model.ts';
import { begunFor, bucketAt, isExact } from './model-rules.ts';
import { bandAt } from './model-times.ts';
import { expectSameAnswer } from './plain-answer.ts';

/**
 * One step of a walk. `jump` goes to one of the next instants at which something changes (a hold
 * or a bucket ends, a rule begins or ends), or one millisecond to either side of it: `pick` counts
 * from the nearest. `scale` edits the maxima of one rule, as an operator would.
 */
export type Step =
  | { readonly do: 'check'; readonly request: ModelCheck }
  | { readonly do: 'confirm'; readonly request: ModelConfirm }
  | { readonly do: 'rollback'; readonly request: ModelRollback }
  | { readonly do: 'decide'; readonly request: ModelDecision }
  /** Of what happened so long ago. */
  | { readonly do: 'record'; readonly request: Omit<ModelRecord, 'at'>; readonly agoMs: number }
  | { readonly do: 'advance'; readonly ms: number }
  | { readonly do: 'jump'; readonly pick: number; readonly offsetMs: -1 | 0 | 1 }
  | { readonly do: 'scale'; readonly rule: number; readonly factor: 0 | 0.5 | 2 }
  | TermsStep;

/**
 * New terms of a subject, from now on or later, one layer upon the other. `rule` counts the walk's rules; an
 * absent one is no override.
 */
export type TermsStep = {
  readonly do: 'terms';
  readonly subject: readonly [kind: string, id: string];
  readonly frozenMs?: number;
  readonly rule?: number;
  readonly layers: readonly {
    readonly max: ModelOverride['max'];
    readonly inMs: number;
    readonly forMs: number | null;
  }[];
};

/**
 * A whole story. `openHoldsMax` is the bound to set up both sides with, where it is small; `onNoRule` is
 * what both sides do with an order that no rule applies to.
 */
export type Walk = {
  readonly startsAt: Date;
  readonly rules: readonly ModelRule[];
  readonly openHoldsMax?: number;
  readonly onNoRule: ModelNoRule;
  readonly steps: readonly Step[];
};

export type WalkAnswers = readonly ModelAnswer[];

export function modelOf(walk: Walk): LimitsUnderTest {
  return modelUnderTest(new LimitModel(walk.rules, settingsOf(walk)));
}

/**
 * Plays the walk against both sides and fails at the first answer that differs, with the story up
 * to there. Both must be fresh and set up with the walk's rules and bound.
 *
 * @param before happens before each request; what it adds to the story is told with it
 * @returns what the second side answered
 */
export async function playWalk(
  walk: Walk,
  actual: LimitsUnderTest,
  expected: LimitsUnderTest,
  before: (now: Date, story: string[]) => Promise<void> = () => Promise.resolve(),
): Promise<WalkAnswers> {
  const answers: ModelAnswer[] = [];
  const story: string[] = [];
  const instants = walk.rules.flatMap(({ from, to }) =>
    [from, to].flatMap((instant) => instant?.getTime() ?? []),
  );
  let { rules } = walk;
  let now = walk.startsAt;
  for (const step of walk.steps) {
    switch (step.do) {
      case 'advance':
        now = new Date(now.getTime() + step.ms);
        break;
      case 'jump':
        now = landing(step, instants, now);
        break;
      case 'scale':
        rules = scaled(rules, step);
        await actual.useRules(rules);
        await expected.useRules(rules);
        story.push(`${now.toISOString()} ${JSON.stringify(step)}`);
        break;
      case 'terms': {
        const [kind, id] = step.subject;
        const terms = termsOf(step, rules, now);
        for (const one of [...(terms.overrides ?? []), ...(terms.frozen ? [terms.frozen] : [])])
          for (const instant of [one.from, one.until])
            if (instant !== undefined) instants.push(instant.getTime());
        await actual.useTerms(kind, id, terms, now);
        await expected.useTerms(kind, id, terms, now);
        story.push(`${now.toISOString()} ${JSON.stringify(step)}`);
        break;
      }
      case 'check':
      case 'confirm':
      case 'rollback':
      case 'decide':
      case 'record': {
        await before(now, story);
        if (step.do === 'check') instants.push(...changesAfter(step.request, rules, now));
        if (step.do === 'decide') instants.push(now.getTime() + step.request.forMs);
        if (step.do === 'record') instants.push(...endsOfBuckets(rules, happenedAt(step, now)));
        story.push(`${now.toISOString()} ${JSON.stringify(step)}`);
        const wanted = await send(step, expected, now);
        answers.push(wanted);
        expectSameAnswer(await send(step, actual, now), wanted, story.join('\n'));
        break;
      }
    }
  }
  return answers;
}

/**
 * An exact window keeps a maximum count, as it must. Of a rule for single transactions there is none but
 * of a user: no check asks another's document for it, so that such an override is refused.
 */
function termsOf(step: TermsStep, rules: readonly ModelRule[], now: Date): ModelTerms {
  const { frozenMs, rule, layers } = step;
  const later = (ms: number): Date => new Date(now.getTime() + ms);
  const named = rule === undefined ? undefined : rules[rule % rules.length];
  const isAsked = named?.window !== 'transaction' || named.per[0] === 'user';
  const changed = isAsked ? named : undefined;
  const overrides = layers.flatMap(({ max, inMs, forMs }): readonly ModelOverride[] => {
    if (changed === undefined) return [];
    const own = isExact(changed.window) ? { count: max.count ?? 1 } : max;
    return [
      {
        rule: changed.id,
        max: own,
        ...(inMs === 0 ? {} : { from: later(inMs) }),
        ...(forMs === null ? {} : { until: later(inMs + forMs) }),
      },
    ];
  });
  return {
    ...(frozenMs === undefined ? {} : { frozen: { until: later(frozenMs) } }),
    ...(changed === undefined ? {} : { overrides }),
  };
}

export function send(
  step: Extract<Step, { readonly request: unknown }>,
  limits: LimitsUnderTest,
  now: Date,
): Promise<ModelAnswer> {
  switch (step.do) {
    case 'check':
      return limits.check(step.request, now);
    case 'confirm':
      return limits.confirm(step.request, now);
    case 'rollback':
      return limits.rollback(step.request, now);
    case 'decide':
      return limits.decide(step.request, now);
    case 'record':
      return limits.record({ ...step.request, at: happenedAt(step, now) }, now);
  }
}

/** When something would change if this check were allowed now. */
function changesAfter(
  request: ModelCheck,
  rules: readonly ModelRule[],
  now: Date,
): readonly number[] {
  const begun = rules.flatMap((rule) => begunFor(rule, request));
  return [now.getTime() + request.holdMs, ...endsOfBuckets(begun, now)];
}

function endsOfBuckets(rules: readonly ModelRule[], at: Date): readonly number[] {
  return rules
    .flatMap((rule) => [
      ...(rule.window === 'transaction' ? [] : [bucketAt(rule, at).until]),
      bandAt(rule, at.getTime())?.end ?? Infinity,
    ])
    .filter((until) => Number.isFinite(until));
}

function happenedAt({ agoMs }: Extract<Step, { readonly do: 'record' }>, now: Date): Date {
  return new Date(now.getTime() - agoMs);
}

function landing(
  step: Extract<Step, { readonly do: 'jump' }>,
  instants: readonly number[],
  now: Date,
): Date {
  const next = [...new Set(instants)]
    .filter((instant) => instant > now.getTime())
    .sort((left, right) => left - right);
  const target = next[step.pick % Math.max(1, next.length)];
  return target === undefined ? now : new Date(Math.max(now.getTime(), target + step.offsetMs));
}

/** An exact window, and different values, keep a maximum count of at least 1, as a rule must. */
function scaled(
  rules: readonly ModelRule[],
  step: Extract<Step, { readonly do: 'scale' }>,
): readonly ModelRule[] {
  return rules.map((rule, index) => {
    if (index !== step.rule % rules.length) return rule;
    const { amount, count } = rule.max;
    const exact = typeof rule.window === 'object' && 'stepMs' in rule.window;
    const isBounded = exact || rule.distinct !== undefined;
    const scale = (maximum: number, least: number): number =>
      Math.max(least, Math.floor(maximum * step.factor));
    return {
      ...rule,
      max: {
        ...(amount === undefined ? {} : { amount: scale(amount, 0) }),
        ...(count === undefined ? {} : { count: scale(count, isBounded ? 1 : 0) }),
      },
    };
  });
}
