import type { Period } from '../rule/zoned.ts';
import { counterKey, originOf, scopeOf, stillReadUnder } from '../rule/counter.ts';
import type { StillRead, Values } from '../rule/counter-key.ts';
import type { PlanSettings } from './plan.ts';
import type { CheckRequest, Subjects } from '../shared/request.ts';
import { bucketsNeeded, measureOf, valuesOf } from '../rule/measures/measures.ts';
import type { Rule } from '../rule/rule.ts';
import { counts, isAsked, lowers } from '../rule/counting.ts';
import { isForAll, isLifted, isLive, isSameForAll } from '../rule/rule.ts';
import { begunFor, hasProof, maxFor, passingOf, ruleFor } from '../rule/rule-for-order.ts';
import type { Terms } from '../rule/own-terms.ts';
import type { TimesAt } from '../rule/in-effect.ts';
import { hasTimes, timesAt } from '../rule/in-effect.ts';
import type { Times, TimesAround } from '../rule/times.ts';
import type { Concerned, RuleFacts } from './rule-part.ts';
import { partOf } from './rule-part.ts';
import { isRequiring, lackingIn } from '../rule/require.ts';
import type { ConcernedPart, SubjectTerms } from './matching-rules.ts';
import { MatchingRules } from './matching-rules.ts';
import { byStretch } from '../rule/by-stretch.ts';
import { countersOf } from '../counter/kinds.ts';
import type { PairsRoom } from '../document/document-plan.ts';
import { BUCKETS_MAX, BUCKETS_OF_OTHERS } from '../shared/bounds.ts';
import type { CountedWindow, Window } from '../rule/windows/windows.ts';
import { begins, bucketPeriod, isCounted, sinceOf } from '../rule/windows/windows.ts';

/** Rules that all remembered sets of matching rules may have together: some megabytes. */
const REMEMBERED_RULES_MAX = 5_000;

/** Compiles the rules of a deployment: once, when they are loaded. */
export function compile(rules: readonly Rule[]): CompiledRules {
  const revisions = rules.flatMap(({ version }) => version ?? []);
  const revision = revisions.length === 0 ? undefined : Math.max(...revisions);
  return new CompiledRules(rules.filter(isLive), revision, stillReadUnder(rules));
}

/** The live rules, and what does not change from call to call: counters, windows, the plan of each stretch of time. */
export class CompiledRules implements RuleFacts {
  readonly live: readonly Rule[];
  readonly revision: number | undefined;
  readonly stillRead: StillRead | undefined;
  readonly #requiring: readonly Rule[];
  readonly #besides: readonly Rule[];
  readonly #keeping: readonly Rule[];
  readonly #matchers: readonly Matcher[];
  readonly #names: ReadonlyMap<
    string,
    { readonly scope: string; readonly origin: string | undefined }
  >;
  readonly #windows: ReadonlyMap<Window, (at: Date) => Period>;
  readonly #times: ReadonlyMap<Times, (at: Date) => TimesAround>;
  /** Parts of rules that are the same for all orders that they count. */
  readonly #parts: ReadonlyMap<Rule, ConcernedPart>;
  readonly #pairs = new Map<string, PairsRoom>();
  readonly #matching = new Map<string, MatchingRules>();
  #remembered = 0;

