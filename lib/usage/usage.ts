import { countingBuckets } from '../document/decision.ts';
import type { DocumentView } from '../document/document.ts';
import type { Frozen } from '../plan/plan.ts';
import { unknownKindsIn } from '../rule/known-kinds.ts';
import { ruleReports } from '../limits/report.ts';
import type { Described, UsageRequest } from '../shared/request.ts';
import type { Rule } from '../rule/rule.ts';
import { isBegun, ruleFor } from '../rule/rule-for-order.ts';
import { mistakeIn, mistakesError } from '../rule/require.ts';
import { documentKind } from '../rule/rule.ts';
import { isDated, nextEffect } from '../rule/in-effect.ts';
import { isCounted, sinceOf } from '../rule/windows/windows.ts';
import { appliedRule } from '../plan/rule-part.ts';
import { present } from '../shared/present.ts';
import { documentOf } from '../shared/subject.ts';
import { freezeAt, underTerms } from '../rule/terms.ts';
import { splitUntold } from '../rule/untold.ts';
import type { RuleUsage, UsageAnswer } from '../limits/answer.ts';
import type { Context } from '../limits/context.ts';
import { learnedTime } from '../limits/context.ts';

/**
 * Reads documents from a secondary, with everything that was written before `asOf`.
 *
 * @param staleMs how far behind they may be
 * @returns undefined where no member is known to be as near
 * @throws UndecidedError where the store does not answer
 */
export type StaleReads = (
  documentIds: readonly string[],
  staleMs: number,
  estimate: Date,
) => Promise<
  { readonly asOf: Date; readonly views: ReadonlyMap<string, DocumentView> } | undefined
>;

/**
 * Says how every rule of some subjects stands. `counts` and `appliesTo` do not matter here, because there is
 * no payment to match.
 */
export async function usage(
  context: Context,
  { subjects, type, attributes = {}, staleMs }: UsageRequest,
  staleReads: StaleReads | undefined,
): Promise<UsageAnswer> {
  const { counters, clock, at, homeKinds, askedKinds } = context;
  const rules = await context.rules();
  const counting = rules.live.filter(
    (rule) => isCounted(rule.window) && rule.per.every((kind) => Object.hasOwn(subjects, kind)),
  );
  const kinds = [...new Set([...Object.keys(subjects), ...counting.map(documentKind)])];
  const asks = kinds.map((kind) => documentOf(kind, subjects));
  const estimate = at ?? clock.estimate();
  // An instant in place of the database's clock says nothing of how far behind a member is.
  const stale =
    staleMs === undefined || at !== undefined
      ? undefined
      : await staleReads?.(asks, staleMs, estimate);
  const views = stale?.views ?? (await counters.read(asks, [], estimate, at));
  // A call that asks a secondary waits for no primary.
  const isUntold = stale !== undefined && views.size === 0 && !clock.isKnown();
  const learned = isUntold ? stale.asOf : await learnedTime(context, views.values());
  // Documents tell the time; where there are none, nothing is used at any time.
  const times = [...views.values()].map((view) => view.now.getTime());
  const now = times.length === 0 ? learned : new Date(Math.max(...times));
  const byKind = new Map<string, DocumentView>();
  for (const kind of kinds) {
    const view = views.get(documentOf(kind, subjects));
    if (view !== undefined) byKind.set(kind, view);
  }
  const described = { subjects, attributes, ...present({ type }) };
  const about = {
    buckets: new Map([...byKind].map(([kind, view]) => [kind, countingBuckets(view)])),
    // No order: as one that is among what counts, and of which all maxima are asked.
    request: { subjects, amountMinor: 1, count: 1, dryRun: false, capture: false },
    now,
    leftOut: [],
  };
  const mistaken = mistakesError(counting.flatMap((rule) => mistakeIn(rule, described) ?? []));
  if (mistaken !== undefined) throw mistaken;
  const told = counting
    .filter((rule) => isBegun(rule, described))
    .map((one) => ({ one, asked: ruleFor(one, described) }))
    .filter(({ asked }) => isDated(asked, now))
    .flatMap(({ one, asked }): readonly RuleUsage[] => {
      const chosen = underTerms(asked, byKind.get(one.per[0])?.terms, now);
      const { rule, ...untold } = splitUntold(chosen, described);
      const applied = appliedRule(rule, subjects, rules, now);
      return ruleReports([applied], about).map((report) => ({
        ...report,
        ...untold,
        beginsAt: nextEffect(asked, now),
        later: laterOf(chosen, one, described),
        own: chosen.override && ownOf(asked, described),
      }));
    });
  const withoutInstant = withoutInstantIn(counting, described, now);
  const without = Object.keys(subjects).filter((kind) => !byKind.has(kind));
  const unseen = without.length === 0 ? undefined : without;
  const asOf = staleMs === undefined ? undefined : (stale?.asOf ?? now);
  const unknownKinds = unknownKindsIn(subjects, rules.live, [...homeKinds, ...askedKinds]);
  return {
    subjects,
    rules: told,
    withoutInstant: withoutInstant.length === 0 ? undefined : withoutInstant,
    frozen: frozenIn(subjects, byKind, now),
    now,
    unknownKinds,
    unseen,
    asOf,
  };
}

function frozenIn(
  subjects: UsageRequest['subjects'],
  views: ReadonlyMap<string, DocumentView>,
  now: Date,
): readonly Frozen[] {
  return Object.entries(subjects).flatMap(([kind, id]) => {
    const freeze = freezeAt(views.get(kind)?.terms, now);
    return freeze === undefined ? [] : [{ kind, id, freeze }];
  });
}

/** The rules in whose windows nothing can be found, because nobody said when they begin. */
function withoutInstantIn(
  rules: readonly Rule[],
  described: Described,
  now: Date,
): NonNullable<UsageAnswer['withoutInstant']> {
  return rules
    .filter((rule) => isDated(rule, now) && !isBegun(rule, described))
    .flatMap(({ id, window }) => {
      const since = sinceOf(window);
      return since === undefined ? [] : [{ rule: id, attribute: since.attribute }];
    });
}

/** What terms make of a maximum later. @param one the rule as it is configured */
function laterOf({ later }: Rule, one: Rule, described: Described): RuleUsage['later'] {
  return later?.map(({ from, max, maxBy }) => {
    const { rule: then, ...rest } = splitUntold({ ...one, max, ...present({ maxBy }) }, described);
    return { from, max: then.max, ...rest };
  });
}

/** What a rule has of its own, where a subject's terms are in its place. */
function ownOf(rule: Rule, described: Described): NonNullable<RuleUsage['own']> {
  const { rule: known, ...untold } = splitUntold(rule, described);
  return { max: known.max, ...untold };
}
