import { lexer } from 'marked';
import type { Tokens } from 'marked';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { BASELINES, FLOOR } from '../../bench/baselines.ts';
import { DOCUMENT_BYTES_MOST, ROWS_PER_SECOND_LEAST } from '../../bench/backtest.ts';
import { drawChart } from '../../bench/chart.ts';
import { onDatabase } from '../../bench/database.ts';
import type { Extent } from '../../bench/extent.ts';
import { GOAL_CALLERS } from '../../bench/extent.ts';
import { overTime } from '../../bench/over-time.ts';
import { measureAll } from '../../bench/measure-all.ts';
import type { Results } from '../../bench/measure-all.ts';
import { CHART_FILE, pageOf } from '../../bench/report.ts';
import { SITUATIONS } from '../../bench/situations.ts';

/** All rows, as little of each as there can be. */
const SMALLEST: Extent = {
  subjects: 8,
  pastRows: 7_000,
  efforts: [{ callers: GOAL_CALLERS, rounds: 1, sliceMs: 1, warmMs: 1, firstOperations: 1 }],
};

let results: Results;

beforeAll(async () => {
  vi.stubEnv('MONGODB_URI', inject('mongodbUri'));
  results = await onDatabase(
    () => undefined,
    (database) => measureAll(database, SMALLEST, [], () => undefined),
  );
});

afterAll(() => {
  vi.unstubAllEnvs();
});

describe('the benchmark', () => {
  it('has a row for each situation and baseline, on many subjects and on one', () => {
    const names = (placement: 'distinct' | 'hot'): readonly string[] => [
      ...SITUATIONS.filter(({ on = [placement] }) => on.includes(placement)).map(
        ({ name }) => name,
      ),
      ...BASELINES.map(({ name }) => name),
    ];
    for (const placement of ['distinct', 'hot'] as const)
      expect(
        results.rows.filter((row) => row.placement === placement).map(({ name }) => name),
      ).toEqual(names(placement));
    expect(names('distinct')).toEqual(expect.arrayContaining(['check', 'merchant check']));
    expect(names('distinct')).not.toContain('exact window');
  });

  it('compares each row with the driver alone, and every ratio is a number', () => {
    const others = results.rows.filter(({ name }) => name !== FLOOR);
    for (const { ratios } of others) expect(ratios.map(({ to }) => to)).toContain(FLOOR);
    const figures = others.flatMap(({ ratios, perSecond, p50Ms, processorMs }) => [
      processorMs.client,
      ...[...ratios.map(({ ratio }) => ratio), perSecond, p50Ms].flatMap(
        ({ median, least, most }) => [median, least, most],
      ),
    ]);
    expect(figures.filter((value) => !Number.isFinite(value) || value <= 0)).toEqual([]);
  });

  it('compares a check with the other ways, each with its goal', () => {
    const [check] = results.rows.filter(({ name }) => name === 'check');
    expect(check?.ratios.map(({ to, goal }) => [to, goal])).toEqual([
      ['findOneAndUpdate', 0.48],
      ['statement alone', 0.93],
      ['oneLimiter', undefined],
      ['fiveLimiters', 5],
      ['textbookCommit', 3],
    ]);
  });

  it('counts the statements of a call', () => {
    expect(results.bytes[0]?.rows.map(({ what, statements }) => [what, statements])).toEqual(
      expect.arrayContaining([
        ['check, five rules of a user', 1],
        ['confirm, five rules of a user', 1],
        ['check, a user and a merchant', 2],
        ['confirm, a user and a merchant', 2],
        ['check that is refused', 2],
      ]),
    );
  });
});

describe('the published page', () => {
  let text: string;
  let tables: readonly Tokens.Table[];

  beforeAll(() => {
    text = pageOf({ ...results, history: [overTime(results)] });
    tables = lexer(text).filter((block): block is Tokens.Table => block.type === 'table');
  });

  const headOf = ({ header }: Tokens.Table): string => header.map((cell) => cell.text).join('; ');

  it('opens with what it means for a load, and a picture', () => {
    const [opening = ''] = text.split('\n## ');
    expect(opening).toMatch(/^# Benchmark\n/);
    expect(opening).toContain('500 checks a second?');
    expect(opening).toMatch(/1,000 users it made [\d.]+ checks a second/);
    expect(opening).toContain(`](${CHART_FILE})`);
    expect(drawChart(results.rows)).toMatch(/^<svg[^]*fresh subject[^]*<\/svg>$/);
  });

  it('says nothing that was not measured', () => {
    expect(text).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('says what each row is', () => {
    for (const { name, does } of [...SITUATIONS, ...BASELINES])
      expect(text).toContain(`**${name}**: ${does}`);
  });

  it('has one table of ratios, with milliseconds in each row, then the bytes, the back-test, the profile and what earlier runs measured', () => {
    expect(tables).toHaveLength(5);
    const [ratios, bytes, backtest, profile, runs] = tables;
    expect(ratios && headOf(ratios)).toMatch(/^row; .*p50 ms; .*to findOneAndUpdate; /);
    expect(ratios?.rows).toHaveLength(results.rows.length);
    expect(bytes && headOf(bytes)).toBe('bytes of; statements; bytes');
    expect(backtest?.rows.map(([rows]) => rows?.text)).toEqual([String(SMALLEST.pastRows)]);
    expect(profile?.rows.map(([call]) => call?.text)).toEqual([
      'check',
      'confirm',
      'refusal',
      'check of two documents',
    ]);
    expect(runs && headOf(runs)).toMatch(/^measured; commit; check; /);
  });

  it('says of each goal and of each bound whether it is reached', () => {
    const cells = tables.flatMap(({ rows }) => rows.flat().map((cell) => cell.text));
    const asked = cells.filter((cell) => cell.includes(';'));
    const goals = results.rows.flatMap(({ ratios }) => ratios.filter(({ goal }) => goal));
    expect(goals.length).toBeGreaterThan(15);
    const bounds = [
      ...results.rows.map(({ clientMsMost }) => clientMsMost),
      ...[...results.bytes, ...results.profiles].flatMap(({ rows }) =>
        rows.map(({ most }) => most),
      ),
      ...[ROWS_PER_SECOND_LEAST, DOCUMENT_BYTES_MOST],
    ].filter((most) => most !== undefined);
    expect(bounds).toHaveLength(2 + 7 + 4 + 2);
    expect(asked).toHaveLength(goals.length + bounds.length);
    for (const cell of asked) expect(cell).toMatch(/^[^;]+; [\d.]+ (reached|\*\*missed\*\*)$/);
  });
});
