import type * as standings from '../../contract/standings.ts';
import type { Told } from '../../contract/words.ts';
import type { UnknownKinds } from '../rule/known-kinds.ts';
import { fieldsBeside } from './requests.ts';
import type { RequestSchema } from './requests.ts';
import type { OverrideInForce, Scope, Rule } from '../rule/rule.ts';
import type { Override, Quantity, Validity } from '../rule/own-terms.ts';
import { windowAnswer } from '../rule/windows/windows.ts';
import type { Frozen } from '../plan/plan.ts';
import type { RuleReport } from '../limits/report.ts';
import type { UntoldMaximum } from '../rule/untold.ts';
import { countOf } from '../rule/measures/measures.ts';
import { isForAll } from '../rule/rule.ts';

/** Fields that callers know already: the rule's titles, and the subjects that they named. */
export function callersOwn({ rule: { title }, subjects }: RuleReport) {
  return { title: Object.keys(title).length === 0 ? undefined : title, subjects };
}

/** Writes how a rule stands. @param own `callersOwn`, or nothing */
export function ruleJson<Own extends object>(
  { rule, window, used, held, remaining, outcome, retryAt }: RuleReport,
  own: Own,
) {
  return {
    rule: rule.id,
    ...own,
    mode: modeOf(rule),
    window: windowAnswer(rule.window, window),
    min: Object.keys(rule.min).length === 0 ? undefined : quantityJson(rule.min),
    max: quantityJson(rule.max),
    ...onExceedJson(rule),
    outcomes: rule.outcomes,
    reasonCodes: rule.reasonCodes,
    ...countOf(rule),
    override: rule.override && overrideJson(rule.override),
    used: used && quantityJson(used),
    held: held && quantityJson(held),
    remaining: remaining && quantityJson(remaining),
    outcome,
    retryAt,
  };
}

/** Writes of which payments a rule is; undefined where it is of all. */
export function scopeJson(scope: Scope): Told<typeof standings.scope> | undefined {
  return isForAll(scope) ? undefined : scope;
}

function onExceedJson({ onExceed }: Rule) {
  if (onExceed === undefined) return {};
  if (typeof onExceed === 'string') return { onExceed };
  return { onExceed: 'challenge', challenge: onExceed.challenge } as const;
}

/** Drafts and retired rules are in no decision. */
export function modeOf({ mode }: Pick<RuleReport['rule'], 'mode'>): 'enforce' | 'shadow' {
  return mode === 'shadow' ? 'shadow' : 'enforce';
}

/** Writes a freeze; null for what nobody said. */
export function frozenJson({ kind, id, freeze }: Frozen): Told<typeof standings.frozen> {
  return { subjects: { [kind]: id }, reason: freeze.reason, until: untilJson(freeze) };
}

/** Writes a subject's own maximum. */
export function overrideJson(override: Pick<OverrideInForce, 'reason' | 'until' | 'own'>) {
  return { reason: override.reason, until: untilJson(override), own: quantityJson(override.own) };
}

/** Writes the end of terms; null for none. */
export function untilJson({ until }: Validity): Date | null {
  return until ?? null;
}

/** Writes maxima that depend on the order; undefined where none does. */
export function maxByJson(
  by: { readonly [Sum in keyof Quantity]?: UntoldMaximum } | undefined,
): Told<typeof standings.maxBy> | undefined {
  const one = (maximum: UntoldMaximum | undefined) =>
    maximum && { by: maximum.by, values: maximum.values, else: maximum.otherwise };
  return by && { amount: one(by.amountMinor), count: one(by.count) };
}

/** Writes the maxima of a rule: those that depend on the order apart. */
export function maximaJson({ max, maxBy }: Pick<Rule, 'max' | 'maxBy'>) {
  const { amountMinor, count } = { ...maxBy };
  return {
    max: quantityJson({
      ...(amountMinor === undefined && max.amountMinor !== undefined
        ? { amountMinor: max.amountMinor }
        : {}),
      ...(count === undefined && max.count !== undefined ? { count: max.count } : {}),
    }),
    maxBy: maxByJson(
      maxBy && {
        ...(amountMinor && { amountMinor: { ...amountMinor, otherwise: max.amountMinor } }),
        ...(count && { count: { ...count, otherwise: max.count } }),
      },
    ),
  };
}

/** Writes amount and count. */
export function quantityJson({ amountMinor, count }: Quantity): Told<typeof standings.quantity> {
  return { amount: amountMinor, count };
}

/** Writes a maximum of a subject's own; null for none. */
export function maximumJson({ amountMinor, count }: Override['max']) {
  return { amount: amountMinor, count };
}

/** Writes how much of a maximum is taken, to a hundredth of a percent. It is 1 only where nothing is left. */
export function shareJson(share: number): number {
  const rounded = Math.round(share * 10_000) / 10_000;
  return share < 1 ? Math.min(rounded, 0.9999) : rounded;
}

const NEAREST_MAX = 3;

/** Writes unknown kinds with their nearest names. @param takes of a query, where a mistyped field looks like a kind */
export function unknownKindsJson(
  kinds: UnknownKinds | undefined,
  takes?: RequestSchema<unknown>,
): readonly Told<typeof standings.unknownKind>[] | undefined {
  if (kinds === undefined) return undefined;
  const fields = takes === undefined ? [] : fieldsBeside(takes, { subjects: '' });
  const names = [...kinds.known, ...fields];
  return kinds.unknown.map((kind) => {
    const known = names.map((name) => ({ name, edits: editsBetween(kind, name) }));
    const nearest = known.sort((one, other) => one.edits - other.edits).slice(0, NEAREST_MAX);
    return { kind, nearest: nearest.map(({ name }) => name) };
  });
}

/** How many letters must be put in, taken out or changed to make one word of another (Levenshtein). */
function editsBetween(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, letter] of Array.from(one).entries()) {
    const line = [row + 1];
    for (const [column, wanted] of Array.from(other).entries()) {
      const [left = 0, up = 0, both = 0] = [line[column], above[column + 1], above[column]];
      line.push(Math.min(left + 1, up + 1, letter === wanted ? both : both + 1));
    }
    above = line;
  }
  return above.at(-1) ?? 0;
}