  constructor(
    live: readonly Rule[],
    revision: number | undefined,
    stillRead: StillRead | undefined,
  ) {
    this.live = live;
    this.revision = revision;
    this.stillRead = stillRead;
    this.#requiring = live.filter(isRequiring);
    this.#besides = live.filter((rule) => measureOf(rule).beside !== undefined);
    this.#keeping = live.filter((rule) => measureOf(rule).kept !== undefined);
    this.#matchers = live.map((rule, place) => ({
      rule,
      place,
      isScoped:
        rule.per.length > 1 ||
        !isForAll(rule.counts) ||
        sinceOf(rule.window) !== undefined ||
        measureOf(rule).needs !== undefined,
      isDistinct: !isSameForAll(rule) || isLifted(rule),
    }));
    this.#parts = new Map(
      this.#matchers
        .filter(({ isDistinct }) => !isDistinct)
        .map(({ rule }) => [rule, this.#partOf({ rule, isAsked: true })]),
    );
    this.#names = new Map(
      live.map((rule) => [rule.id, { scope: scopeOf(rule), origin: originOf(rule) }]),
    );
    this.#times = new Map(
      live.filter(hasTimes).map((rule) => {
        const around = (at: Date): TimesAround => timesAt(rule, at);
        return [rule.when, byStretch(around, (period) => period)] as const;
      }),
    );
    this.#windows = new Map(
      live.flatMap(({ window }) => {
        if (!begins(window)) return [];
        const periodAt = (at: Date): Period => bucketPeriod(window, at);
        return [[window, byStretch(periodAt, (period) => period)] as const];
      }),
    );
  }

  timesAt: TimesAt = (rule, at) => this.#times.get(rule.when)?.(at) ?? timesAt(rule, at);

  counterOf(rule: Rule, subjects: Subjects): string {
    const isOfOrder = sinceOf(rule.window)?.at !== undefined;
    const { scope, origin } = this.#names.get(rule.id) ?? {};
    return counterKey(rule, subjects, isOfOrder ? undefined : scope, origin);
  }

  periodOf(window: CountedWindow, at: Date): Period {
    return this.#windows.get(window)?.(at) ?? bucketPeriod(window, at);
  }

  /** Rules of one subject keep the buckets that they may need, and some. */
  pairsIn = (kind: string): PairsRoom => {
    const known = this.#pairs.get(kind);
    if (known !== undefined) return known;
    const ofOne = new Map<string, number>();
    for (const rule of this.live)
      if (rule.per.length === 1 && rule.per[0] === kind && isCounted(rule.window)) {
        const key = counterKey(rule, {});
        ofOne.set(key, bucketsNeeded(rule));
        for (const beside of countersOf(key)) if (beside !== key) ofOne.set(beside, 0);
      }
    const others = [...ofOne.values()].reduce((sum, needed) => sum + needed, 0);
    const most = BUCKETS_MAX - Math.max(BUCKETS_OF_OTHERS, others);
    const made = { most, ofOne: new Set(ofOne.keys()) };
    this.#pairs.set(kind, made);
    return made;
  };

  /** The values of an order that rules count; undefined where they count none. */
  valuesOf(request: CheckRequest): Values | undefined {
    if (this.#keeping.length === 0) return undefined;
    const counting = this.#keeping.filter((rule) => counts(rule, request));
    return valuesOf(counting, request);
  }

  matching(request: CheckRequest, { needsRule }: PlanSettings): MatchingRules {
    const { subjects, currency } = request;
    let signature: string = needsRule;
    for (const { rule, place, isScoped, isDistinct } of this.#matchers) {
      if (rule.currency !== undefined && rule.currency !== currency) continue;
      if (!Object.hasOwn(subjects, rule.per[0]) || (isScoped && !counts(rule, request))) continue;
      signature += isDistinct ? ` ${place}${distinction(rule, request)}` : ` ${place}`;
    }
    const lacking = lackingIn(this.#requiring, request);
    // With its instant: the rule is that of this order.
    for (const { rule, names, mistake } of lacking) {
      const at = sinceOf(rule.window)?.at ?? mistake?.value ?? '';
      signature += ` ${rule.id}:${JSON.stringify([at, ...names])}`;
    }
    for (const rule of this.#besides) {
      if (lowers(rule, request)) signature += ` -${rule.id}${distinction(rule, request)}`;
    }
    return this.#remember(signature, () => {
      const concerned = [
        ...this.live
          .filter((rule) => counts(rule, request))
          .map((rule) => this.#parts.get(rule) ?? this.#partOf(forOrder(rule, request))),
        ...this.#besides
          .filter((rule) => lowers(rule, request))
          .map((rule) => {
            const lowering = { ...begunFor(rule, request), lowers: true as const };
            return this.#partOf({ rule: lowering, isAsked: false });
          }),
      ];
      return new MatchingRules(signature, { concerned, withTerms: [], needsRule, lacking }, this);
    });
  }

  /** These rules for subjects that have terms of their own, in the version that is given. */
  under(all: MatchingRules, withTerms: readonly SubjectTerms[]): MatchingRules {
    const { needsRule, lacking } = all;
    const versions = withTerms.map(({ document, terms }) =>
      JSON.stringify([document, terms.version]),
    );
    const signature = [all.signature, ...versions].join();
    return this.#remember(signature, () => {
      const concerned = all.concerned.map((one) => {
        const [owner] = one.rule.per;
        const terms = withTerms.find(({ kind }) => kind === owner)?.terms;
        return terms === undefined ? one : this.#partOf(one, terms);
      });
      return new MatchingRules(signature, { concerned, withTerms, needsRule, lacking }, this);
    });
  }

  #partOf({ rule, isAsked }: Concerned, terms?: Terms): ConcernedPart {
    return { rule, isAsked, partAt: partOf({ rule, isAsked }, terms, this) };
  }

  #remember(signature: string, make: () => MatchingRules): MatchingRules {
    const known = this.#matching.get(signature);
    if (known !== undefined) return known;
    const made = make();
    this.#matching.set(signature, made);
    this.#remembered += made.size;
    for (const [oldest, { size }] of this.#matching) {
      if (this.#remembered <= REMEMBERED_RULES_MAX) break;
      this.#matching.delete(oldest);
      this.#remembered -= size;
    }
    return made;
  }
}

function forOrder(rule: Rule, request: CheckRequest): Concerned {
  return { rule: ruleFor(rule, request), isAsked: isAsked(rule, request) };
}

type Matcher = {
  readonly rule: Rule;
  readonly place: number;
  /** More decides whether it applies than the currency and the first subject. */
  readonly isScoped: boolean;
  /** It is not the same for all orders that it counts. */
  readonly isDistinct: boolean;
};

/** Sets a rule apart for an order that it counts: its maximum, and the instant with which its window begins. */
function distinction(rule: Rule, request: CheckRequest): string {
  const { amountMinor = '', count = '' } = maxFor(rule, request);
  const asked = [isAsked(rule, request), hasProof(rule, request), passingOf(rule, request)];
  const at = sinceOf(begunFor(rule, request).window)?.at ?? '';
  return JSON.stringify([...asked, at, amountMinor, count]);
}
