/**
 * `npm run bench`: measures Headroom against the floor and against peers, and writes docs/internals/benchmark.
 * Progress goes to standard error.
 */
import { parseArgs } from 'node:util';
import { LocalDatabaseError } from '../infra/local/engine.ts';
import type { Extent } from './extent.ts';
import { FULL, SHORT, onlyOf } from './extent.ts';
import type { Results } from './measure-all.ts';
import type { Revision } from './revision.ts';
import { RevisionError, withRevision } from './revision.ts';

const USAGE = `npm run bench [-- <option>]

  no option     measures all, and writes docs/internals/benchmark.md
  --short       takes a minute or two and prints ratios as JSON, for comparison over time
  --only NAMES  measures these contenders alone, with bytes and profile, and prints JSON:
                npm run bench -- --only check,confirm,'fresh subject'
  --beside REV  measures the calls of another revision beside this one's, in the same rounds

It runs on a database of its own, on the server of MONGODB_URI or else on the local one.`;

/** How it ends that nothing was measured. */
const NOT_DONE = 2;

/** How much is measured, and beside which revision. */
type Asked = { readonly extent: Extent; readonly beside: string | undefined };

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
    return { extent: only === undefined ? whole : onlyOf(only.split(',')), beside };
  } catch (error) {
    return { usage: `${messageOf(error)}\n\n${USAGE}`, code: NOT_DONE };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function bench({ extent, beside }: Asked): Promise<void> {
  const report = (line: string): void => {
    console.error(line);
  };
  const measure = async (revision: Revision | undefined): Promise<Results> => {
    // Loaded where something is measured alone: it is a second's work.
    const { onDatabase } = await import('./database.ts');
    const { measureAll } = await import('./measure-all.ts');
    return onDatabase(report, (database) => measureAll(database, extent, revision, report));
  };
  try {
    const results =
      beside === undefined
        ? await measure(undefined)
        : await withRevision(beside, report, (revision) => measure(revision));
    if (extent !== FULL) {
      const { shortFigures } = await import('./short-figures.ts');
      console.log(JSON.stringify(shortFigures(results), undefined, 2));
    } else {
      const { writeReport } = await import('./write-report.ts');
      await writeReport(results, report);
    }
  } catch (error) {
    if (!(error instanceof LocalDatabaseError || error instanceof RevisionError)) throw error;
    console.error(`Not measured: ${error.message}`);
    process.exitCode = NOT_DONE;
  }
}

const asked = read();
if ('extent' in asked) await bench(asked);
else {
  (asked.code === 0 ? console.log : console.error)(asked.usage);
  process.exitCode = asked.code;
}
