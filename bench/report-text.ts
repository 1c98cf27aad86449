import { boundsText } from './bounds-text.ts';
import { bytesText } from './bytes-text.ts';
import type { Chart } from './charts.ts';
import type { ProcessorFigures } from './figures.ts';
import { chartsOf, digits, shown, table } from './markdown.ts';
import type { Results } from './measure-all.ts';
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
    ...contenders(results),
    ...otherRatios(results),
    ...bytesText(results.bytes),
    ...profileText(results.profiles),
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
    'Rates are orders a second. *p50* is the median of each round, with the least and the most of the rounds; *p99* is over all rounds. *Processor* is the processor time of one order in ms: client + adapter + database, if the system tells.',
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
      ]),
    ),
    '',
  ];
}

function processorText({ client, adapter, engine }: ProcessorFigures): string {
  const parts = [client, ...(adapter === undefined ? [] : [adapter]), engine ?? NaN];
  return parts.every(Number.isFinite) ? parts.map(digits).join(' + ') : digits(client);
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
