import { boundsText } from './bounds-text.ts';
import { bytesText } from './bytes-text.ts';
import type { Chart } from './charts.ts';
import type { ProcessorFigures } from './figures.ts';
import { chartsOf, digits, shown, table } from './markdown.ts';
import type { Results } from './measure-all.ts';
import { moodsText } from './moods-text.ts';
import { profileText } from './profile-text.ts';
import type { GoalRow } from './throughput.ts';
import { circumstancesText, opening } from './opening-text.ts';

/** Writes the published page: a picture and what it says first, then everything in tables. */
export function reportText(results: Results, charts: readonly Chart[]): string {
  return [
    ...opening(results, charts),
    ...circumstancesText(results.circumstances),
    ...goals(results),
    ...boundsText(results),
    ...chartsOf(charts, 'speed-hot'),
    ...hotSubject(results),
    ...chartsOf(charts, 'hot'),
    ...moodsText(results),
    ...contenders(results),
    ...otherRatios(results),
    ...growth(results),
    ...chartsOf(charts, 'growth'),
    ...bytesText(results.bytes),
    ...profileText(results.profiles),
    ...functions(results),
  ].join('\n');
}

const TIMES =
  'A ratio compares speeds. Beside it is the median time of a call of each, in ms; a call of 64 orders is one call.';

function goals({ throughput }: Results): readonly string[] {
  const rows = throughput.goals.flatMap((row) =>
    row.goal === undefined
      ? []
      : [
          [
            ...ratioCells(row),
            String(row.goal),
            row.ratio.median >= row.goal ? 'reached' : 'missed',
          ],
        ],
  );
  if (rows.length === 0) return [];
  return ['## Against the goals', '', TIMES, '', ...table([...RATIO_HEAD, 'goal', ''], rows), ''];
}

/** Those for which there is no goal: they say how the goals' ratios come about. */
function otherRatios({ throughput }: Results): readonly string[] {
  const rows = throughput.goals.filter(({ goal }) => goal === undefined).map(ratioCells);
  return ['## All other ratios', '', TIMES, '', ...table(RATIO_HEAD, rows), ''];
}

const RATIO_HEAD = ['ratio', 'subjects', 'callers', 'measured', 'ms', 'ms beside'];

function ratioCells({ name, placement, callers, ratio, ofMs, toMs }: GoalRow): readonly string[] {
  return [name, placement, String(callers), shown(ratio), shown(ofMs), shown(toMs)];
}

function contenders({ throughput }: Results): readonly string[] {
  return [
    '## All contenders',
    '',
    'Rates are orders a second. *p50* is the median of each round, with the least and the most of the rounds; *p99* is over all rounds. *Processor* is the processor time of one order in ms: client + adapter + database, if the system tells. *General* is the share of statements that decided from what was read of the document, not by one update alone.',
    '',
    ...table(
      [
        'subjects',
        'callers',
        'contender',
        'to findOneAndUpdate',
        'per second',
        'p50 ms',
        'p99 ms',
        'processor ms',
        'general',
      ],
      throughput.rows.map((row) => [
        row.placement,
        String(row.callers),
        row.contender,
        shown(row.toFloor),
        shown(row.perSecond),
        shown(row.medianMs),
        digits(row.p99Ms),
        processorText(row.processorMs),
        row.generalShare === undefined ? '' : percent(row.generalShare),
      ]),
    ),
    '',
  ];
}

function processorText({ client, adapter, engine }: ProcessorFigures): string {
  const parts = [client, ...(adapter === undefined ? [] : [adapter]), engine ?? NaN];
  return parts.every(Number.isFinite) ? parts.map(digits).join(' + ') : digits(client);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
}

function hotSubject({ throughput }: Results): readonly string[] {
  const hot = throughput.rows.filter(({ placement }) => placement === 'hot');
  return [
    '## One hot subject',
    '',
    'All callers at one document, which takes one update at a time.',
    '',
    ...table(
      ['callers', 'contender', 'per second', 'p50 ms', 'p99 ms'],
      hot
        .filter(({ contender }) => ['check', 'confirm', 'pair', 'group'].includes(contender))
        .map((row) => [
          String(row.callers),
          row.contender,
          shown(row.perSecond),
          shown(row.medianMs),
          digits(row.p99Ms),
        ]),
    ),
    '',
  ];
}

function growth({ growth: curves, manySubjects }: Results): readonly string[] {
  const rows = curves.flatMap(({ what, points }) =>
    points.map(({ size, toFloor, medianMs, documentBytes }) => [
      what,
      String(size),
      shown(toFloor),
      shown(medianMs),
      String(documentBytes),
    ]),
  );
  return [
    '## Growth',
    '',
    'Time of one check, one caller, in times of one `findOneAndUpdate` `$inc`.',
    '',
    ...table(['what grows', 'size', 'time to floor', 'ms', 'document, BSON bytes'], rows),
    '',
    'With 16 callers and as many documents in both collections:',
    '',
    ...table(
      ['subjects', 'speed of check to findOneAndUpdate', 'ms'],
      manySubjects.map(({ subjects, toFloor, medianMs }) => [
        String(subjects),
        shown(toFloor),
        shown(medianMs),
      ]),
    ),
    '',
  ];
}

function functions({ functions: measured }: Results): readonly string[] {
  if (measured === undefined) return [];
  const { rows, driverOnly, handlerToLibrary } = measured;
  return [
    '## Functions',
    '',
    'The artifacts of `npm run package`. A cold start is the time from the start of a Node process to its first answer, the connection included. *driver only* is a handler that loads the driver and makes one increment.',
    '',
    ...table(
      ['function', 'bundle bytes', 'zip bytes', 'cold start ms', 'to driver only'],
      [
        ...rows.map((row) => [
          row.name,
          String(row.bundleBytes),
          String(row.zipBytes),
          shown(row.coldStartMs),
          shown(row.toDriverOnly),
        ]),
        ['driver only', String(driverOnly.bundleBytes), '', shown(driverOnly.coldStartMs), '1'],
      ],
    ),
    '',
    `Warm, a call through the handler takes ${shown(handlerToLibrary)} times as long as the library's call inside it.`,
    '',
  ];
}
