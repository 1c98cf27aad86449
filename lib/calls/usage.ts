import { counterKey } from '../domain/counter.ts';
import { countingBuckets } from '../domain/decision.ts';
import type { DocumentView } from '../domain/document.ts';
import type { AppliedRule } from '../domain/plan.ts';
import { reportOn } from '../domain/report.ts';
import type { CheckRequest, Subjects, UsageRequest } from '../domain/request.ts';
import type { Rule } from '../domain/rule.ts';
import { inEffect } from '../domain/rule.ts';
import { documentId } from '../domain/subject.ts';
import type { UsageAnswer } from '../domain/answer.ts';
import type { Context } from './context.ts';

type CountedRule = Extract<AppliedRule, { readonly kind: 'counted' }>;

/** Nothing is asked for: the report says how rules stand. */
const NOTHING: Omit<CheckRequest, 'appId' | 'subjects'> = {
  orderId: '',
  amountMinor: 0,
  currency: '',
  count: 0,
  attributes: {},
  holdMs: 0,
  capture: false,
  dryRun: false,
};

/**
 * Says how every rule stands that counts for some subjects, in one round trip, and changes nothing.
 *
 * Which transactions a rule is about does not matter here: whoever asks has none.
 */
export async function usage(
  { counters, rules, clock, at }: Context,
  { appId, subjects }: UsageRequest,
): Promise<UsageAnswer> {
  const counted = (await rules()).flatMap((rule) => countedFor(rule, subjects));
  const keys = new Map<string, Set<string>>();
  for (const { documentId: id, counter } of counted)
    keys.set(id, (keys.get(id) ?? new Set<string>()).add(counter));
  const asks = [...keys].map(([id, known]) => ({ documentId: id, counters: [...known] }));
  const estimate = at ?? clock.estimate();
  const views: ReadonlyMap<string, DocumentView> =
    asks.length === 0 ? new Map() : await counters.read(asks, [], estimate, at);
  let now = estimate;
  for (const view of views.values()) {
    clock.observe(view.databaseNow);
    if (view.now > now) now = view.now;
  }
  const applied = counted.filter(({ rule }) => inEffect(rule, now));
  const report = reportOn({
    plan: {
      from: now,
      until: now,
      rules: applied,
      entered: applied,
      needsRule: false,
      barred: false,
      counters: new Map(),
    },
    buckets: new Map([...views].map(([id, view]) => [id, countingBuckets(view)])),
    request: { ...NOTHING, appId, subjects },
    now,
    leftOut: [],
  });
  return { subjects, rules: report.rules, now };
}

/** A rule with its counter, where it counts for these subjects. */
function countedFor(rule: Rule, subjects: Subjects): readonly CountedRule[] {
  const [owner] = rule.per;
  const isTheirs = rule.per.every((kind) => Object.hasOwn(subjects, kind));
  if (!isTheirs || rule.window.kind === 'transaction') return [];
  const id = documentId(owner, subjects[owner] ?? '');
  return [{ kind: 'counted', rule, documentId: id, counter: counterKey(rule, subjects) }];
}
