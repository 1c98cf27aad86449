import {
  BatchProcessor,
  EventType,
  processPartialResponse,
  SqsFifoPartialProcessorAsync,
} from '@aws-lambda-powertools/batch';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { Limits } from '../limits/limits-types.ts';
import { HeadroomError, InvalidRequestError } from '../shared/errors.ts';
import type { SettlementRequest } from '../shared/request.ts';
import { DEFAULT_APP_ID } from './caller.ts';
import { inTime } from './deadline.ts';
import { tellSettlements } from './tell-orders.ts';
import { ownField } from './mistakes.ts';
import type { MessageEnd } from './settlement-batch.ts';
import { settleBatch } from './settlement-batch.ts';
import { readSettlementMessage } from './settlement-message.ts';
import type { Settings } from './settings.ts';
import type { CallRecord, Telemetry } from './telemetry.ts';

type Surroundings = {
  readonly settings: Pick<Settings, 'auth'>;
  readonly telemetry: Telemetry;
};

type SettleContext = Pick<Context, 'awsRequestId'> &
  Partial<Pick<Context, 'getRemainingTimeInMillis'>>;

/** A Lambda function that a queue calls. It names the messages that must be delivered again. */
export type SettleHandler = (event: SQSEvent, context: SettleContext) => Promise<SQSBatchResponse>;

/**
 * Makes the Lambda function that settles what a queue's messages say.
 *
 * All messages of a batch are settled together before Powertools is asked record by record, so that
 * those which touch one document are one update. Its processors make the partial response; the one for
 * FIFO queues fails what comes after a failed message of the same group.
 */
export function createSettleHandler(
  settleMany: Limits['settleMany'],
  { settings, telemetry }: Surroundings,
): SettleHandler {
  const otherwise = settings.auth.kind === 'none' ? DEFAULT_APP_ID : undefined;
  const read = (body: unknown): SettlementRequest => readSettlementMessage(body, otherwise);
  return async (event, context) => {
    const startedMs = performance.now();
    // Whatever else it was called with, Powertools says that it is no batch.
    const records = Array.isArray(event.Records) ? event.Records : [];
    const ends = await settleBatch(records.map(messageOf), read, (settlements) =>
      inTime(
        settleMany(settlements, undefined, context.awsRequestId),
        context.getRemainingTimeInMillis?.(),
      ),
    );
    const durationMs = Math.round((performance.now() - startedMs) * 10) / 10;
    const told = { call: 'settle', requestId: context.awsRequestId, durationMs };
    try {
      for (const record of recordsOf(told, records, ends)) telemetry.record(record);
    } catch {
      // A log that cannot be written must not have settled messages delivered again.
    }
    return responseTo(event, records, ends);
  };
}

function isFifo(record: SQSRecord): boolean {
  return String(ownField(record, 'eventSourceARN')).endsWith('.fifo');
}

/** Of a standard queue the message group is for fairness alone, not for order. */
function messageOf(record: SQSRecord): { readonly body: unknown; readonly group?: string } {
  const group = isFifo(record)
    ? ownField(ownField(record, 'attributes'), 'MessageGroupId')
    : undefined;
  return { body: record.body, ...(typeof group === 'string' ? { group } : {}) };
}

function responseTo(
  event: SQSEvent,
  records: readonly SQSRecord[],
  ends: readonly MessageEnd[],
): Promise<SQSBatchResponse> {
  const errors = new Map<SQSRecord, unknown>();
  for (const [index, record] of records.entries()) {
    const end = ends[index];
    if (end?.kind === 'failed') errors.set(record, end.error);
  }
  // Powertools calls it for each record, and takes what it throws as the record's failure.
  const judge = (record: SQSRecord): void => {
    const error = errors.get(record);
    if (errors.has(record))
      throw error instanceof Error ? error : new Error('not settled', { cause: error });
  };
  const [first] = records;
  return first !== undefined && isFifo(first)
    ? processPartialResponse(event, judge, new SqsFifoPartialProcessorAsync(), {
        skipGroupOnError: true,
        throwOnFullBatchFailure: false,
      })
    : processPartialResponse(event, judge, new BatchProcessor(EventType.SQS), {
        throwOnFullBatchFailure: false,
      });
}

type Told = Pick<CallRecord, 'call' | 'requestId' | 'durationMs'>;

/** One line for what was settled, and one for each message that was not. */
function recordsOf(
  told: Told,
  records: readonly SQSRecord[],
  ends: readonly MessageEnd[],
): readonly CallRecord[] {
  const settled = ends.filter((end) => end.kind === 'done');
  const orders = tellSettlements(settled, told.requestId);
  const payload = { request: `${records.length} messages`, answer: orders.orders };
  const failures = ends.flatMap((end, index) =>
    end.kind === 'failed' ? [failureOf(told, records[index], end.error)] : [],
  );
  return settled.length === 0 ? failures : [{ ...told, ...orders, payload }, ...failures];
}

function codeOf(error: unknown): string {
  return error instanceof HeadroomError ? error.code : 'INTERNAL';
}

function failureOf(told: Told, record: SQSRecord | undefined, error: unknown): CallRecord {
  const code = codeOf(error);
  const isRetried = error instanceof HeadroomError && error.retryable;
  const outcome = isRetried ? 'undecided' : code === 'INTERNAL' ? 'failed' : 'rejected';
  return {
    ...{ ...told, outcome, code },
    ...(record === undefined ? {} : { messageId: record.messageId }),
    // The value may be a subject or an amount, so the log has only its place and what was expected.
    ...(error instanceof InvalidRequestError
      ? {
          mistakes: [
            ...error.mistakes.map(
              ({ path, expected }) => `${path === '' ? 'the message' : path}: expected ${expected}`,
            ),
            ...(error.further === 0 ? [] : [`and ${error.further} more`]),
          ],
        }
      : {}),
    ...(outcome === 'rejected' ? {} : { fault: error }),
    payload: { request: record?.body, answer: undefined },
  };
}
