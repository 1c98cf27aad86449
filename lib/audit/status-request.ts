import * as z from 'zod/mini';
import type { OrderName } from '../shared/request.ts';
import type { Envelope } from '../http/envelope.ts';
import { languageText, text } from '../http/fields.ts';
import { readHeader } from '../http/headers.ts';
import type { ParsedText } from '../http/json-text.ts';
import { onlyFields, readRequest, withoutQuery } from '../http/requests.ts';
import type { Language } from '../http/sentences/language.ts';
import { languageFor } from '../http/sentences/language.ts';

/** Over HTTP a header says the language. */
const shape = { orderId: text, language: z.optional(languageText) };
/** What `status` takes. */
export const statusSchema = z.strictObject(shape, { error: onlyFields(Object.keys(shape)) });

/** Which order is asked about, and in which language sentences are. */
export type StatusRequest = { readonly order: OrderName; readonly language: Language };

/**
 * Reads what `status` is asked.
 *
 * @param appId whose order it is
 * @throws InvalidRequestError with every mistake
 */
export function readStatusRequest(
  request: ParsedText,
  appId: string,
  envelope: Envelope,
): StatusRequest {
  const { orderId, language } = readRequest(
    statusSchema,
    withoutQuery(request, envelope),
    () => [],
  );
  const accepted =
    envelope.kind === 'direct' ? language : readHeader(envelope.headers, 'Accept-Language');
  return { order: { appId, orderId }, language: languageFor(accepted) };
}
