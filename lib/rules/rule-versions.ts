import type { VersionQuery } from './rule-edit.ts';
import type { RuleSet } from './rule-set.ts';

/** Which changes of rules are asked for: of one rule or of all, and before a version or all. */
export function versionFilter({ id, before }: Pick<VersionQuery, 'id' | 'before'>) {
  return {
    ...(id === undefined ? {} : { rule: id }),
    ...(before === undefined ? {} : { version: { $lt: before } }),
  };
}

/** A set as it was read; which file was loaded last may change without a revision. Null is none. */
export function stillFilter({ revision, loaded }: RuleSet): Readonly<Record<string, unknown>> {
  return { revision, loaded: loaded ?? null };
}
