import * as z from 'zod/mini';
import { STALE_MS_MAX } from '../shared/bounds.ts';
import type { UsageRequest } from '../shared/request.ts';
import { attributes, durationFrom, subjects, typeName } from '../http/fields.ts';
import { requestSchema } from '../http/requests.ts';
import { component } from '../http/said.ts';

/** What `usage` takes. */
export const usageSchema = component(
  'UsageRequest',
  requestSchema({
    subjects: subjects('Kinds and ids.'),
    type: z.optional(typeName('The type of the payments, for maxima that depend on it.')),
    attributes: z.optional(
      attributes(
        'The attributes of the payments, for maxima that depend on them. No name may be a subject kind of the query.',
      ),
    ),
    stale: z.optional(
      durationFrom(
        'Staleness',
        [1_000, STALE_MS_MAX],
        `an ISO 8601 duration from PT1S to PT${STALE_MS_MAX / 3_600_000}H, such as PT10S`,
        'How old the answer may be: an ISO 8601 duration from PT1S to PT1H. A secondary may then answer, so that payments do not wait. Default: the answer is current.',
      ),
    ),
  }),
);

/** A request for `usage`. The counters are shared, so it does not matter which application asks. */
export function usageRequestOf(
  { stale: staleMs, ...asked }: z.infer<typeof usageSchema>,
  appId: string,
): UsageRequest {
  return { appId, ...asked, staleMs };
}
