import { countingBuckets } from '../document/decision.ts';
import type { CounterStore } from '../document/counter-store.ts';
import type { DocumentView } from '../document/document.ts';
import { emptyView } from '../document/document.ts';
import { standingOf, shareTaken } from '../limits/standing.ts';
import type { CompiledRules } from '../plan/compile.ts';
import { compile } from '../plan/compile.ts';
import { NoSuchRuleError } from '../changes/rule-edit.ts';
import { isOfFailures } from '../rule/counting.ts';
import type { Rule } from '../rule/rule.ts';
import { overrideName } from '../rule/rule.ts';
import { appliedRule } from '../plan/rule-part.ts';
import type { NearAnswer, NearNow, NearQuery, NearStore } from './near.ts';
import { ruleAgain, termsDocument, withTermsOf } from './near-scan.ts';
import type { NearRow } from '../limits/near-row.ts';
import { toldMax } from '../limits/near-row.ts';

/** What the list is made from. */
type NearSources = {
  readonly store: NearStore;
  /** In force. */
  readonly rules: () => Promise<readonly Rule[]>;
  readonly counters: Pick<CounterStore, 'read'>;
  /** Whether calls write what they cross. */
  readonly isKept: boolean;
};

/**
 * Reads a page of rows, and then their documents in one more request: a row says what was reached, and the
 * document what is used now. Rows of rules that no longer count there are left out.
 *
 * @param estimate of the database's clock
 * @param at stands in its place, in tests and in local mode
 * @throws NoSuchRuleError, because an empty list for a mistyped rule would say that nobody is near
 */
export async function listNear(
  { store, rules: source, counters, isKept }: NearSources,
  query: NearQuery,
  estimate: Date,
  at?: Date,
): Promise<NearAnswer> {
  const rules = await source();
  const named = rules.find(({ id }) => id === query.rule);
  if (query.rule !== undefined && named === undefined) throw new NoSuchRuleError(query.rule);
  const rule = named && overrideName(named);
  const page = await store.page({ ...query, rule }, at ?? estimate);
  const documents = [...new Set(page.rows.flatMap((row) => [row.document, termsDocument(row)]))];
  const views =
    documents.length === 0
      ? new Map<string, DocumentView>()
      : await counters.read(documents, [], estimate, at);
  const compiled = compile(rules);
  const now = at ?? estimate;
  const rows = page.rows.flatMap((row) => {
    const view = views.get(row.document) ?? emptyView(now);
    const inForce = withTermsOf(view, views.get(termsDocument(row)));
    const again = ruleAgain(row, inForce, compiled);
    if (again === undefined) return [];
    const standing = nearNow(row, again, inForce, compiled);
    return standing === undefined ? [] : [{ ...row, ruleId: again.id, now: standing }];
  });
  return { ...page, rows, isKept, now };
}

const NO_ASK = { amountMinor: 0, count: 0 };

/** How the maximum of a listed rule stands; undefined where its window is over. */
function nearNow(
  row: NearRow,
  rule: Rule,
  view: DocumentView,
  rules: CompiledRules,
): NearNow | undefined {
  const applied = appliedRule(rule, row.subjects, rules, view.now);
  const start = applied.kind === 'counted' ? applied.window?.start : undefined;
  if (row.start !== undefined && row.start.getTime() !== start?.getTime()) return undefined;
  const { used, held } = standingOf(applied, countingBuckets(view), NO_ASK);
  return {
    used,
    held,
    max: rule.max,
    isOverride: rule.maxBy === undefined ? rule.override !== undefined : row.isOverride,
    // A rule of failures takes nothing for payments under way.
    share: shareTaken({ rule: { max: toldMax(rule) }, used, held: isOfFailures(rule) ? {} : held }),
  };
}
