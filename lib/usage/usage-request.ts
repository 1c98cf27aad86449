import * as z from 'zod/mini';
import { STALE_MS_MAX } from '../shared/bounds.ts';
import type { UsageRequest } from '../shared/request.ts';
import { namesUsedTwice } from '../http/check-request.ts';
import { attributes, durationFrom, readDurationMs, subjects, typeName } from '../http/fields.ts';
import type { ParsedText } from '../http/json-text.ts';
import { readRequest, requestSchema } from '../http/requests.ts';
import { component } from '../http/said.ts';

/** What stands in its query beside subjects. */
export const USAGE_FIELDS = ['type', 'attributes', 'stale'] as const;

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

/**
 * Reads what `usage` is asked.
 *
 * @param appId who asks; what is counted is everybody's
 * @throws InvalidRequestError with every mistake
 */
export function readUsageRequest(request: ParsedText, appId: string): UsageRequest {
  const {
    subjects: named,
    type,
    attributes: said,
    stale: behind,
  } = readRequest(usageSchema, request, namesUsedTwice);
  const staleMs = readDurationMs(behind);
  return {
    ...{ appId, subjects: named },
    ...(type === undefined ? {} : { type }),
    ...(said === undefined ? {} : { attributes: said }),
    ...(staleMs === undefined ? {} : { staleMs }),
  };
}

/** The request of a query: beside subjects `type`, `stale`, and attributes as `attributes[tier]=silver`. */
export function usageQuery(query: URLSearchParams): Readonly<Record<string, unknown>> {
  const { subjects: named, ...others } = subjectsQuery(USAGE_FIELDS)(query);
  const nameOf = (key: string): string | undefined => /^attributes\[(.*)\]$/s.exec(key)?.[1];
  const all = Object.entries(named);
  const said = all.flatMap(([key, value]) => {
    const name = nameOf(key);
    return name === undefined ? [] : [[name, value] as const];
  });
  return {
    subjects: Object.fromEntries(all.filter(([key]) => nameOf(key) === undefined)),
    ...(said.length === 0 ? {} : { attributes: Object.fromEntries(said) }),
    ...others,
  };
}

/**
 * The request that a query stands for. What is not named here is the kind of a subject; of what stands
 * twice, all that is said.
 */
export function subjectsQuery(
  names: readonly string[],
): (query: URLSearchParams) => { readonly subjects: object; readonly [name: string]: unknown } {
  return (query) => {
    const given = [...new Set(query.keys())].map((name): [string, unknown] => {
      const [value = '', ...more] = query.getAll(name);
      return [name, more.length === 0 ? value : [value, ...more]];
    });
    const isNamed = ([name]: [string, unknown]): boolean => names.includes(name);
    return {
      subjects: Object.fromEntries(given.filter((one) => !isNamed(one))),
      ...Object.fromEntries(given.filter(isNamed)),
    };
  };
}
