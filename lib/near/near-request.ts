import * as z from 'zod/mini';
import { NEAR_ROWS_DEFAULT, NEAR_ROWS_MAX, NEAR_SHARES } from './near-bounds.ts';
import type { NearQuery } from './near.ts';
import { NEAR_PERCENTS } from './near.ts';
import { kind, pageSize, text, textOf } from '../http/fields.ts';
import type { ParsedText } from '../http/json-text.ts';
import { readNearPageToken } from './near-answer.ts';
import { readRequest, requestSchema, wholeNumberIn } from '../http/requests.ts';
import { component, said } from '../http/said.ts';

/** The least share of the rows of a page, where nothing is said. */
export const NEAR_SHARE_DEFAULT = 0.8;

/** What `near` takes. */
export const nearSchema = component(
  'NearRequest',
  requestSchema({
    rule: z.optional(text('Only rows of this rule.')),
    kind: z.optional(kind('Only rows of this kind of subject.')),
    share: z.optional(
      said(
        z.literal(NEAR_SHARES, { error: `one of ${NEAR_SHARES.join(', ')}` }),
        `The least share of the maximum. Default: ${NEAR_SHARE_DEFAULT}.`,
        { default: NEAR_SHARE_DEFAULT },
      ),
    ),
    limit: pageSize(NEAR_ROWS_DEFAULT, NEAR_ROWS_MAX),
    next: z.optional(
      textOf(
        'Place',
        (value) => typeof value === 'string' && readNearPageToken(value) !== undefined,
        'the next of the page before, unchanged',
        'The `next` of the page before, unchanged.',
      ),
    ),
  }),
);

/** Reads which rows are asked for. @throws InvalidRequestError with every mistake */
export function readNearRequest(request: ParsedText): NearQuery {
  const { rule, kind: ofKind, share, limit, next } = readRequest(nearSchema, request, () => []);
  const after = next === undefined ? undefined : readNearPageToken(next);
  const least = share ?? NEAR_SHARE_DEFAULT;
  return {
    ...(rule === undefined ? {} : { rule }),
    ...(ofKind === undefined ? {} : { kind: ofKind }),
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
