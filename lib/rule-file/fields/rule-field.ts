import type * as z from 'zod/mini';
import type { Find, Wrong } from '../../schema/mistakes.ts';
import type { Language } from '../../shared/language.ts';
import type { Rule } from '../../rule/rule.ts';

/** @param wallText writes an instant on the clock of the rule's zone */
export type Clauses = (
  rule: Rule,
  language: Language,
  wallText: (at: Date) => string,
) => readonly string[];

/**
 * All that the model of rules knows of one field of a rule. A field is a file of this folder, or a row of
 * fields.ts. The JSON schema, OpenAPI and the client's types come from `schema`.
 */
export type RuleField<Schema extends z.ZodMiniType = z.ZodMiniType> = {
  /** Its values in a rule file, with its description. */
  readonly schema: Schema;
  /** The part of a rule that a value is read to. */
  readonly becomes: (given: Exclude<z.output<Schema>, undefined>) => Partial<Rule>;
  /** The part of a rule that does not have the field, where there is one. */
  readonly otherwise?: Partial<Rule>;
  /** Finds what is wrong between it and other fields. Each may be right by itself. */
  readonly between?: (find: Find) => Iterable<Wrong>;
  /** Present if it is part of the counter: rules with another text count elsewhere, and a change begins at zero. */
  readonly counter?: (rule: Rule) => string;
  /**
   * Whether more may pass after a change. Absent: after every change, since nobody can compare. `never`: after none.
   * `compared`: lib/four-eyes looks at the values.
   */
  readonly raise?: 'never' | 'compared';
  /** What a sentence says of it after its first clause, which is about `per`, `min`, `max` and `window`. */
  readonly clauses?: Clauses;
};
