import { BASELINES, FLOOR } from './baselines.ts';
import type { BacktestRow } from './backtest.ts';
import { DOCUMENT_BYTES_MOST, ROWS_PER_SECOND_LEAST } from './backtest.ts';
import type { Bytes } from './bytes.ts';
import { FIXED_REVISION, GOAL_CALLERS, WARM_MS } from './extent.ts';
import { asked, digits, shown, table } from './markdown.ts';
import type { Circumstances, Results } from './measure-all.ts';
import type { Profile } from './profile.ts';
import type { Point } from './over-time.ts';
import { overTimeRows } from './over-time.ts';
import type { RatioRow } from './ratios.ts';
import { ROWS } from './ratios.ts';

/** Where the chart stands beside the page. */
export const CHART_FILE = 'benchmark-speed.svg';

/** Writes the published page: what it means for a load, a picture, and the tables. */
export function pageOf(results: Results & { readonly history: readonly Point[] }): string {
  return [
    '# Benchmark',
    '',
    'For anyone who asks how fast Headroom is, and how that is known. Written by `npm run bench`; do not edit.',
    '',
    ...yourLoad(results),
    '',
    `![Speed with ${GOAL_CALLERS} callers, in times of findOneAndUpdate $inc](${CHART_FILE})`,
    '',
    ...howMeasured(results),
    ...tablesOf(results),
    ...runsOverTime(results.history),
  ].join('\n');
}

/** Writes the tables alone, with where they were measured. */
export function tablesOf(results: Results): readonly string[] {
  return [
    ...circumstances(results.circumstances),
    ...ratios(results),
    ...bytes(results.bytes),
    ...backtests(results.backtest),
    ...profile(results.profiles),
  ];
}

/** For a reader in a hurry. */
function yourLoad({ circumstances: { engine }, rows }: Results): readonly string[] {
  const measured = rows.filter(({ callers }) => callers === GOAL_CALLERS);
  const find = (name: string, placement: RatioRow['placement']): RatioRow | undefined =>
    measured.find((row) => row.name === name && row.placement === placement);
  const rate = (name: string, placement: RatioRow['placement']): string =>
    digits(find(name, placement)?.perSecond.median ?? NaN);
  const ms = (name: string): string => digits(find(name, 'distinct')?.p50Ms.median ?? NaN);
  const times = (
    name: string,
    to: string,
    placement: RatioRow['placement'] = 'distinct',
  ): string => {
    const found = find(name, placement)?.ratios.find((one) => one.to === to);
    return digits(found?.ratio.median ?? NaN);
  };
  return [
    `**Do you want 500 checks a second?** Compare with what this machine made, client and database together.`,
    '',
    `- With ${GOAL_CALLERS} callers on 1,000 users it made ${rate('check', 'distinct')} checks a second, and ${rate('check', 'hot')} on one user or merchant.`,
    `- It made ${rate('pair', 'distinct')} payments a second, checked and confirmed, and ${rate('pair', 'hot')} on one. With 64 payments in a call it made ${rate('group', 'distinct')}, and ${rate('group', 'hot')} on one.`,
    `- A check takes ${ms('check')} ms and a confirm ${ms('confirm')} ms. Beside them, one \`findOneAndUpdate\` \`$inc\` takes ${ms(FLOOR)} ms. They reach ${times('check', FLOOR)} and ${times('confirm', FLOOR)} of its speed, and ${times('check', FLOOR, 'hot')} and ${times('confirm', FLOOR, 'hot')} on one document.`,
    `- A check is ${times('check', 'fiveLimiters')} times as fast as five limiters of \`rate-limiter-flexible\` at once. It is ${times('check', 'textbookCommit')} times as fast as a commit that reads, compares and adds.`,
    '',
    `All of it ran in turns on one machine (${engine}), so the ratios say more than the milliseconds. If one subject needs more, send [many orders in one call](../many-orders.md). [Capacity](../capacity.md#capacity) says how to plan.`,
  ];
}

/** Every published run beside the fixed revision: what each step beside the one before does not show. */
function runsOverTime(history: readonly Point[]): readonly string[] {
  const { head, rows } = overTimeRows(history);
  return [
    '## Over time',
    '',
    `Speeds beside ${FIXED_REVISION}, on many subjects with ${GOAL_CALLERS} callers, in each published run.`,
    '',
    ...table(head, rows),
    '',
  ];
}

function howMeasured({ circumstances: { beside }, rows }: Results): readonly string[] {
  const measured = ROWS.filter(({ name }) => rows.some((row) => row.name === name));
  return [
    '## How it was measured',
    '',
    'Every ratio compares two things that ran in turns in one process, in the same minute, on the same server. It is the median over the rounds, and in brackets the least and the most. Client, benchmark and database share the machine. So the client slows Headroom and its contenders alike. The service is bundled as it is deployed.',
    '',
    `A contender runs untimed until it is warm. It is, when three stretches in a row, each as long as a slice, were at most 5 % faster than the one before. After ${WARM_MS / 1_000} s it counts as warm in any case; with ${GOAL_CALLERS} callers after ${(2 * WARM_MS) / 1_000} s.`,
    '',
    ...measured.map(({ name, does }) => `- **${name}**: ${does}`),
    ...beside.map(
      (name) =>
        `- **to ${name}**: the same call by the code of that revision, through the same client (\`npm run bench -- --beside ${name}\`).`,
    ),
    '',
  ];
}

