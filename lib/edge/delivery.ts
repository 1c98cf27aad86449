import { unknownSource } from '../http/event-source.ts';
import { present } from '../shared/present.ts';
import { ownField } from '../schema/mistakes.ts';
import type { Message } from './settlement-batch.ts';

/** A message, and the name that its sender gave it. */
export type Delivered = Message & { readonly messageId: string };

/** Messages as they reach the function. */
type Delivery = {
  /**
   * `queue`: it reads which messages it must deliver again. `nobody`: a topic of SNS or a bus invokes the
   * function itself. Lambda then reads only whether the invocation ended in an error.
   */
  readonly answerTo: 'queue' | 'nobody';
  readonly messages: readonly Delivered[];
};

/**
 * Reads what invoked the function: a batch of SQS, a notification of SNS, or an event of EventBridge.
 * Sources: AWS Lambda developer guide, "Using Lambda with Amazon SQS" and "with Amazon SNS". Amazon EventBridge
 * user guide, "AWS events structure".
 *
 * @throws TypeError with the source of anything else, because nobody reads the answer to it
 */
export function readDelivery(event: unknown): Delivery {
  const records = ownField(event, 'Records');
  if (Array.isArray(records)) {
    const isNotification = ownField(ownField(records, 0), 'EventSource') === SNS;
    const answerTo = isNotification ? 'nobody' : 'queue';
    const read = answerTo === 'queue' ? queued : notified;
    const messages = records.map((record: unknown, index) => {
      const message = read(record);
      if (message === undefined) throw unknownSource(record, ['Records', index], EXPECTED);
      return message;
    });
    return { answerTo, messages };
  }
  if (ownField(event, 'detail-type') === undefined) throw unknownSource(event, [], EXPECTED);
  const message = { messageId: textIn(event, 'id') ?? '', body: JSON.stringify(event) };
  return { answerTo: 'nobody', messages: [message] };
}

const SQS = 'aws:sqs';
const SNS = 'aws:sns';

/** Reads a message of a queue. Somebody who tries the function by hand may leave out all but the body. */
function queued(record: unknown): Delivered | undefined {
  const source = ownField(record, 'eventSource');
  const messageId = textIn(record, 'messageId') ?? (source === undefined ? '' : undefined);
  const body = ownField(record, 'body');
  if ((source ?? SQS) !== SQS || messageId === undefined || body === undefined) return undefined;
  // In a standard queue the message group is for fairness, not for order.
  const isOrdered = textIn(record, 'eventSourceARN')?.endsWith('.fifo') === true;
  const group = isOrdered ? textIn(ownField(record, 'attributes'), 'MessageGroupId') : undefined;
  return { messageId, body, ...present({ group }) };
}

/** Reads a notification as a topic of SNS hands it to a function. */
function notified(record: unknown): Delivered | undefined {
  const notification = ownField(record, 'Sns');
  const [messageId, body] = [textIn(notification, 'MessageId'), textIn(notification, 'Message')];
  if (ownField(record, 'EventSource') !== SNS || messageId === undefined) return undefined;
  return body === undefined ? undefined : { messageId, body };
}

function textIn(value: unknown, name: string): string | undefined {
  const text = ownField(value, name);
  return typeof text === 'string' ? text : undefined;
}

const EXPECTED =
  'a batch of a queue (SQS), a notification of SNS or an event of EventBridge. Nothing was settled: put a queue between, with messages as docs/messages.md shows them';
