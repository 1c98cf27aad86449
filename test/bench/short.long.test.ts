import { lexer } from 'marked';
import type { Token, Tokens } from 'marked';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { drawCharts } from '../../bench/charts.ts';
import type { Chart } from '../../bench/charts.ts';
import { onDatabase } from '../../bench/database.ts';
import type { Extent } from '../../bench/extent.ts';
import { measureAll } from '../../bench/measure-all.ts';
import type { Results } from '../../bench/measure-all.ts';
import { reportText } from '../../bench/report-text.ts';
import { shortFigures } from '../../bench/short-figures.ts';
import { BUNDLE_BYTES_MAX } from '../support/packaged.ts';

const ONCE = { rounds: 1, sliceMs: 1, warmMs: 1, firstOperations: 1 };

/** Every part of the short mode, as little of each as there can be. */
const SMALLEST: Extent = {
  throughput: {
    subjects: 8,
    efforts: [{ callers: 2, ...ONCE }],
  },
};

let results: Results;

beforeAll(async () => {
  vi.stubEnv('MONGODB_URI', inject('mongodbUri'));
  results = await onDatabase(
    () => undefined,
    (database) => measureAll(database, SMALLEST, undefined, () => undefined),
  );
});

afterAll(() => {
  vi.unstubAllEnvs();
});

describe('the benchmark', () => {
  it('compares Headroom with everything it names, and every ratio is a number', () => {
    const { ratios, costs, bytes } = shortFigures(results);
    expect(Object.keys(ratios)).toEqual(
      expect.arrayContaining([
        'check to findOneAndUpdate, distinct, 2 callers',
        'check to five limiters, hot, 2 callers',
        'check to textbook commit, hot, 2 callers',
        'refusal to check, distinct, 2 callers',
        'first check of a subject to findOneAndUpdate, situation, 2 callers',
      ]),
    );
    const figures = Object.values(ratios).flatMap(({ median, least, most }) => [
      median,
      least,
      most,
    ]);
    expect(figures.filter((value) => !Number.isFinite(value) || value <= 0)).toEqual([]);
    expect(Object.keys(costs)).toEqual(
      expect.arrayContaining([
        'merchant check, situation, 2 callers',
        'merchant pair, situation, 2 callers',
        'fresh subject, situation, 2 callers',
        'fresh bucket, situation, 2 callers',
      ]),
    );
    for (const { client } of Object.values(costs)) expect(client).toBeGreaterThan(0);
    const [own] = bytes;
    for (const row of own?.requests ?? []) expect(row.statements).toBeGreaterThan(0);
    expect(own?.requests.map(({ call, statements }) => [call, statements])).toEqual(
      expect.arrayContaining([
        ['check, five rules of a user', 1],
        ['confirm, five rules of a user', 1],
        ['check, a user and a merchant', 2],
        ['confirm, a user and a merchant', 2],
        ['check that is refused', 2],
      ]),
    );
    expect(own?.bundles.map(({ name }) => name)).toContain('check');
    expect(own?.bundles.filter(({ bytes }) => bytes > BUNDLE_BYTES_MAX)).toEqual([]);
  });
});

describe('the published page', () => {
  let charts: readonly Chart[];
  let text: string;
  let blocks: readonly Token[];
  let tables: readonly Tokens.Table[];

  beforeAll(() => {
    charts = drawCharts(results);
    const { throughput } = results;
    // Goals are set for more callers than are measured here.
    const goals = throughput.goals.map((row, index) => (index === 0 ? { ...row, goal: 0.7 } : row));
    text = reportText({ ...results, throughput: { ...throughput, goals } }, charts);
    blocks = lexer(text).filter(({ type }) => type !== 'space');
    tables = blocks.filter((block): block is Tokens.Table => block.type === 'table');
  });

  it('opens with what it means for a load, a picture and five sentences', () => {
    const [heading, , question, rates, , picture, sentences] = blocks.map(({ raw }) => raw.trim());
    expect(heading).toBe('# Benchmark');
    expect(question).toContain('500 checks a second');
    expect(rates).toMatch(/checked and confirmed \| [\d.,]+ \| [\d.,]+ \|/);
    const [, file] = /^!\[.+\]\((.+)\)$/.exec(picture ?? '') ?? [];
    expect(charts.map((chart) => chart.file)).toContain(file);
    expect(sentences?.split('\n').map((line) => /^[A-Z0-9].*\.$/.test(line))).toEqual(
      Array(5).fill(true),
    );
    expect(blocks.slice(6, 8).map(({ type }) => type)).toEqual(['paragraph', 'heading']);
  });

  it('says nothing that was not measured', () => {
    expect(text).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('has only the goals in the table of goals', () => {
    const [goals] = tables.filter(({ header }) => header.some((cell) => cell.text === 'goal'));
    expect(goals?.rows).toHaveLength(1);
  });

  it('has every cost that has a bound, and what became of it', () => {
    const [costs] = tables.filter(({ header }) => header.some((cell) => cell.text === 'at most'));
    const rows = costs?.rows.map((cells) => cells.map((cell) => cell.text)) ?? [];
    expect(rows.map(([name]) => name)).toEqual(
      expect.arrayContaining(['bytes of a check, five rules of a user']),
    );
    for (const cells of rows) expect(cells.at(-1)).toMatch(/^(reached|missed)$/);
  });

  it('has the profile of each call', () => {
    const cellsOf = (head: string): readonly (string | undefined)[] =>
      tables
        .filter(({ header }) => header.some((cell) => cell.text === head))
        .flatMap(({ rows }) => rows.map(([first, second]) => `${first?.text} ${second?.text}`));
    expect(cellsOf('calls of functions').map((cells) => cells?.split(' ')[0])).toEqual([
      'check',
      'confirm',
    ]);
  });

  it('has milliseconds beside every ratio', () => {
    const ratios = tables.filter(({ header }) =>
      header.some((cell) => /^ratio|^time to floor|to findOneAndUpdate|to driver/.test(cell.text)),
    );
    expect(ratios.length).toBeGreaterThan(2);
    for (const { header } of ratios)
      expect(header.map((cell) => cell.text).join('; ')).toMatch(/\bms\b/);
  });
});
