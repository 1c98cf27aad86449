import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { Deployed } from './functions.ts';

/** The alarms of docs/operations.md. */
export interface Alarms {
  readonly undecided: Alarm;
  readonly errors: Alarm;
  readonly withoutRules: Alarm;
  readonly auditLost: Alarm;
  readonly nearLost: Alarm;
  readonly staleRules: Alarm;
  readonly openSharesHigh: Alarm;
  readonly throttles: Alarm;
  readonly settlementsDead: Alarm;
}

/** Some of the alarms, and what each watches. */
type Watches<Names extends keyof Alarms> = Readonly<Record<Names, Watched>>;

/** The metric that an alarm watches; it goes off with the first count, in so many minutes of so many. */
interface Watched {
  readonly name: string;
  readonly says: string;
  readonly metric: IMetric;
  readonly minutes?: { readonly many: number; readonly of: number };
}

const MINUTE = Duration.minutes(1);

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

/** Makes the alarms. They are silent where nothing is counted. */
export function makeAlarms(
  scope: Construct,
  stage: string,
  functions: Readonly<Record<string, Deployed>>,
  deadLetters: IQueue,
  topic: ITopic | undefined,
): Alarms {
  const service = `headroom-${stage}`;
  const alarm = (id: string, { name, says, metric, minutes }: Watched): Alarm => {
    const made = new Alarm(scope, id, {
      alarmName: `${service}-${name}`,
      alarmDescription: says,
      metric,
      threshold: 1,
      evaluationPeriods: minutes?.of ?? 1,
      datapointsToAlarm: minutes?.many,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    if (topic !== undefined) made.addAlarmAction(new SnsAction(topic));
    return made;
  };
  const calls = ofCalls(service);
  const lost = ofTheService(service);
  const aws = ofAws(functions, deadLetters);
  return {
    undecided: alarm('UndecidedAlarm', calls.undecided),
    errors: alarm('ErrorsAlarm', calls.errors),
    withoutRules: alarm('WithoutRulesAlarm', calls.withoutRules),
    auditLost: alarm('AuditLostAlarm', lost.auditLost),
    nearLost: alarm('NearLostAlarm', lost.nearLost),
    staleRules: alarm('StaleRulesAlarm', lost.staleRules),
    openSharesHigh: alarm('OpenSharesHighAlarm', lost.openSharesHigh),
    throttles: alarm('ThrottlesAlarm', aws.throttles),
    settlementsDead: alarm('SettlementsDeadAlarm', aws.settlementsDead),
  };
}

/** Summed up over all calls, by a query of Metrics Insights. */
function ofCalls(service: string): Watches<'undecided' | 'errors' | 'withoutRules'> {
  const sum = (metric: string, period = MINUTE): IMetric =>
    new MathExpression({
      expression: `SELECT SUM(${metric}) FROM SCHEMA(Headroom, service, call) WHERE service = '${service}'`,
      period,
    });
  return {
    undecided: {
      name: 'undecided',
      says: 'The database is slow or away. Callers repeat, which is safe. Look at the database.',
      metric: sum('Undecided'),
      minutes: { many: 3, of: 5 }, // one minute is an election of a new primary
    },
    errors: {
      name: 'errors',
      says: 'Calls were answered with a fault of Headroom. Look at the log lines of level ERROR.',
      metric: sum('Errors'),
    },
    withoutRules: {
      name: 'without-rules',
      says: 'No rule applies to some orders. A rule is missing, or a type, currency or subject kind is mistyped.',
      metric: sum('WithoutRules', Duration.minutes(5)),
    },
  };
}

function ofTheService(
  service: string,
): Watches<'auditLost' | 'nearLost' | 'staleRules' | 'openSharesHigh'> {
  const metric = (metricName: string): IMetric =>
    new Metric({
      namespace: 'Headroom',
      metricName,
      dimensionsMap: { service },
      statistic: Stats.SUM,
      period: MINUTE,
    });
  return {
    auditLost: {
      name: 'audit-lost',
      says: 'Audit rows may be missing. Run headroom reconcile once the database answers.',
      metric: metric('AuditLost'),
    },
    nearLost: {
      name: 'near-lost',
      says: 'The list of who is near a limit may lack rows. Run headroom near --scan.',
      metric: metric('NearLost'),
    },
    staleRules: {
      name: 'stale-rules',
      says: 'The rules could not be read again. After 5 minutes checks are undecided. Look at the database and at the last change of the rules.',
      metric: metric('StaleRules'),
    },
    openSharesHigh: {
      name: 'open-shares-high',
      says: 'A subject, such as a merchant, has 80 % of the open holds that it may have (MAX_OPEN_SHARES). At 100 % its checks are refused.',
      metric: metric('OpenSharesHigh'),
    },
  };
}

function ofAws(
  functions: Readonly<Record<string, Deployed>>,
  deadLetters: IQueue,
): Watches<'throttles' | 'settlementsDead'> {
  const watched = OF_PAYMENTS.flatMap((name) => {
    const each = functions[name]?.function;
    return each === undefined ? [] : [[name, each.metricThrottles({ period: MINUTE })] as const];
  });
  return {
    throttles: {
      name: 'throttles',
      says: "There are more calls than Lambda may run at once. Raise the reserved concurrency, or the account's limit.",
      metric: new MathExpression({
        expression: `SUM([${OF_PAYMENTS.join(', ')}])`,
        usingMetrics: Object.fromEntries(watched),
        period: MINUTE,
      }),
    },
    settlementsDead: {
      name: 'settlements-dead',
      says: "A payment's end could not be counted or given back; see the dead letters.",
      metric: deadLetters.metricApproximateNumberOfMessagesVisible({
        statistic: Stats.MAXIMUM,
        period: MINUTE,
      }),
    },
  };
}
