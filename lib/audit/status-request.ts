import * as z from 'zod/mini';
import { patternText, text } from '../http/fields.ts';
import { requestSchema } from '../http/requests.ts';
import { component } from '../http/said.ts';
import { language } from '../http/sentences/language.ts';
import { APP_ID_PATTERN } from '../http/signature.ts';

/** What `status` takes. */
export const statusSchema = component(
  'StatusRequest',
  requestSchema({
    orderId: text(
      'The order, percent-encoded in a path: `o 1` is `o%201`. For an id of `.` or `..`, invoke the function directly, because URLs lose it.',
    ),
    app: z.optional(
      patternText(
        APP_ID_PATTERN,
        'an application: 1 to 64 lower-case letters, digits and hyphens',
        'The application that owns the order. Default: your own. Another one needs the right `usage:read`.',
      ),
    ),
    language: language(),
  }),
);
