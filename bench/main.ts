/**
 * `npm run bench`: measures Headroom against the driver alone and other ways, and writes docs/internals/benchmark.
 * Progress goes to standard error.
 */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { LocalDatabaseError } from '../infra/local/engine.ts';
import { BESIDE_MAX } from './builds.ts';
import type { Extent } from './extent.ts';
import { FIXED_REVISION, FULL, SHORT } from './extent.ts';
import type { Results } from './measure-all.ts';
import type { Point } from './over-time.ts';
import { pointSchema } from './over-time.ts';
import type { Revision } from './revision.ts';
import { RevisionError, withRevisions } from './revision.ts';

const USAGE = `npm run bench [-- <option>]

  no option     measures all, beside ${FIXED_REVISION} and what was published last, and writes
                docs/internals/benchmark
  --short       takes a minute or two, and prints the tables
  --only NAMES  measures these rows alone, with bytes and profile, and prints the tables:
                npm run bench -- --only check,confirm,'fresh subject'
  --beside REV  measures the calls of another revision beside this one's, in the same rounds; two may be named:
                npm run bench -- --beside fbf87540,main

It runs on a database of its own, on the server of MONGODB_URI or else on the local one.`;

const DOCS = join(import.meta.dirname, '..', 'docs', 'internals');

/** The table has no such row; the message lists them. */
class UnknownRowError extends Error {
  override readonly name = 'UnknownRowError';
}

/** The part of the published figures that a later run needs. */
const publishedSchema = z.object({
  circumstances: z.object({ commit: z.string().optional() }),
  history: z.array(pointSchema).default([]),
});

function published(): z.infer<typeof publishedSchema> {
  return publishedSchema.parse(JSON.parse(readFileSync(join(DOCS, 'benchmark.json'), 'utf8')));
}

/** The commit of the last run that was published, if it is known. */
function lastPublished(): readonly string[] {
  const { commit } = published().circumstances;
  return commit === undefined ? [] : [commit];
}

function publishedBefore(): readonly Point[] {
  return published().history;
}

/** How it ends that nothing was measured. */
const NOT_DONE = 2;

/** How much is measured, and beside which revisions. */
type Asked = { readonly extent: Extent; readonly beside: readonly string[] };

/** Reads the options, or says how to call it. */
function read(): Asked | { readonly usage: string; readonly code: number } {
  try {
    const { values } = parseArgs({
      options: {
        short: { type: 'boolean' },
        only: { type: 'string' },
        beside: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help === true) return { usage: USAGE, code: 0 };
    const { short, only, beside } = values;
    const whole = short === true ? SHORT : FULL;
    const extent = only === undefined ? whole : { ...whole, only: only.split(',') };
    const names =
      beside?.split(',') ?? (extent === FULL ? [FIXED_REVISION, ...lastPublished()] : []);
    if (names.length <= BESIDE_MAX) return { extent, beside: names };
    throw new RangeError(`--beside ${beside}: expected at most ${BESIDE_MAX} revisions`);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { usage: `${message}\n\n${USAGE}`, code: NOT_DONE };
  }
}

function report(line: string): void {
  console.error(line);
}

async function bench({ extent, beside }: Asked): Promise<void> {
  const measure = async (revisions: readonly Revision[]): Promise<Results> => {
    // Loaded where something is measured alone: it is a second's work.
    const { onDatabase } = await import('./database.ts');
    const { measureAll } = await import('./measure-all.ts');
    return onDatabase(report, (database) => measureAll(database, extent, revisions, report));
  };
  try {
    await askOnlyRows(extent);
    const results = await withRevisions(beside, report, measure);
    await (extent === FULL ? write(results) : print(results));
  } catch (error) {
    if (!isExpected(error)) throw error;
    console.error(`Not measured: ${error.message}`);
    process.exitCode = NOT_DONE;
  }
}

/** Says whether the message of an error says enough. */
function isExpected(error: unknown): error is Error {
  return [LocalDatabaseError, RevisionError, UnknownRowError].some(
    (expected) => error instanceof expected,
  );
}

/** @throws UnknownRowError where a row is asked for that there is not */
async function askOnlyRows({ only }: Extent): Promise<void> {
  if (only === undefined) return;
  const { ROWS } = await import('./ratios.ts');
  const names = ROWS.map(({ name }) => name);
  const unknown = only.find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new UnknownRowError(`--only ${unknown}: expected some of ${names.join(', ')}`);
}

async function print(results: Results): Promise<void> {
  const { formatted } = await import('../tools/formatted.ts');
  const { tablesOf } = await import('./report.ts');
  console.log(await formatted('benchmark.md', tablesOf(results).join('\n')));
}

/** Writes the page, its chart and the figures behind them, formatted as the repository is. */
async function write(results: Results): Promise<void> {
  const { formatted } = await import('../tools/formatted.ts');
  const { CHART_FILE, pageOf } = await import('./report.ts');
  const { drawChart } = await import('./chart.ts');
  const { overTime } = await import('./over-time.ts');
  const history = [...publishedBefore(), overTime(results)];
  const published = { ...results, history };
  const files = {
    [CHART_FILE]: `${drawChart(results.rows)}\n`,
    'benchmark.json': await formatted('benchmark.json', JSON.stringify(published)),
    'benchmark.md': await formatted('benchmark.md', pageOf(published)),
  };
  for (const [file, text] of Object.entries(files)) await writeFile(join(DOCS, file), text);
  report(`Written to ${join(DOCS, 'benchmark.md')}`);
}

const asked = read();
if ('extent' in asked) await bench(asked);
else {
  (asked.code === 0 ? console.log : console.error)(asked.usage);
  process.exitCode = asked.code;
}
