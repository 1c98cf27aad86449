/**
 * `npm run bench`: measures Headroom against the floor and against peers, and writes docs/benchmark.
 * Progress goes to standard error.
 */
import { parseArgs } from 'node:util';
import { LocalDatabaseError } from '../infra/local/engine.ts';
import { onDatabase } from './database.ts';
import type { Extent } from './extent.ts';
import { FULL, LONG, SHORT } from './extent.ts';
import { measureAll } from './measure-all.ts';
import { shortFigures } from './short-figures.ts';
import { writeReport } from './write-report.ts';

const USAGE = `npm run bench                 measures everything and writes docs/benchmark.md, with charts and JSON
npm run bench -- --short      takes under a minute and prints ratios as JSON, for comparison over time
npm run bench -- --long       the whole, with a million subjects

It runs on a database of its own, on the server of MONGODB_URI or else on the local one.`;

/** How it ends that nothing was measured. */
const NOT_DONE = 2;

/** What was asked for, or how to ask. */
function read(): { readonly extent: Extent } | { readonly usage: string; readonly code: number } {
  try {
    const { values } = parseArgs({
      options: {
        short: { type: 'boolean' },
        long: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help === true) return { usage: USAGE, code: 0 };
    return { extent: values.short === true ? SHORT : values.long === true ? LONG : FULL };
  } catch (error) {
    return { usage: `${messageOf(error)}\n\n${USAGE}`, code: NOT_DONE };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function bench(extent: Extent): Promise<void> {
  const report = (line: string): void => {
    console.error(line);
  };
  try {
    const results = await onDatabase(report, (database) => measureAll(database, extent, report));
    if (extent === SHORT) console.log(JSON.stringify(shortFigures(results), undefined, 2));
    else await writeReport(results, report);
  } catch (error) {
    if (!(error instanceof LocalDatabaseError)) throw error;
    console.error(`Not measured: ${error.message}`);
    process.exitCode = NOT_DONE;
  }
}

const asked = read();
if ('extent' in asked) await bench(asked.extent);
else {
  (asked.code === 0 ? console.log : console.error)(asked.usage);
  process.exitCode = asked.code;
}
