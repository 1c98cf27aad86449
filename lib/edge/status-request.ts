import * as z from 'zod/mini';
import type { OrderName } from '../domain/request.ts';
import { text } from './fields.ts';
import type { ParsedText } from './json-text.ts';
import { onlyFields, readRequest } from './requests.ts';

const shape = { orderId: text };
/** What `status` takes. */
export const statusSchema = z.strictObject(shape, { error: onlyFields(Object.keys(shape)) });

/**
 * Reads what `status` is asked.
 *
 * @param appId whose order it is
 * @throws InvalidRequestError with every mistake
 */
export function readStatusRequest(request: ParsedText, appId: string): OrderName {
  const { orderId } = readRequest(statusSchema, request, () => []);
  return { appId, orderId };
}
