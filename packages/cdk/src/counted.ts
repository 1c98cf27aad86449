import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';

const MINUTE = Duration.minutes(1);
const FIVE_MINUTES = Duration.minutes(5);

/** Summed up over all calls, by a query of Metrics Insights. */
export function ofCalls(service: string) {
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
      times: { many: 3, of: 5 }, // one minute is an election of a new primary
    },
    errors: {
      name: 'errors',
      says: 'Calls were answered with a fault of Headroom. Look at the log lines of level ERROR.',
      metric: sum('Errors'),
    },
    withoutRules: {
      name: 'without-rules',
      says: 'No rule applies to some orders. A rule is missing, or a type, currency or subject kind is mistyped.',
      metric: sum('WithoutRules', FIVE_MINUTES),
    },
  };
}

export function ofTheService(service: string) {
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
    pairsHigh: {
      name: 'pairs-high',
      says: 'A subject has 80 % of the windows that rules of several subjects may fill, such as one for each payee. At 100 % its next pair is refused.',
      metric: metric('PairsHigh'),
    },
  };
}

/** A share of few checks says nothing, so it is 0 below a hundred. */
export function ofShares(service: string, refusedPercent: number) {
  const counted = (metricName: string, call: string): IMetric =>
    new Metric({
      namespace: 'Headroom',
      metricName,
      dimensionsMap: { service, call },
      statistic: Stats.SUM,
      period: FIVE_MINUTES,
    });
  const all = 'SUM([refused, refusedOfMany, allowed, allowedOfMany])';
  return {
    refusals: {
      name: 'refusals',
      says: 'Many more checks are refused than usual. Look at the last change of the rules.',
      metric: new MathExpression({
        expression: `IF(${all} >= 100, 100 * SUM([refused, refusedOfMany]) / ${all}, 0)`,
        usingMetrics: {
          refused: counted('Refused', 'check'),
          refusedOfMany: counted('Refused', 'checks'),
          allowed: counted('Allowed', 'check'),
          allowedOfMany: counted('Allowed', 'checks'),
        },
        period: FIVE_MINUTES,
      }),
      threshold: refusedPercent,
      times: { many: 2, of: 3 },
    },
  };
}
