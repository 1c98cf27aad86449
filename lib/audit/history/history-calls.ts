import { HISTORY_WINDOWS_MAX } from './history-bounds.ts';
import type { Period } from '../../windows/calendar.ts';
import { counterKey, refundsOf } from '../../windows/counter.ts';
import { AuditOffError, InvalidRequestError } from '../../shared/errors.ts';
import type { CountedSum, RowsPage, RowsQuery, WindowSums } from './history.ts';
import type { DaySummary, HistoryBook, SummaryQuery, UsageHistory } from './history-book.ts';
import type { UsageHistoryQuery } from './history-book.ts';
import { dateAt, dayOf, lastWindows, plainWindow } from './history-windows.ts';
import type { Subjects } from '../../shared/request.ts';
import { NoSuchRuleError } from '../../rules/rule-errors.ts';
import type { Rule } from '../../rules/rule.ts';
import { unknownKindsIn } from '../../rules/known-kinds.ts';
import type { HistoryStore } from './history-store.ts';

type HistoryOptions = {
  /** Undefined where no audit is kept. */
  readonly store: HistoryStore | undefined;
  /** All rules, those on trial, drafts and retired ones among them. */
  readonly rules: () => Promise<readonly Rule[]>;
  /** Kinds that are known without a rule: those of homes, and those that may be frozen. */
  readonly knownKinds: readonly string[];
  /** The machine's clock: it says which windows are asked about, and nothing else. */
  readonly machineNow: () => Date;
};

/** Puts together what tells of the past. */
export function createHistoryBook(options: HistoryOptions): HistoryBook {
  const { store, rules, knownKinds, machineNow } = options;
  const kept = (what: string): HistoryStore => {
    if (store === undefined) throw new AuditOffError(what);
    return store;
  };
  /** Where nothing is found: a mistyped field of a query looks like a kind of which nothing is known. */
  const unknownKinds = async (subjects: Subjects) => {
    const found = unknownKindsIn(subjects, await rules(), knownKinds);
    return found === undefined ? {} : { unknownKinds: found };
  };
  return {
    async transactions(query) {
      const page = await pageOf(kept('what happened to a subject'), query);
      return page.rows.length > 0 ? page : { ...page, ...(await unknownKinds(query.subjects)) };
    },
    async usageHistory(query, at) {
      const found = kept('what was counted in the past');
      const rule = query.rule === undefined ? undefined : ruleOf(await rules(), query.rule, query);
      const told = await historyOf(found, query, rule, at ?? machineNow());
      const isEmpty = told.windows.every(({ sums }) => sums.length === 0);
      return isEmpty ? { ...told, ...(await unknownKinds(query.subjects)) } : told;
    },
    summary: (query, at) => summaryOf(kept('the summary of a day'), query, at ?? machineNow()),
  };
}

/** It reads one more row than a page has, to see whether there is a next page. */
async function pageOf(store: HistoryStore, query: RowsQuery): Promise<RowsPage> {
  const found = await store.rows({ ...query, limit: query.limit + 1 });
  const { subjects, limit } = query;
  return { subjects, rows: found.slice(0, limit), hasMore: found.length > limit };
}

/** @throws NoSuchRuleError; InvalidRequestError where it counts nothing for these subjects */
function ruleOf(
  rules: readonly Rule[],
  id: string,
  { subjects, zone }: Pick<UsageHistoryQuery, 'subjects' | 'zone'>,
): Rule {
  const rule = rules.find((one) => one.id === id);
  if (rule === undefined) throw new NoSuchRuleError(id);
  const { per, window } = rule;
  const shown = JSON.stringify(id);
  if (window.kind === 'transaction')
    throw wrong('rule', `${shown}, which is about single transactions`, 'a rule that counts');
  if (window.kind === 'calendar' && zone !== undefined)
    throw wrong('zone', JSON.stringify(zone), `none beside a rule with a zone, ${window.timeZone}`);
  if (!per.every((kind) => Object.hasOwn(subjects, kind)))
    throw wrong(
      'subjects',
      `of ${Object.keys(subjects).join(', ')}`,
      `of ${per.join(' and ')}, for whom rule ${shown} counts`,
    );
  return rule;
}

function wrong(path: string, value: string, expected: string): InvalidRequestError {
  return new InvalidRequestError([{ path, value, expected }]);
}

async function historyOf(
  store: HistoryStore,
  { subjects, zone = 'UTC', last }: UsageHistoryQuery,
  rule: Rule | undefined,
  now: Date,
): Promise<UsageHistory> {
  const window = rule?.window.kind === 'calendar' ? rule.window : plainWindow(last.unit, zone);
  const periods = lastWindows(window, last, now);
  if (periods === undefined)
    throw wrong(
      'last',
      `more than ${HISTORY_WINDOWS_MAX} windows of rule ${JSON.stringify(rule?.id)}`,
      `at most ${HISTORY_WINDOWS_MAX}: a shorter stretch`,
    );
  const counter = rule === undefined ? undefined : counterKey(rule, subjects);
  const starts = periods.map(({ start }) => start);
  const [owner] = rule?.per ?? [];
  // The counter says the others; a settlement need not have named them.
  const about = owner === undefined ? subjects : { [owner]: subjects[owner] ?? '' };
  const found = await store.countedByWindow(about, starts, counter);
  const windows = periods.map((period: Period, index): WindowSums => {
    const sums = found.filter((sum) => sum.window === index).map((sum) => asCounted(sum, counter));
    return { period, sums: byCurrency(sums) };
  });
  const named = (rule?.per ?? Object.keys(subjects)).map((kind) => [kind, subjects[kind] ?? '']);
  return {
    subjects: Object.fromEntries(named) as Subjects, // of kinds to ids
    ...(rule === undefined ? {} : { rule }),
    ...{ window, windows, now },
  };
}

/** What a counter does not give back for a refund stays counted. */
function asCounted(sum: CountedSum, counter: string | undefined): CountedSum {
  if (counter === undefined) return sum;
  const { amount, count } = refundsOf(counter);
  return {
    ...sum,
    refundedMinor: amount ? sum.refundedMinor : 0,
    refundedCount: count ? sum.refundedCount : 0,
  };
}

function byCurrency<Sum extends CountedSum>(sums: readonly Sum[]): readonly Sum[] {
  return sums.toSorted((a, b) => ((a.currency ?? '') < (b.currency ?? '') ? -1 : 1));
}

async function summaryOf(
  store: HistoryStore,
  { kind, zone, date: asked }: SummaryQuery,
  now: Date,
): Promise<DaySummary> {
  const date = asked ?? dateAt(now, zone);
  const period = dayOf(date, zone);
  const [sums, refused] = await Promise.all([
    store.countedWithin(period, kind),
    store.refusedWithin(period, kind),
  ]);
  return { ...{ kind, date, zone, period, refused, now }, sums: byCurrency(sums) };
}