function circumstances(measured: Circumstances): readonly string[] {
  const packages = Object.entries(measured.versions).map(([name, version]) => `${name} ${version}`);
  return [
    `Measured ${measured.measuredAt} on ${measured.machine}, with load ${measured.loadBefore.toFixed(1)} before it began. Database: ${measured.engine}, write concern majority. Versions: ${packages.join(', ')}.`,
    '',
  ];
}

/** The one table: what was measured of each situation and baseline, and how they compare. */
function ratios({ rows, circumstances: { beside } }: Results): readonly string[] {
  const columns = [...BASELINES.map(({ name }) => name), ...beside].filter((name) =>
    rows.some((row) => row.ratios.some(({ to }) => to === name)),
  );
  return [
    '## Ratios',
    '',
    `A ratio compares speeds. Behind it stands its goal, which it has with ${GOAL_CALLERS} callers. Rates are orders a second. *p50* is the median of each round, and *p99* is over all rounds. *Processor* is the time of one order in ms: client + adapter + database, if the system tells. Behind it stands the most of the client's part. Beside another revision, *client* compares that part: less is better.`,
    '',
    ...table(
      [
        ...['row', 'subjects', 'callers', 'a second', 'p50 ms', 'p99 ms', 'processor ms'],
        ...columns.map((name) => `to ${name}`),
      ],
      rows.map((row) => [
        row.name,
        row.placement,
        String(row.callers),
        shown(row.perSecond),
        shown(row.p50Ms),
        digits(row.p99Ms),
        processorText(row),
        ...columns.map((name) => ratioText(row, name)),
      ]),
    ),
    '',
  ];
}

function ratioText({ ratios: all }: RatioRow, to: string): string {
  const found = all.find((one) => one.to === to);
  if (found === undefined) return '';
  const { ratio, goal, client } = found;
  const speed = asked(shown(ratio), goal, ratio.median >= (goal ?? NaN));
  return client === undefined ? speed : `${speed}; client ${digits(client)}`;
}

function processorText({ processorMs, clientMsMost }: RatioRow): string {
  const { client, adapter, engine } = processorMs;
  const parts = [client, ...(adapter === undefined ? [] : [adapter]), engine ?? NaN];
  const text = parts.every(Number.isFinite) ? parts.map(digits).join(' + ') : digits(client);
  return asked(text, clientMsMost, client <= (clientMsMost ?? NaN));
}

/** The bytes that are sent and stored; beside another revision where one was measured. */
function bytes([own, ...others]: readonly Bytes[]): readonly string[] {
  const there = (other: Bytes, what: string) => other.rows.find((row) => row.what === what);
  return [
    '## Bytes',
    '',
    'As BSON, all statements of a call together; a document of a user with five rules. Behind a number stands the most that is good enough.',
    '',
    ...table(
      ['bytes of', 'statements', 'bytes', ...others.flatMap(besideHead)],
      (own?.rows ?? []).map(({ what, statements, bytes: measured, most }) => [
        what,
        textOf(statements),
        asked(textOf(measured), most, (measured ?? NaN) <= (most ?? NaN)),
        ...others.flatMap((other) => {
          const found = there(other, what);
          return [textOf(found?.statements), textOf(found?.bytes)];
        }),
      ]),
    ),
    '',
  ];
}

function besideHead({ revision = '' }: Bytes): readonly string[] {
  return [`statements of ${revision}`, `bytes of ${revision}`];
}

function textOf(value: number | undefined): string {
  return value === undefined ? '' : String(value);
}

/** How fast the past is decided again, and how much memory that takes. */
function backtests(measured: BacktestRow | undefined): readonly string[] {
  if (measured === undefined) return [];
  const { rows, documents, rowsPerSecond, bytesPerDocument } = measured;
  return [
    '## Back-test',
    '',
    'Rows that are in memory, under twelve rules, and a draft that changes one: so there are two replays. Rates are of one processor. Behind a number stands what is good enough: a million rows a minute and replay.',
    '',
    ...table(
      ['rows', 'documents', 'rows a second', 'bytes a document and replay'],
      [
        [
          String(rows),
          String(documents),
          asked(
            digits(rowsPerSecond),
            ROWS_PER_SECOND_LEAST,
            rowsPerSecond >= ROWS_PER_SECOND_LEAST,
          ),
          asked(
            digits(bytesPerDocument),
            DOCUMENT_BYTES_MOST,
            bytesPerDocument <= DOCUMENT_BYTES_MOST,
          ),
        ],
      ],
    ),
    '',
  ];
}

/** The functions that one check and one confirm enter, beside another revision where one was measured. */
function profile(profiles: readonly Profile[]): readonly string[] {
  const rows = profiles.flatMap(({ revision, rows: counted }) =>
    counted.map(({ call, calls, functions, files, most }) => [
      revision === undefined ? call : `${call} of ${revision}`,
      asked(String(calls), revision === undefined ? most : undefined, calls <= most),
      String(functions),
      String(files),
    ]),
  );
  return [
    '## Profile of one call',
    '',
    'How much of `lib` one call enters, when the same was called before. The check has five rules, and its confirm names the reservation. The check of two documents has a user and a merchant. V8 counts them (`Profiler.takePreciseCoverage`). The driver and the handler are not counted. Behind a number stands the most that is good enough.',
    '',
    ...table(['call', 'calls of functions', 'functions', 'files'], rows),
    '',
  ];
}
