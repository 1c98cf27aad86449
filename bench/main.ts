/**
 * `npm run bench`: measures Headroom against the floor and against peers, and writes docs/benchmark.
 *
 * `--short` takes under a minute and prints ratios as JSON, for comparison over time; `--long` adds a
 * million subjects. Progress goes to standard error.
 */
import { parseArgs } from 'node:util';
import { onDatabase } from './database.ts';
import { FULL, LONG, SHORT } from './extent.ts';
import { measureAll } from './measure-all.ts';
import { shortFigures } from './short-figures.ts';
import { writeReport } from './write-report.ts';

const { values } = parseArgs({
  options: { short: { type: 'boolean' }, long: { type: 'boolean' } },
});
const extent = values.short === true ? SHORT : values.long === true ? LONG : FULL;
const report = (line: string): void => {
  console.error(line);
};
const results = await onDatabase(report, (database) => measureAll(database, extent, report));
if (values.short === true) console.log(JSON.stringify(shortFigures(results), undefined, 2));
else await writeReport(results, report);
