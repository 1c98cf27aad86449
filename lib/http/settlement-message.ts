import * as z from 'zod/mini';
import type { Mistake } from '../shared/errors.ts';
import type { SettlementRequest } from '../shared/request.ts';
import { text } from './fields.ts';
import { readJsonText } from './json-text.ts';
import { settlementFields, settlementMistakes, oneOfMany } from './many-request.ts';
import type { Path } from './mistakes.ts';
import { mistakeAt, ownField } from './mistakes.ts';
import { readRequest, requestSchema } from './requests.ts';

const messageSchema = requestSchema({ appId: z.optional(text()), ...settlementFields });

/** An event of EventBridge's: the message is its `detail`, the rest is the bus's. */
const eventSchema = z.looseObject({ detail: messageSchema });

/**
 * Reads how a transaction ended from the body of a queue's message: the settlement itself, or an event
 * of EventBridge's around it.
 * Source: Amazon EventBridge user guide, "AWS events structure": `detail-type` and `detail`.
 *
 * @param otherwise whose orders they are that name no application; undefined where each must
 * @throws InvalidRequestError with every mistake
 */
export function readSettlementMessage(body: unknown, otherwise?: string): SettlementRequest {
  const parsed = readJsonText(typeof body === 'string' ? body : '');
  const isEvent = ownField(parsed, 'detail-type') !== undefined;
  const between = (message: unknown, at: Path = []): readonly Mistake[] => [
    ...(otherwise === undefined ? noApplication(message, at) : []),
    ...settlementMistakes(message, at),
  ];
  const message = isEvent
    ? readRequest(eventSchema, parsed, (value) => between(ownField(value, 'detail'), ['detail']))
        .detail
    : readRequest(messageSchema, parsed, between);
  const appId = message.appId ?? otherwise;
  if (appId === undefined) throw new TypeError('a message without an application is a mistake');
  return oneOfMany(message, appId);
}

/** Where applications sign, a message that names none is nobody's. */
function noApplication(message: unknown, at: Path): readonly Mistake[] {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return [];
  return ownField(message, 'appId') === undefined
    ? [mistakeAt([...at, 'appId'], undefined, 'the application whose order it is')]
    : [];
}
