import type { OrderName } from '../shared/request.ts';
import type { Envelope } from '../http/envelope.ts';
import { languageText, text } from '../http/fields.ts';
import { readHeader } from '../http/headers.ts';
import type { ParsedText } from '../http/json-text.ts';
import { readRequest, requestSchema, withoutQuery } from '../http/requests.ts';
import { component } from '../http/said.ts';
import type { Language } from '../http/sentences/language.ts';
import { languageFor } from '../http/sentences/language.ts';

/** What `status` takes; over HTTP a header says the language. */
export const statusSchema = component(
  'StatusRequest',
  requestSchema({
    orderId: text(
      'The order, percent-encoded in a path: `o 1` is `o%201`. For an id of `.` or `..`, invoke the function directly, because URLs lose it.',
    ),
    language: languageText(),
  }),
);

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
