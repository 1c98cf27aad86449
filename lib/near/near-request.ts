import * as z from 'zod/mini';
import { NEAR_ROWS_DEFAULT, NEAR_ROWS_MAX, NEAR_SHARES } from './near-bounds.ts';
import { isKind } from '../shared/names.ts';
import type { NearQuery } from './near.ts';
import { NEAR_PERCENTS } from './near.ts';
import { text, wholeNumber } from '../http/fields.ts';
import type { ParsedText } from '../http/json-text.ts';
import { readNearPageToken } from './near-answer.ts';
import { onlyFields, readRequest, wholeNumberIn } from '../http/requests.ts';

type NearShare = (typeof NEAR_SHARES)[number];
/** The least share of the rows of a page, where nothing is said. */
export const NEAR_SHARE_DEFAULT = 0.8;

const NEXT_EXPECTED = 'the next of the page before, unchanged';

const shape = {
  rule: z.optional(text),
  kind: z.optional(z.custom<string>(isKind, { error: 'a subject kind, such as merchant' })),
  share: z.optional(
    z.custom<NearShare>((value) => NEAR_SHARES.some((share) => share === value), {
      error: `one of ${NEAR_SHARES.join(', ')}`,
    }),
  ),
  limit: z.optional(wholeNumber(1, NEAR_ROWS_MAX)),
  next: z.optional(
    z.custom<string>(
      (value) => typeof value === 'string' && readNearPageToken(value) !== undefined,
      { error: NEXT_EXPECTED },
    ),
  ),
};
/** What `near` takes. */
export const nearSchema = z.strictObject(shape, { error: onlyFields(Object.keys(shape)) });

/** Reads which rows are asked for. @throws InvalidRequestError with every mistake */
export function readNearRequest(request: ParsedText): NearQuery {
  const { rule, kind, share, limit, next } = readRequest(nearSchema, request, () => []);
  const after = next === undefined ? undefined : readNearPageToken(next);
  const least = share ?? NEAR_SHARE_DEFAULT;
  return {
    ...(rule === undefined ? {} : { rule }),
    ...(kind === undefined ? {} : { kind }),
    percent: NEAR_PERCENTS.find((percent) => percent / 100 === least) ?? NEAR_PERCENTS[0],
    limit: limit ?? NEAR_ROWS_DEFAULT,
    ...(after === undefined ? {} : { after }),
  };
}

/** What the query of a GET asks for; numbers as numbers, of a name that stands twice all that is said. */
export function nearQuery(query: URLSearchParams): object {
  const asked = [...new Set(query.keys())].map((name): readonly [string, unknown] => {
    const [value = '', ...more] = query.getAll(name);
    if (more.length > 0) return [name, [value, ...more]];
    if (name === 'limit') return [name, wholeNumberIn(value)];
    const isShare = name === 'share' && /^\d+(\.\d+)?$/.test(value);
    return [name, isShare ? Number(value) : value];
  });
  return Object.fromEntries(asked);
}
