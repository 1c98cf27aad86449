import type { Mistake } from '../../shared/errors.ts';
import type { Described } from '../../shared/request.ts';
import type { Rule, Scope } from '../rule.ts';

/**
 * What a rule counts, as far as the rule says it: a kind is one file of this folder and one row of measures.ts.
 * `lib/counter/` has what becomes of its sums.
 */
export type Measure = {
  readonly isOf: (rule: Rule) => boolean;
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
  /** Whether it counts something else than orders. */
  readonly isOfOthers?: true;
};
