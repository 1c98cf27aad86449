import type { EventBridgeEvent, SNSEvent, SQSEvent, SQSRecord } from 'aws-lambda';

const QUEUE = 'arn:aws:sqs:eu-central-1:123456789012:settlements';

/** A message of a queue; an object is written as JSON. */
export function messageOf(id: string, body: unknown, group?: string): SQSRecord {
  return {
    messageId: id,
    receiptHandle: `receipt-${id}`,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: '1767225600000',
      SenderId: 'AIDAEXAMPLE',
      ApproximateFirstReceiveTimestamp: '1767225600001',
      ...(group === undefined ? {} : { MessageGroupId: group }),
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: group === undefined ? QUEUE : `${QUEUE}.fifo`,
    awsRegion: 'eu-central-1',
  };
}

/** A batch of messages `m-0`, `m-1` and so on, with these bodies. */
export function batchOf(...bodies: readonly unknown[]): SQSEvent {
  return { Records: bodies.map((body, index) => messageOf(`m-${index}`, body)) };
}

/** A notification of SNS around a message, as its subscription puts it into a queue without raw delivery. */
export function snsNotification(message: unknown): object {
  return {
    Type: 'Notification',
    MessageId: '165545c9-2a5c-472c-8df2-7ff2be2b3b1b',
    TopicArn: 'arn:aws:sns:eu-central-1:123456789012:payments',
    Subject: 'PaymentEnded',
    Message: typeof message === 'string' ? message : JSON.stringify(message),
    Timestamp: '2026-03-01T02:00:00.000Z',
    SignatureVersion: '1',
    Signature:
      'EXAMPLEpH+DcEwjAPg8O9mY8dReBSwksfg2S7WKQcikcNKWLQjwu6A4VbeS0QHVCkhRS7fUQvi2egU3N858fiTDN6bkkOxYDVrY0Ad8L10Hs3zH81mtnPk5uvvolIC1CXGu43obcgFxeL3khZl8IKvO61GWB6jI9b5+gLPoBc1Q=',
    SigningCertURL: 'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService.pem',
    UnsubscribeURL: 'https://sns.eu-central-1.amazonaws.com/?Action=Unsubscribe',
    MessageAttributes: { kind: { Type: 'String', Value: 'PaymentEnded' } },
  };
}

/** An event of EventBridge's around a message, as its rule puts it into a queue. */
export function busEvent(detail: unknown): EventBridgeEvent<string, unknown> {
  return {
    version: '0',
    id: '7bf73129-1428-4cd3-a780-95db273d1602',
    'detail-type': 'PaymentEnded',
    source: 'payments',
    account: '123456789012',
    time: '2026-03-01T02:00:00Z',
    region: 'eu-central-1',
    resources: [],
    detail,
  };
}

/** The event with which a topic of SNS invokes a function that is subscribed to it. */
export function topicEvent(message: unknown): SNSEvent {
  const topic = 'arn:aws:sns:eu-central-1:123456789012:payments';
  return {
    Records: [
      {
        EventSource: 'aws:sns',
        EventVersion: '1.0',
        EventSubscriptionArn: `${topic}:165545c9`,
        Sns: {
          Type: 'Notification',
          MessageId: 'n-1',
          TopicArn: topic,
          Subject: 'PaymentEnded',
          Message: typeof message === 'string' ? message : JSON.stringify(message),
          Timestamp: '2026-03-01T02:00:00.000Z',
          SignatureVersion: '1',
          Signature: 'EXAMPLE',
          SigningCertUrl: 'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService.pem',
          UnsubscribeUrl: 'https://sns.eu-central-1.amazonaws.com/?Action=Unsubscribe',
          MessageAttributes: {},
        },
      },
    ],
  };
}
