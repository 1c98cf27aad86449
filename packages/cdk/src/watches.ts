import { Duration } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { type IMetric, MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { ofCalls, ofShares, ofTheService } from './counted.ts';
import type { Deployed } from './functions.ts';

/** One alarm, and its metric. It goes off with the first count, unless another threshold is given. */
export interface Watched {
  readonly name: string;
  readonly says: string;
  readonly metric: IMetric;
  readonly threshold?: number;
  /** In how many periods of how many; undefined for one of one. */
  readonly times?: { readonly many?: number; readonly of: number };
  /** It goes off below the threshold, and where nothing is counted at all. */
  readonly isAbsence?: boolean;
}

/** The parts of the stack that the alarms look at. */
export interface Seen {
  /** The dimension `service` of Headroom's metrics. */
  readonly service: string;
  readonly functions: Readonly<Record<string, Deployed>>;
  readonly api: HttpApi;
  readonly queue: IQueue;
  readonly deadLetters: IQueue;
  readonly storeTimeoutMs: number;
}

/** The figures that a deployment may choose. */
export interface Figures {
  /** Undefined for no such alarm. */
  readonly quiet: Duration | undefined;
  readonly refusedPercent: number;
}

const MINUTE = Duration.minutes(1);
const HOUR_SECONDS = 3600;

/** The functions that payments wait for. An alarm takes ten metrics at most. */
const OF_PAYMENTS = [
  'check',
  'checks',
  'confirm',
  'rollback',
  'settlements',
  'settle',
  'refund',
  'record',
];

/** The functions whose answer a payer waits for. */
const AWAITED = ['check', 'confirm', 'rollback'];

/** Every alarm, by the name of its property. */
export function watches(seen: Seen, figures: Figures) {
  return {
    ...ofCalls(seen.service),
    ...ofTheService(seen.service),
    ...ofFunctions(seen),
    ...(figures.quiet === undefined ? {} : ofSilence(seen, figures.quiet)),
    ...ofTheRest(seen),
    ...ofShares(seen.service, figures.refusedPercent),
  } satisfies Readonly<Record<string, Watched>>;
}

/** A metric of Lambda, which counts where a function cannot count itself, over some functions. */
function over(
  functions: Seen['functions'],
  names: readonly string[],
  how: 'SUM' | 'MAX',
  period: Duration,
  metricOf: (of: Deployed['function']) => IMetric,
): IMetric {
  const watched = names.flatMap((name) => {
    const each = functions[name]?.function;
    return each === undefined ? [] : [[name, metricOf(each)] as const];
  });
  return new MathExpression({
    expression: `${how}([${names.join(', ')}])`,
    usingMetrics: Object.fromEntries(watched),
    period,
  });
}

function ofFunctions({ functions, storeTimeoutMs }: Seen) {
  const period = MINUTE;
  return {
    throttles: {
      name: 'throttles',
      says: "There are more calls than Lambda may run at once. Raise the reserved concurrency, or the account's limit.",
      metric: over(functions, OF_PAYMENTS, 'SUM', period, (each) =>
        each.metricThrottles({ period }),
      ),
    },
    failing: {
      name: 'failing',
      says: 'A function fails before it answers. Look at its log, and at what was deployed or configured last.',
      metric: over(functions, OF_PAYMENTS, 'SUM', period, (each) => each.metricErrors({ period })),
    },
    slow: {
      name: 'slow',
      says: 'Calls that a payer waits for take long. Look at the database, and at the subjects with many payments.',
      metric: over(functions, AWAITED, 'MAX', period, (each) =>
        each.metricDuration({ period, statistic: 'p99' }),
      ),
      threshold: storeTimeoutMs,
      times: { many: 3, of: 5 },
    },
  };
}

function ofSilence({ functions }: Seen, period: Duration) {
  return {
    quiet: {
      name: 'quiet',
      says: 'No check arrives any more. Look at the callers, the address, and who may call.',
      metric: over(functions, ['check', 'checks'], 'SUM', period, (each) =>
        each.metricInvocations({ period }),
      ),
      isAbsence: true,
    },
  };
}

function ofTheRest({ api, queue, deadLetters }: Seen) {
  return {
    gatewayErrors: {
      name: 'gateway-errors',
      says: 'API Gateway answers 5xx. A function does not start, does not answer in time, or may not be called.',
      metric: api.metricServerError({ period: MINUTE, statistic: Stats.SUM }),
      times: { many: 3, of: 5 }, // UNDECIDED is a 5xx, too
    },
    settlementsDead: {
      name: 'settlements-dead',
      says: "A payment's end could not be counted or given back; see the dead letters.",
      metric: deadLetters.metricApproximateNumberOfMessagesVisible({
        statistic: Stats.MAXIMUM,
        period: MINUTE,
      }),
    },
    settlementsWaiting: {
      name: 'settlements-waiting',
      says: 'A message waits for an hour. Look whether the function settle runs, and its mapping is enabled.',
      metric: queue.metricApproximateAgeOfOldestMessage({
        statistic: Stats.MAXIMUM,
        period: MINUTE,
      }),
      threshold: HOUR_SECONDS,
      times: { of: 5 },
    },
  };
}
