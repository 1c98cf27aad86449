import { byStretch } from '../rule/by-stretch.ts';
import { inEffectBetween } from '../rule/in-effect.ts';
import { isCounted } from '../rule/windows/windows.ts';
import type { Plan } from './plan.ts';
import { withKeys } from './with-keys.ts';
import type { RuleFacts } from './rule-part.ts';
import { NO_NAMES } from './rule-part.ts';
import type { Rule } from '../rule/rule.ts';
import type { Subjects } from '../shared/request.ts';
import type { StretchSource } from './stretch.ts';
import { stretchAt } from './stretch.ts';

/** The rules whose sums an order enters, with their plans. */
export class MatchingRules {
  readonly signature: string;
  readonly source: StretchSource;
  readonly #stretchAt: (at: Date) => Plan;
  /** Rules whose counters are those of several subjects, and their keys of no names. */
  readonly #ofSeveral: readonly { readonly rule: Rule; readonly key: string }[];
  readonly #owners: readonly string[] | undefined;
  readonly #facts: RuleFacts;

  constructor(signature: string, source: StretchSource, facts: RuleFacts) {
    this.signature = signature;
    this.source = source;
    this.#facts = facts;
    this.#ofSeveral = source.concerned
      .filter(({ rule: { per, window } }) => per.length > 1 && isCounted(window))
      .map(({ rule }) => ({ rule, key: facts.counterOf(rule, NO_NAMES) }));
    this.#stretchAt = byStretch(
      (at) => stretchAt(source, facts, at),
      ({ from, until }) => ({ start: from, until }),
    );
    const isSteady = source.concerned.every(({ rule }) => !rule.from && !rule.to && !rule.when);
    this.#owners = isSteady ? this.#ownersBetween(0, 0) : undefined;
  }

  get size(): number {
    return 1 + this.source.concerned.length;
  }

  /** The plan of a stretch of time, with the counters of some subjects. */
  planAt(at: Date, subjects: Subjects): Plan {
    const plan = this.#stretchAt(at);
    if (this.#ofSeveral.length === 0) return plan;
    return withKeys(
      plan,
      new Map(this.#ofSeveral.map(({ rule, key }) => [key, this.#facts.counterOf(rule, subjects)])),
    );
  }

  /** The kinds whose documents have the counters of rules in effect within a tolerance of an instant. */
  ownersNear(at: Date, toleranceMs: number): readonly string[] {
    const ms = at.getTime();
    return this.#owners ?? this.#ownersBetween(ms - toleranceMs, ms + toleranceMs);
  }

  #ownersBetween(earliest: number, latest: number): readonly string[] {
    const counted = this.source.concerned.filter(
      ({ rule }) =>
        isCounted(rule.window) && inEffectBetween(rule, earliest, latest, this.#facts.timesAt),
    );
    return [...new Set(counted.map(({ rule }) => rule.per[0]))];
  }
}
