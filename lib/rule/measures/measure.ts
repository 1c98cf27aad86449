import type { Mistake } from '../../shared/errors.ts';
import type { Language } from '../../shared/language.ts';
import type { Described } from '../../shared/request.ts';
import type { CountOf, Rule, Scope } from '../rule.ts';

/** How a count is written. A figure beside the maximum stands alone: so does what was asked, unless a kind says it. */
export type CountWords = {
  readonly count: (figure: string, isOne: boolean) => string;
  readonly asked?: string;
};

/** What sets kinds apart. */
export type Measured = CountOf & Pick<Rule, 'minus'>;

/**
 * What a rule counts, as far as the rule says it: a kind is one file of this folder and one row of measures.ts.
 * `lib/counter/` has what becomes of its sums.
 */
export type Measure = {
  readonly isOf: (rule: Measured) => boolean;
  /** What sets its counters apart from those of other rules, digested. Stored sums are named by it. */
  readonly scope: (rule: Rule) => readonly string[];
  /** The last of the marks in its counters' keys. */
  readonly mark?: (rule: Rule) => string;
  /** The end of its counters' keys. */
  readonly name?: (rule: Rule) => string;
  /** Names of orders on which it depends. */
  readonly names: (rule: Rule) => readonly string[];
  /** Those of them that an order must have. */
  readonly needs?: (rule: Rule) => readonly string[];
  /** What an order says instead of what the rule counts. Nothing in force takes it, and it is none of the rule's. */
  readonly mistake?: (rule: Rule, order: Described) => Mistake | undefined;
  /** What its counters keep of an order beside amount and number, by name. */
  readonly kept?: (rule: Rule, order: Described) => readonly [name: string, is: string] | undefined;
  /** The orders that enter the counter beside its own. */
  readonly beside?: (rule: Rule) => Scope | undefined;
  /** The largest maximum count that a rule may have. */
  readonly countMax?: number;
  /** What it counts in place of orders. */
  readonly others?: string;
  /** As answers and rows tell it beside a count. */
  readonly told?: (rule: CountOf) => CountOf;
  /** As people are told it. Absent: a number of payments. */
  readonly words?: (rule: CountOf, language: Language) => CountWords;
};
