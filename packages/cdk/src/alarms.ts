import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { Description } from './description.ts';
import type { HeadroomProps } from './props.ts';
import { type Seen, type Watched, watches } from './watches.ts';

/** The alarms of docs/runbook.md. */
export interface Alarms {
  readonly undecided: Alarm;
  readonly errors: Alarm;
  readonly withoutRules: Alarm;
  readonly auditLost: Alarm;
  readonly nearLost: Alarm;
  readonly staleRules: Alarm;
  readonly openSharesHigh: Alarm;
  readonly pairsHigh: Alarm;
  readonly throttles: Alarm;
  readonly failing: Alarm;
  readonly slow: Alarm;
  readonly gatewayErrors: Alarm;
  readonly refusals: Alarm;
  readonly settlementsDead: Alarm;
  readonly settlementsWaiting: Alarm;
  /** Undefined where it is turned off. */
  readonly quiet?: Alarm;
}

/** The longest that an alarm of CloudWatch looks back. */
const QUIET_MINUTES_MAX = 24 * 60;

/**
 * Makes the alarms. They are silent where nothing is counted, but for the one that waits for checks.
 *
 * @throws Error naming a figure of `alarmWhen` that is out of bounds
 */
export function makeAlarms(
  scope: Construct,
  stage: string,
  seen: Seen,
  { alarmTopic, alarmWhen = {} }: HeadroomProps,
  { quietSeconds, refusedPercentMax }: Description,
): Alarms {
  const { quiet = Duration.seconds(quietSeconds), refusedPercent = refusedPercentMax } = alarmWhen;
  assertFigures(quiet, refusedPercent);
  const figures = { quiet: quiet.toSeconds() === 0 ? undefined : quiet, refusedPercent };
  const made = Object.entries(watches(seen, figures)).map(([name, watched]) => {
    const id = `${name.charAt(0).toUpperCase()}${name.slice(1)}Alarm`;
    return [name, makeAlarm(scope, id, stage, watched)] as const;
  });
  for (const [, alarm] of made) tell(alarm, alarmTopic);
  return Object.fromEntries(made) as unknown as Alarms; // as mapped, name by name
}

/** Has an alarm send a message when it goes off, and when it is over. */
export function tell(alarm: Alarm, topic: ITopic | undefined): void {
  if (topic === undefined) return;
  alarm.addAlarmAction(new SnsAction(topic));
  alarm.addOkAction(new SnsAction(topic));
}

/** @throws Error */
function assertFigures(quiet: Duration, refusedPercent: number): void {
  const minutes = quiet.toMinutes({ integral: false });
  if (!Number.isInteger(minutes) || minutes > QUIET_MINUTES_MAX)
    throw new Error(
      `alarmWhen.quiet is ${minutes} minutes, expected whole minutes up to ${QUIET_MINUTES_MAX}, or 0 for no such alarm.`,
    );
  if (!(refusedPercent > 0 && refusedPercent <= 100))
    throw new Error(
      `alarmWhen.refusedPercent is ${refusedPercent}, expected more than 0 and at most 100.`,
    );
}

function makeAlarm(scope: Construct, id: string, stage: string, watched: Watched): Alarm {
  const { name, says, metric, threshold = 1, times, isAbsence = false } = watched;
  return new Alarm(scope, id, {
    alarmName: `headroom-${stage}-${name}`,
    alarmDescription: says,
    metric,
    threshold,
    evaluationPeriods: times?.of ?? 1,
    datapointsToAlarm: times?.many,
    comparisonOperator: isAbsence
      ? ComparisonOperator.LESS_THAN_THRESHOLD
      : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: isAbsence ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
  });
}
