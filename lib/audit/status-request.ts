import { text } from '../http/fields.ts';
import { requestSchema } from '../http/requests.ts';
import { component } from '../http/said.ts';
import { language } from '../http/sentences/language.ts';

/** What `status` takes. */
export const statusSchema = component(
  'StatusRequest',
  requestSchema({
    orderId: text(
      'The order, percent-encoded in a path: `o 1` is `o%201`. For an id of `.` or `..`, invoke the function directly, because URLs lose it.',
    ),
    language: language(),
  }),
);
