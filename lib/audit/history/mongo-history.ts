import { kindOf } from '../../counter/kinds.ts';
import { measureOf } from '../../rule/measures/measures.ts';
import type { Collection, Filter } from 'mongodb';
import { MongoServerError } from 'mongodb';
import { counterKey } from '../../rule/counter.ts';
import { AUDIT_ROWS_AT_ONCE_MAX, HISTORY_WINDOWS_MAX } from '../../shared/bounds.ts';
import { InvalidRequestError } from '../../shared/errors.ts';
import { AuditOffError } from '../audit.ts';
import type { CheckedRow } from '../checked.ts';
import { asChecked } from '../checked.ts';
import type { HistoryBook, RefusedAlike, UsageHistoryQuery } from './history.ts';
import { ClusterTooOldError, TooManyRowsError } from './history.ts';
import { dateAt, dayOf, lastWindows, plainWindow } from './history-windows.ts';
import type { Subjects } from '../../shared/request.ts';
import { NoSuchRuleError } from '../../changes/rule-edit.ts';
import type { Rule } from '../../rule/rule.ts';
import { documentKind } from '../../rule/rule.ts';
import { documentOf } from '../../shared/subject.ts';
import { calendarOf, isCounted, sinceOf } from '../../rule/windows/windows.ts';
import { unknownKindsIn } from '../../rule/known-kinds.ts';
import type { SumRow } from './mongo-sums.ts';
import { less, countedSums } from './mongo-sums.ts';
import type { Statement } from './history-pipeline.ts';
import {
  CHECKED_FIELDS,
  checksFilter,
  countedByWindow,
  countedWithin,
  NEWEST_ROWS_FIRST,
  refusedWithin,
  rowsFilter,
} from './history-pipeline.ts';
import { whenConnected } from '../../mongo/client.ts';
import { TIME_IS_OVER, decided, serverMs } from '../../mongo/failure.ts';
import type { AuditDocument, ReadRow } from '../mongo-audit-store.ts';
import { readRow, ROW_FIELDS } from '../mongo-audit-store.ts';

/**
 * A router before 5.1 looks nothing up in a collection that is spread.
 * Source: mongodb/mongo, src/mongo/db/pipeline/lite_parsed_pipeline.cpp.
 */
const CANNOT_BE_SHARDED = 28_769;

type HistoryOptions = {
  /** Undefined if `AUDIT=off`. */
  readonly rows: Collection<AuditDocument> | undefined;
  /** Longest wait for one statement. */
  readonly timeoutMs: number;
  /** Those on trial, drafts and retired ones among them. */
  readonly rules: () => Promise<readonly Rule[]>;
  /** Kinds that are known without a rule. */
  readonly knownKinds: readonly string[];
  /** The machine's clock: it says which windows are asked about, and nothing else. */
  readonly machineNow: () => Date;
};

/** Reads the past in MongoDB, from the primary: what a call has just written is in it. */
export function mongoHistory(options: HistoryOptions): HistoryBook {
  const { rows, timeoutMs, rules, knownKinds, machineNow } = options;
  const kept = (what: string) => {
    if (rows === undefined) throw new AuditOffError(what);
    return readsOf(rows, timeoutMs);
  };
  /** A mistyped field of a query looks like a kind of which nothing is found. */
  const unknownKinds = async (isEmpty: boolean, subjects: Subjects) =>
    isEmpty ? unknownKindsIn(subjects, await rules(), knownKinds) : undefined;
  return {
    async transactions(query) {
      const { subjects, limit } = query;
      const reads = kept('what happened to a subject');
      const found = await reads.find<ReadRow>(rowsFilter(query), limit + 1, ROW_FIELDS);
      const rows = found.map(readRow);
      const ofChecks = checksFilter(rows);
      const checks = ofChecks
        ? await reads.find<CheckedRow>(ofChecks, AUDIT_ROWS_AT_ONCE_MAX, CHECKED_FIELDS)
        : [];
      const unknown = await unknownKinds(found.length === 0, subjects);
      const told = rows.map((row) => asChecked(row, checks));
      return { subjects, limit, rows: told, unknownKinds: unknown };
    },

    async usageHistory(query, at) {
      const reads = kept('what was counted in the past');
      const rule = query.rule === undefined ? undefined : ruleOf(await rules(), query.rule, query);
      const now = at ?? machineNow();
      const { zone = 'UTC', last } = query;
      const window = (rule && calendarOf(rule.window)) ?? plainWindow(last.unit, zone);
      const periods = lastWindows(window, last, now);
      if (periods === undefined)
        throw wrong(
          'last',
          `more than ${HISTORY_WINDOWS_MAX} windows of rule ${JSON.stringify(rule?.id)}`,
          `at most ${HISTORY_WINDOWS_MAX}: a shorter stretch`,
        );
      const subjects = subjectsOfKinds(rule?.per ?? Object.keys(query.subjects), query.subjects);
      const counter = rule && counterKey(rule, query.subjects);
      // The counter says its other subjects; a settlement need not have named them.
      const kinds = rule === undefined ? Object.keys(subjects) : [documentKind(rule)];
      const about = kinds.map((kind) => documentOf(kind, subjects));
      const starts = periods.map(({ start }) => start);
      const { found, sumsAt } = await sumsByWindow(reads, about, starts, counter, rule, now);
      const windows = periods.map((period, index) => ({ period, sums: sumsAt(index) }));
      const unknown = await unknownKinds(found === 0, query.subjects);
      return { subjects, rule: rule?.id, window, windows, unknownKinds: unknown, now };
    },

    async summary({ kind, zone, date: asked }, at) {
      const { aggregate, name } = kept('the summary of a day');
      const now = at ?? machineNow();
      const date = asked ?? dateAt(now, zone);
      const period = dayOf(date, zone);
      const [sums, refused] = await Promise.all([
        aggregate<SumRow>(countedWithin(period, kind, name)),
        aggregate<RefusedRow>(refusedWithin(period, kind)),
      ]);
      const told = refused.map(({ _id, checks }) => ({ ..._id, checks }));
      return { kind, date, zone, period, refused: told, now, sums: countedSums(sums) };
    },
  };
}

