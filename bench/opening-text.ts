import type { Chart } from './charts.ts';
import { WARM_MS } from './extent.ts';
import { GOAL_CALLERS } from './goals.ts';
import { chartsOf, digits, table } from './markdown.ts';
import type { Circumstances, Results } from './measure-all.ts';
import type { ThroughputRow } from './throughput.ts';

/** For a reader in a hurry: what it means for their load, a picture and five sentences. */
export function opening(results: Results, charts: readonly Chart[]): readonly string[] {
  return [
    '# Benchmark',
    '',
    'For anyone who asks how fast Headroom is, and how that is known. Written by `npm run bench`; do not edit.',
    '',
    ...yourLoad(results),
    '',
    ...chartsOf(charts, 'speed-distinct').slice(0, 1),
    '',
    ...fiveSentences(results),
    '',
  ];
}

/** Compares the figures with a load of 500 checks a second. */
function yourLoad({ throughput }: Results): readonly string[] {
  const shown = callersShown(throughput);
  const rate = (where: ThroughputRow['placement'], name: string): string => {
    const row = throughput.rows.find(
      ({ placement, contender, callers }) =>
        placement === where && contender === name && callers === shown,
    );
    return digits(row?.perSecond.median ?? NaN);
  };
  return [
    '**Do you want 500 checks a second?** Compare with what this machine made, client and database together:',
    '',
    ...table(
      [`a second, ${shown} callers`, '1,000 users', 'one user or merchant'],
      [
        ['checks', rate('distinct', 'check'), rate('hot', 'check')],
        ['payments, checked and confirmed', rate('distinct', 'pair'), rate('hot', 'pair')],
        ['the same, 64 in a call', rate('distinct', 'group'), rate('hot', 'group')],
      ],
    ),
    '',
    'If one subject needs more, send [many orders in one call](../many-orders.md). [Capacity](../capacity.md#capacity) says how to plan.',
  ];
}

/** As many callers as goals are set for, if they were measured; otherwise the first that were. */
function callersShown({ rows }: Results['throughput']): number {
  const isMeasured = rows.some(({ callers }) => callers === GOAL_CALLERS);
  return isMeasured ? GOAL_CALLERS : (rows[0]?.callers ?? 0);
}

function fiveSentences({ circumstances, throughput }: Results): readonly string[] {
  const callers = callersShown(throughput);
  const find = (where: ThroughputRow['placement'], name: string): ThroughputRow | undefined =>
    throughput.rows.find(
      (row) => row.placement === where && row.contender === name && row.callers === callers,
    );
  const ms = (where: ThroughputRow['placement'], name: string): string =>
    digits(find(where, name)?.p50Ms ?? NaN);
  const toFloor = (where: ThroughputRow['placement'], name: string): string =>
    digits(find(where, name)?.toFloor.median ?? NaN);
  const times = (name: string): string =>
    digits(
      throughput.goals.find(
        (goal) => goal.placement === 'distinct' && goal.callers === callers && goal.name === name,
      )?.ratio.median ?? NaN,
    );
  return [
    `With ${callers} callers on 1,000 subjects, a check over five rules takes ${ms('distinct', 'check')} ms and a confirm ${ms('distinct', 'confirm')} ms. Beside them, one \`findOneAndUpdate\` \`$inc\` takes ${ms('distinct', 'findOneAndUpdate')} ms. They reach ${toFloor('distinct', 'check')} and ${toFloor('distinct', 'confirm')} of its speed.`,
    `When all callers meet at one document, a check takes ${ms('hot', 'check')} ms and a confirm ${ms('hot', 'confirm')} ms. They reach ${toFloor('hot', 'check')} and ${toFloor('hot', 'confirm')} of the speed of an increment there.`,
    `A check is ${times('check to five limiters')} times as fast as five limiters of \`rate-limiter-flexible\` at once. It is ${times('check to textbook commit')} times as fast as a commit that reads, compares and adds.`,
    `64 orders in one call are ${toFloor('distinct', 'checks')} times as many orders a second as such increments on 1,000 subjects. On one document they are ${toFloor('hot', 'checks')} times as many.`,
    `All of it ran in turns on one machine shared by client and database (${circumstances.engine}), so the ratios say more than the milliseconds.`,
  ];
}

/** Where and when it was measured, and what the names of the contenders mean. */
export function circumstancesText({
  measuredAt,
  machine,
  loadBefore,
  engine,
  beside,
  versions,
}: Circumstances): readonly string[] {
  const packages = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    '## How it was measured',
    '',
    'Every ratio compares two things that ran in turns in one process, in the same minute, on the same server. It is the median over the rounds, and in brackets the least and the most. Client, benchmark and database share the machine. So the client slows Headroom and its contenders alike. The service is bundled as it is deployed.',
    '',
    `A contender runs untimed until it is warm. It is, when three stretches in a row, each as long as a slice, were at most 5 % faster than the one before. After ${WARM_MS / 1_000} s it counts as warm in any case; with ${GOAL_CALLERS} callers, after ${(2 * WARM_MS) / 1_000} s.`,
    '',
    ...table(
      ['', ''],
      [
        ['measured', measuredAt],
        ['machine', machine],
        ['load before it began', loadBefore.toFixed(1)],
        ['engine', engine],
        ['beside', beside ?? 'no other revision'],
        ['versions', packages.join(', ')],
        ['write concern', 'majority'],
      ],
    ),
    '',
    '- **check** has five rules per user (minute, hour, day, month, year), each with an amount and a count. A **confirm** names the reservation. A **pair** is both, one after the other. A **refusal** is a check of a subject without room.',
    '- The row **checks** has 64 orders of one subject in one call. The row **group** also confirms them in another call, with at most 16 callers.',
    '- **merchant check** and **merchant pair**: one of 1,000 users pays one merchant. Five rules limit the user, and two the merchant. **fresh subject** is a check of a new user. **fresh bucket** are pairs of a user who pays once an hour, so minute and hour are new each time.',
    '- **updateOne**, **findOneAndUpdate**: one `$inc` of an amount and a count, upsert, by `_id`: the floor.',
    "- **check's statement alone** is the statement that a check sends, written before and sent by the driver. It shows the cost of database and driver in a check. **Repeated by the driver**, it has a transaction number. For one, MongoDB also stores the document as it is afterwards. The local engine stores none.",
    '- **fiveLimiters** are five `RateLimiterMongo` of `rate-limiter-flexible`, called at once by `RateLimiterUnion`. They know amounts only, no holds and no way back. **oneLimiter** is one of them.',
    '- **textbookCommit** is one multi-document commit. It reads rules and counters, adds to each counter and records the order. At most 16 run at once, since more only conflict.',
    ...(beside === undefined
      ? []
      : [
          `- **… of ${beside}**: the same call by the code of that revision, in the same rounds through the same client (\`npm run bench -- --beside ${beside}\`).`,
        ]),
    '',
  ];
}
