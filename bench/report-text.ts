import type { Chart } from './charts.ts';
import type { Figure } from './measure.ts';
import type { Circumstances, Results } from './measure-all.ts';

/** Writes the published page: what was measured, where and when, in tables with their charts. */
export function reportText(results: Results, charts: readonly Chart[]): string {
  return [
    ...heading(results.circumstances),
    ...goals(results),
    ...contenders(results),
    ...chartsOf(charts, 'speed'),
    ...hotSubject(results),
    ...chartsOf(charts, 'hot'),
    ...growth(results),
    ...chartsOf(charts, 'growth'),
    ...functions(results),
  ].join('\n');
}

function heading({
  measuredAt,
  machine,
  loadBefore,
  engine,
  versions,
}: Circumstances): readonly string[] {
  const packages = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    '# Benchmark',
    '',
    'Written by `npm run bench`; do not edit. Every ratio compares two things that ran in turns in one process, in the same minute, on the same server: the median over the rounds, and in brackets the least and the most. Times and rates alone say more about the machine than about Headroom.',
    '',
    ...table(
      ['', ''],
      [
        ['measured', measuredAt],
        ['machine', machine],
        ['load before it began', loadBefore.toFixed(1)],
        ['engine', engine],
        ['versions', packages.join(', ')],
        ['write concern', 'majority'],
      ],
    ),
    '',
    'Client, benchmark and database share the machine, so what the client spends counts against Headroom and against what it is compared with alike.',
    '',
    '- **check**: five rules per user (minute, hour, day, month, year), each with an amount and a count; holds the share. **confirm**: by reservation. **pair**: both, one after the other. **refusal**: a check that does not fit. **group**: 64 orders of one subject checked in one call and confirmed in another, at most 16 such callers; its rates are orders.',
    '- **updateOne**, **findOneAndUpdate**: one `$inc` of an amount and a count, upsert, by `_id`: the floor.',
    '- **fiveLimiters**: rate-limiter-flexible, five RateLimiterMongo asked at once by its RateLimiterUnion; amounts only, no holds, no way back. **oneLimiter**: one of them.',
    '- **textbookCommit**: one multi-document commit that reads rules and counters, adds to each counter and records the order; at most 16 at once, since more only conflict.',
    '',
  ];
}

function goals({ throughput }: Results): readonly string[] {
  return [
    '## Against the goals',
    '',
    ...table(
      ['ratio', 'subjects', 'callers', 'measured', 'goal', ''],
      throughput.goals.map(({ name, placement, callers, ratio, goal }) => [
        name,
        placement,
        String(callers),
        shown(ratio),
        goal === undefined ? '' : String(goal),
        goal === undefined ? '' : ratio.median >= goal ? 'reached' : 'missed',
      ]),
    ),
    '',
  ];
}

function contenders({ throughput }: Results): readonly string[] {
  return [
    '## All contenders',
    '',
    ...table(
      ['subjects', 'callers', 'contender', 'to findOneAndUpdate', 'per second', 'p50 ms', 'p99 ms'],
      throughput.rows.map((row) => [
        row.placement,
        String(row.callers),
        row.contender,
        shown(row.toFloor),
        shown(row.perSecond),
        digits(row.p50Ms),
        digits(row.p99Ms),
      ]),
    ),
    '',
  ];
}

function hotSubject({ throughput }: Results): readonly string[] {
  const hot = throughput.rows.filter(({ placement }) => placement === 'hot');
  return [
    '## One hot subject',
    '',
    'All callers at one document, which takes one update at a time.',
    '',
    ...table(
      ['callers', 'contender', 'per second', 'p99 ms'],
      hot
        .filter(({ contender }) => ['check', 'confirm', 'pair', 'group'].includes(contender))
        .map((row) => [
          String(row.callers),
          row.contender,
          shown(row.perSecond),
          digits(row.p99Ms),
        ]),
    ),
    '',
  ];
}

function growth({ growth: curves, manySubjects }: Results): readonly string[] {
  const rows = curves.flatMap(({ what, points }) =>
    points.map(({ size, toFloor, documentBytes }) => [
      what,
      String(size),
      shown(toFloor),
      String(documentBytes),
    ]),
  );
  return [
    '## Growth',
    '',
    'Time of one check, one caller, in times of one `findOneAndUpdate` `$inc`.',
    '',
    ...table(['what grows', 'size', 'time to floor', 'document, BSON bytes'], rows),
    '',
    'With 16 callers and as many documents in both collections:',
    '',
    ...table(
      ['subjects', 'speed of check to findOneAndUpdate'],
      manySubjects.map(({ subjects, toFloor }) => [String(subjects), shown(toFloor)]),
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
    'The artifacts of `npm run package`. A cold start is the time from the start of a Node process to its first answer, the connection included; *driver only* is a handler that loads the driver and makes one increment.',
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

function chartsOf(charts: readonly Chart[], kind: string): readonly string[] {
  return charts
    .filter(({ file }) => file.startsWith(`benchmark-${kind}`))
    .flatMap(({ file, title }) => [`![${title}](${file})`, '']);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}

function shown({ median, least, most }: Figure): string {
  return `${digits(median)} (${digits(least)}–${digits(most)})`;
}

function digits(value: number): string {
  return value >= 1000 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
