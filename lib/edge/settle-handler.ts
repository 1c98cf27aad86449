import * as z from 'zod/mini';
import type { EventBridgeEvent, SNSEvent, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { Limits } from './limits-types.ts';
import type { Mistake } from '../shared/errors.ts';
import { HeadroomError, InvalidRequestError } from '../shared/errors.ts';
import { HeldBackError, settleBatch } from './settlement-batch.ts';
import type { SettlementRequest } from '../shared/request.ts';
import { DEFAULT_APP_ID } from '../callers/caller.ts';
import { text } from '../schema/fields.ts';
import type { Invocation } from '../http/handler.ts';
import { inTime, msSince, tellTelemetry } from '../http/handler.ts';
import { readJsonText } from '../http/json-text.ts';
import { oneOfMany, settlementFields, settlementMistakes } from '../http/many-request.ts';
import type { Path } from '../schema/mistakes.ts';
import { mistakeAt, ownField } from '../schema/mistakes.ts';
import { readRequest, requestSchema } from '../http/requests.ts';
import type { Delivered } from './delivery.ts';
import { readDelivery } from './delivery.ts';
import type { MessageEnd } from './settlement-batch.ts';
import type { Settings } from './settings.ts';
import type { CallRecord, Telemetry } from '../http/telemetry.ts';
import { tellSettlements } from './many-calls.ts';

type MessageSurroundings = {
  readonly settings: Pick<Settings, 'auth'>;
  readonly telemetry: Telemetry;
};

/** What may invoke the function. */
type SettlementEvent = SQSEvent | SNSEvent | EventBridgeEvent<string, unknown>;

/**
 * Makes the Lambda function that settles what messages say. It answers a queue which of them must be delivered
 * again. Nobody else reads that, so it throws instead: then Lambda tries the event twice more.
 */
export function createSettleHandler(
  settleMany: Limits['settleMany'],
  { settings, telemetry }: MessageSurroundings,
) {
  const otherwise = settings.auth.kind === 'none' ? DEFAULT_APP_ID : undefined;
  const read = (body: unknown): SettlementRequest => readSettlementMessage(body, otherwise);
  return async (event: SettlementEvent, context: Invocation): Promise<SQSBatchResponse> => {
    const startedMs = performance.now();
    const { answerTo, messages } = readDelivery(event);
    const ends = await settleBatch(messages, read, (settlements) =>
      inTime(settleMany(settlements, undefined, context.awsRequestId), context),
    );
    const durationMs = msSince(startedMs);
    const told = { call: 'settle', requestId: context.awsRequestId, durationMs };
    // One line for all that was settled, and one for each message that was not.
    const settled = ends.flatMap((end) => (end.kind === 'done' ? [end.result] : []));
    if (settled.length > 0) {
      const orders = tellSettlements(settled, context.awsRequestId);
      const payload = { request: `${messages.length} messages`, answer: orders.orders };
      tellTelemetry(telemetry, { payload, ...told, ...orders });
    }
    const failures = ends.flatMap((end, index) =>
      end.kind === 'failed' ? [failureRecord(told, messages[index], end.error)] : [],
    );
    for (const failure of failures) tellTelemetry(telemetry, failure);
    if (answerTo === 'nobody' && failures.length > 0) throw notSettled(failures);
    return responseTo(messages, ends);
  };
}

/** Lambda logs its message, so no subject and no amount is in it. */
function notSettled(failures: readonly CallRecord[]): Error {
  const codes = failures.map(({ code }) => code).join(', ');
  return new Error(
    `The message was not settled (${codes}). Lambda tries this event twice more, and then it is lost unless the function has a destination for failures: put a queue between`,
  );
}

/**
 * Names the messages that failed, and all later ones of their groups.
 * Source: AWS Lambda developer guide, "Handling errors for an SQS event source", partial batch responses.
 */
function responseTo(messages: readonly Delivered[], ends: readonly MessageEnd[]): SQSBatchResponse {
  const stopped = new Set<string>();
  const failed = messages.filter(({ group }, index) => {
    const isStopped = group !== undefined && stopped.has(group);
    if (ends[index]?.kind === 'done' && !isStopped) return false;
    if (group !== undefined) stopped.add(group);
    return true;
  });
  return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

type ToldMessage = Pick<CallRecord, 'call' | 'requestId' | 'durationMs'>;

function failureRecord(
  told: ToldMessage,
  message: Delivered | undefined,
  error: unknown,
): CallRecord {
  const code = error instanceof HeadroomError ? error.code : 'INTERNAL';
  const outcome = failureKind(error);
  return {
    outcome,
    code,
    payload: { request: message?.body, answer: undefined },
    ...told,
    messageId: message?.messageId,
    mistakes: error instanceof InvalidRequestError ? mistakesTold(error) : undefined,
    fault: outcome === 'rejected' || outcome === 'heldBack' ? undefined : error,
  };
}

/** Without their values: one may be a subject or an amount. */
function mistakesTold({ mistakes, further }: InvalidRequestError): readonly string[] {
  const told = mistakes.map(
    ({ path, expected }) => `${path === '' ? 'the message' : path}: expected ${expected}`,
  );
  return further === 0 ? told : [...told, `and ${further} more`];
}

/** A message behind one that failed is not undecided: that would wake somebody for a poison message. */
function failureKind(error: unknown): 'heldBack' | 'undecided' | 'failed' | 'rejected' {
  if (error instanceof HeldBackError) return 'heldBack';
  if (!(error instanceof HeadroomError) || error.code === 'INTERNAL') return 'failed';
  return error.retryable ? 'undecided' : 'rejected';
}

const messageSchema = requestSchema({ appId: z.optional(text()), ...settlementFields });

const eventSchema = z.looseObject({ detail: messageSchema });

/**
 * Reads a settlement from a message, from the notification of SNS in it, or from the EventBridge event in
 * either.
 * Sources: Amazon SNS developer guide, "Raw message delivery": without it `Message` has the text. Amazon
 * EventBridge user guide, "AWS events structure": `detail-type` and `detail`.
 *
 * @param otherwise the application of messages that name none; undefined where each must
 * @throws InvalidRequestError with every mistake
 */
export function readSettlementMessage(body: unknown, otherwise?: string): SettlementRequest {
  const parsed = withoutNotification(readJsonText(typeof body === 'string' ? body : ''));
  const isEvent = ownField(parsed, 'detail-type') !== undefined;
  const between = (message: unknown, at: Path = []): readonly Mistake[] => {
    const mistakes = settlementMistakes(message, at);
    // Where applications sign, each message must name one; what is no object has other mistakes.
    const isNamed = otherwise !== undefined || ownField(message, 'appId') !== undefined;
    if (isNamed || typeof message !== 'object' || message === null || Array.isArray(message))
      return mistakes;
    const expected = 'the application whose order it is';
    return [mistakeAt([...at, 'appId'], undefined, expected), ...mistakes];
  };
  const message = isEvent
    ? readRequest(eventSchema, parsed, (value) => between(ownField(value, 'detail'), ['detail']))
        .detail
    : readRequest(messageSchema, parsed, between);
  const appId = message.appId ?? otherwise;
  if (appId === undefined) throw new TypeError('a message without an application is a mistake');
  return oneOfMany(message, appId);
}

function withoutNotification(parsed: unknown): unknown {
  const message = ownField(parsed, 'Message');
  const isNotification = ownField(parsed, 'Type') === 'Notification' && typeof message === 'string';
  return isNotification ? readJsonText(message) : parsed;
}
