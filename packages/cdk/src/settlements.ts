import { Duration } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Description } from './description.ts';
import type { Deployed } from './functions.ts';
import type { HeadroomProps } from './props.ts';

/** As many as one update takes; more than ten need a window to be gathered in. */
const BATCH_SIZE = 100;

/** The queue of messages that say how transactions ended, and what could not be settled. */
export interface Settlements {
  readonly queue: Queue;
  readonly deadLetters: Queue;
}

/** Makes the queue, gives the function its messages, and takes the events of a bus where one is named. */
export function makeSettlements(
  scope: Construct,
  stage: string,
  description: Description,
  settle: Deployed,
  { settlementEvents }: HeadroomProps,
): Settlements {
  const deadLetters = new Queue(scope, 'DeadLetters', {
    queueName: `headroom-${stage}-settlements-dead`,
    encryption: QueueEncryption.SQS_MANAGED,
    retentionPeriod: Duration.days(14), // the most that SQS allows
  });
  const queue = new Queue(scope, 'Settlements', {
    queueName: `headroom-${stage}-settlements`,
    encryption: QueueEncryption.SQS_MANAGED,
    visibilityTimeout: Duration.seconds(description.queueVisibilitySeconds),
    retentionPeriod: Duration.days(4),
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
    maxConcurrency: description.settleAtOnce,
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
