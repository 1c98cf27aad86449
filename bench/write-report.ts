import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatted } from '../tools/formatted.ts';
import { drawCharts } from './charts.ts';
import type { Results } from './measure-all.ts';
import { reportText } from './report-text.ts';

const DOCS = join(import.meta.dirname, '..', 'docs', 'internals');

/** Writes the page, its charts and the figures behind them, formatted as the repository is. */
export async function writeReport(results: Results, report: (line: string) => void): Promise<void> {
  const charts = drawCharts(results);
  await mkdir(DOCS, { recursive: true });
  for (const { file, svg } of charts) await writeFile(join(DOCS, file), `${svg}\n`);
  await writeFormatted('benchmark.json', JSON.stringify(results));
  await writeFormatted('benchmark.md', reportText(results, charts));
  report(`Written to ${join(DOCS, 'benchmark.md')}`);
}

async function writeFormatted(file: string, text: string): Promise<void> {
  const path = join(DOCS, file);
  await writeFile(path, await formatted(path, text));
}
