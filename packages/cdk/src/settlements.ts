import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Description } from './description.ts';
import type { Deployed } from './functions.ts';
import type { HeadroomProps } from './props.ts';
import type { Times } from './times.ts';

/** As many as one update takes; more than ten need a window to be gathered in. */
const BATCH_SIZE = 100;

/** How many executions Lambda lets a queue call at once. */
const AT_ONCE = { min: 2, max: 1_000 };

/** A batch that is still worked on must not be delivered to somebody else: Lambda asks for six times. */
const VISIBLE_TIMES = 6;

/** The queue of messages that say how transactions ended, and what could not be settled. */
export interface Settlements {
  readonly queue: Queue;
  readonly deadLetters: Queue;
}

/**
 * Makes the queue, gives the function its messages, and takes the events of a bus where one is named.
 *
 * @throws Error where `settleAtOnce` is out of bounds, or more than what is reserved
 */
export function makeSettlements(
  scope: Construct,
  stage: string,
  description: Description,
  times: Times,
  settle: Deployed,
  props: HeadroomProps,
): Settlements {
  const { settlementEvents } = props;
  const maxConcurrency = atOnce(description, props);
  const visibleSeconds = VISIBLE_TIMES * times.function.toSeconds({ integral: false });
  const deadLetters = new Queue(scope, 'DeadLetters', {
    queueName: `headroom-${stage}-settlements-dead`,
    encryption: QueueEncryption.SQS_MANAGED,
    retentionPeriod: Duration.days(14), // the most that SQS allows
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  });
  const queue = new Queue(scope, 'Settlements', {
    queueName: `headroom-${stage}-settlements`,
    encryption: QueueEncryption.SQS_MANAGED,
    visibilityTimeout: Duration.seconds(
      Math.max(description.queueVisibilitySeconds, Math.ceil(visibleSeconds)),
    ),
    retentionPeriod: Duration.days(4),
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE, // messages outlive a removal by mistake
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: description.queueReceivesMax },
  });
  const rights = new PolicyStatement({
    actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
    resources: [queue.queueArn],
  });
  const mapping = new EventSourceMapping(scope, 'SettlementMessages', {
    target: settle.called,
    eventSourceArn: queue.queueArn,
    batchSize: BATCH_SIZE,
    maxBatchingWindow: Duration.seconds(1),
    maxConcurrency,
    reportBatchItemFailures: true,
  });
  // Lambda looks at the rights when the mapping is made.
  settle.function.addToRolePolicy(rights);
  if (settle.function.role !== undefined) mapping.node.addDependency(settle.function.role);
  if (settlementEvents !== undefined) {
    const { bus, source, detailType } = settlementEvents;
    new Rule(scope, 'SettlementEvents', {
      ruleName: `headroom-${stage}-settlements`,
      description: 'How transactions ended, for Headroom to confirm or roll back.',
      eventBus: bus,
      eventPattern: {
        source: [source ?? description.eventSource],
        detailType: [detailType ?? description.eventDetailType],
      },
      targets: [new SqsQueue(queue, { deadLetterQueue: deadLetters })],
    });
  }
  return { queue, deadLetters };
}

/** @throws Error */
function atOnce(
  description: Description,
  { settleAtOnce = description.settleAtOnce, reservedConcurrency = {} }: HeadroomProps,
): number {
  if (!Number.isInteger(settleAtOnce) || settleAtOnce < AT_ONCE.min || settleAtOnce > AT_ONCE.max)
    throw new Error(
      `settleAtOnce is ${settleAtOnce}, expected a whole number from ${AT_ONCE.min} to ${AT_ONCE.max}.`,
    );
  const { settle: reserved } = reservedConcurrency;
  if (reserved !== undefined && reserved < settleAtOnce)
    throw new Error(
      `reservedConcurrency.settle is ${reserved}, expected at least settleAtOnce, ${settleAtOnce}: a message that is throttled counts as received, and lies with the dead letters after some times. Raise the one, or lower the other.`,
    );
  return settleAtOnce;
}
