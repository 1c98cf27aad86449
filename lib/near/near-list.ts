import type { NearAnswer, NearQuery } from './near.ts';
import { NoSuchRuleError } from '../rules/rule-errors.ts';
import { present } from '../shared/present.ts';
import type { Rule } from '../rules/rule.ts';
import type { NearStore } from './near-store.ts';

type NearSources = {
  readonly store: NearStore;
  readonly rules: () => Promise<readonly Rule[]>;
  /** Whether calls write what they cross. */
  readonly isKept: boolean;
  readonly machineNow: () => Date;
};

/**
 * Lists who is near a maximum: a page of the rows that are not over.
 *
 * @throws NoSuchRuleError, for an empty list of a rule that is mistyped would say that nobody is
 */
export async function listNear(
  { store, rules, isKept, machineNow }: NearSources,
  query: NearQuery,
  at?: Date,
): Promise<NearAnswer> {
  const { rule, limit } = query;
  if (rule !== undefined && !(await rules()).some(({ id }) => id === rule))
    throw new NoSuchRuleError(rule);
  const now = at ?? machineNow();
  const { rows: found, scannedAt } = await store.page(query, now);
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return {
    ...{ rows, isKept, now },
    ...present({ next: last && { percent: last.percent, id: last.id }, scannedAt }),
  };
}