function readsOf(collection: Collection<AuditDocument>, timeoutMs: number) {
  const maxTimeMS = serverMs(timeoutMs);
  const readConcern = { level: 'majority' } as const;
  const options = { maxTimeMS, readConcern, readPreference: 'primary' } as const;
  const read = async <Row>(statement: () => Promise<Row[]>): Promise<readonly Row[]> =>
    decided(
      whenConnected(collection.db.client, statement).catch((error: unknown) => {
        const code = error instanceof MongoServerError ? error.code : undefined;
        if (code === TIME_IS_OVER) throw new TooManyRowsError(maxTimeMS);
        if (code === CANNOT_BE_SHARDED) throw new ClusterTooOldError();
        throw error;
      }),
      timeoutMs,
    );
  return {
    name: collection.collectionName,
    /** The newest rows, newest first. */
    find: <Row extends object>(statement: Statement, limit: number, projection: object) => {
      // The driver's type of a filter knows no list that is read only.
      const filter = statement as Filter<AuditDocument>;
      const page = { sort: NEWEST_ROWS_FIRST, limit, projection, ...options };
      return read(() => collection.find<Row>(filter, page).toArray());
    },
    aggregate: <Row extends object>(stages: readonly Statement[]) =>
      read(() =>
        collection.aggregate<Row>([...stages], { allowDiskUse: true, ...options }).toArray(),
      ),
  };
}

function ruleOf(rules: readonly Rule[], id: string, { subjects, zone }: UsageHistoryQuery): Rule {
  const rule = rules.find((one) => one.id === id);
  if (rule === undefined) throw new NoSuchRuleError(id);
  const { per, window } = rule;
  const shown = JSON.stringify(id);
  if (!isCounted(window))
    throw wrong('rule', `${shown}, which is about single transactions`, 'a rule that counts');
  if (sinceOf(window) !== undefined)
    throw wrong(
      'rule',
      `${shown}, whose windows each payment begins`,
      'a rule whose windows are the same for all its payments',
    );
  const { others } = measureOf(rule);
  if (others !== undefined)
    throw wrong('rule', `${shown}, which counts ${others}`, 'a rule that counts orders');
  const calendar = calendarOf(window);
  if (calendar !== undefined && zone !== undefined)
    throw wrong(
      'zone',
      JSON.stringify(zone),
      `none beside a rule with a zone, ${calendar.timeZone}`,
    );
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

function subjectsOfKinds(kinds: readonly string[], subjects: Subjects): Subjects {
  return Object.fromEntries(kinds.map((kind) => [kind, subjects[kind] ?? '']));
}

type RefusedRow = Pick<RefusedAlike, 'checks'> & { readonly _id: Omit<RefusedAlike, 'checks'> };

/** Sums up what counts for a rule, or every payment, less what lowers it: by the place of the window. */
async function sumsByWindow(
  { aggregate }: ReturnType<typeof readsOf>,
  about: readonly string[],
  starts: readonly Date[],
  counter: string | undefined,
  rule: Rule | undefined,
  now: Date,
) {
  const read = (key?: string) =>
    aggregate<SumRow>(countedByWindow(about, starts, key, rule ?? {}, now));
  const lowering = counter && kindOf(counter).beside?.(counter);
  const [counted, taken] = await Promise.all([read(counter), lowering ? read(lowering) : []]);
  const within = (rows: readonly SumRow[], index: number, key: string | undefined) =>
    countedSums(
      rows.filter(({ _id }) => _id.window === index + 1),
      key,
    );
  return {
    found: counted.length + taken.length,
    sumsAt: (index: number) =>
      less(within(counted, index, counter), within(taken, index, lowering)),
  };
}
