import { counterKey } from '../domain/counter.ts';
import { countingBuckets } from '../domain/decision.ts';
import type { AppliedRule, Frozen } from '../domain/plan.ts';
import { unknownKindsIn } from '../domain/known-kinds.ts';
import { ruleReports } from '../domain/report.ts';
import type { Subjects, UsageRequest } from '../domain/request.ts';
import type { Rule } from '../domain/rule.ts';
import { inEffect, ruleFor } from '../domain/rule.ts';
import { documentId } from '../domain/subject.ts';
import type { Terms } from '../domain/terms.ts';
import { freezeAt, underTerms } from '../domain/terms.ts';
import { splitUntold } from '../domain/untold.ts';
import type { RuleUsage, UsageAnswer } from '../domain/answer.ts';
import type { StaleReads } from '../store/stale-reads.ts';
import type { Context } from './context.ts';
import { learnedTime } from './context.ts';

type CountedRule = Extract<AppliedRule, { readonly kind: 'counted' }>;

/**
 * Says how every rule stands that counts for some subjects, in one round trip, and changes nothing.
 * Where it may be behind, a first one finds out by how much; what is not near enough is read of the
 * primary.
 *
 * Which transactions a rule is about does not matter here: whoever asks has none.
 */
export async function usage(
  context: Context,
  { subjects, type, attributes = {}, staleMs }: UsageRequest,
  staleReads: StaleReads | undefined,
): Promise<UsageAnswer> {
  const { counters, rules, clock, at, homeKinds, askedKinds } = context;
  const all = await rules();
  const counted = all.flatMap((rule) => countedFor(rule, subjects));
  const keys = new Map<string, Set<string>>(
    Object.entries(subjects).map(([kind, id]) => [documentId(kind, id), new Set<string>()]),
  );
  for (const { documentId: id, counter } of counted)
    keys.set(id, (keys.get(id) ?? new Set<string>()).add(counter));
  const asks = [...keys].map(([id, known]) => ({ documentId: id, counters: [...known] }));
  const estimate = at ?? clock.estimate();
  // An instant in place of the database's clock says nothing of how far behind a member is.
  const stale =
    staleMs === undefined || at !== undefined
      ? undefined
      : await staleReads?.(asks, staleMs, estimate);
  const views = stale?.views ?? (await counters.read(asks, [], estimate, at));
  // Whoever asks a secondary waits for no primary.
  const isUntold = stale !== undefined && views.size === 0 && !clock.isKnown();
  const learned = isUntold ? stale.asOf : await learnedTime(context, views.values());
  // Documents tell the time; where there are none, nothing is used at any time.
  const times = [...views.values()].map((view) => view.now.getTime());
  const now = times.length === 0 ? learned : new Date(Math.max(...times));
  const termsOf = (id: string): Terms | undefined => views.get(id)?.terms;
  const described = { subjects, attributes, ...(type === undefined ? {} : { type }) };
  const about = {
    buckets: new Map([...views].map(([id, view]) => [id, countingBuckets(view)])),
    request: { subjects, amountMinor: 0, count: 0, dryRun: false },
    now,
    leftOut: [],
  };
  const told = counted
    .filter(({ rule }) => inEffect(rule, now))
    .flatMap((one): readonly RuleUsage[] => {
      const chosen = underTerms(ruleFor(one.rule, described), termsOf(one.documentId), now);
      const { rule, ...untold } = splitUntold(chosen, described);
      return ruleReports([{ ...one, rule }], about).map((report) => ({ ...report, ...untold }));
    });
  const frozen = Object.entries(subjects).flatMap(([kind, id]): readonly Frozen[] => {
    const freeze = freezeAt(termsOf(documentId(kind, id)), now);
    return freeze === undefined ? [] : [{ kind, id, freeze }];
  });
  const asOf = staleMs === undefined ? {} : { asOf: stale?.asOf ?? now };
  const unknownKinds = unknownKindsIn(subjects, all, [...homeKinds, ...askedKinds]);
  const strange = unknownKinds === undefined ? {} : { unknownKinds };
  return { subjects, rules: told, ...strange, frozen, now, ...asOf };
}

/** A rule with its counter, where it counts for these subjects. */
function countedFor(rule: Rule, subjects: Subjects): readonly CountedRule[] {
  const [owner] = rule.per;
  const isTheirs = rule.per.every((kind) => Object.hasOwn(subjects, kind));
  if (!isTheirs || rule.window.kind === 'transaction') return [];
  const id = documentId(owner, subjects[owner] ?? '');
  return [{ kind: 'counted', rule, documentId: id, counter: counterKey(rule, subjects) }];
}
