import * as z from 'zod/mini';
import type { SettlementRequest } from '../domain/request.ts';
import { text } from './fields.ts';
import { readJsonText } from './json-text.ts';
import { settlementFields, settlementMistakes, settlementOf } from './many-request.ts';
import { ownField } from './mistakes.ts';
import { DEFAULT_APP_ID, onlyFields, readRequest } from './requests.ts';

const shape = { appId: z.optional(text), ...settlementFields };
const messageSchema = z.strictObject(shape, { error: onlyFields(Object.keys(shape)) });

/** An event of EventBridge's: the message is its `detail`, the rest is the bus's. */
const eventSchema = z.looseObject({ detail: messageSchema });

/**
 * Reads how a transaction ended from the body of a queue's message: the settlement itself, or an event
 * of EventBridge's around it.
 * Source: Amazon EventBridge user guide, "AWS events structure": `detail-type` and `detail`.
 *
 * @throws InvalidRequestError with every mistake
 */
export function readSettlementMessage(body: unknown): SettlementRequest {
  const parsed = readJsonText(typeof body === 'string' ? body : '');
  const isEvent = ownField(parsed.value, 'detail-type') !== undefined;
  const message = isEvent
    ? readRequest(eventSchema, parsed, (value) =>
        settlementMistakes(ownField(value, 'detail'), ['detail']),
      ).detail
    : readRequest(messageSchema, parsed, settlementMistakes);
  return settlementOf(message, message.appId ?? DEFAULT_APP_ID);
}
