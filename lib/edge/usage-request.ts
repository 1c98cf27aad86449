import * as z from 'zod/mini';
import type { UsageRequest } from '../domain/request.ts';
import { subjects } from './fields.ts';
import type { ParsedText } from './json-text.ts';
import { onlyFields, readRequest } from './requests.ts';

const shape = { subjects };
/** What `usage` takes. */
export const usageSchema = z.strictObject(shape, { error: onlyFields(Object.keys(shape)) });

/**
 * Reads what `usage` is asked.
 *
 * @param appId who asks; what is counted is everybody's
 * @throws InvalidRequestError with every mistake
 */
export function readUsageRequest(request: ParsedText, appId: string): UsageRequest {
  return { appId, ...readRequest(usageSchema, request, () => []) };
}

/** The subjects in the query of a GET; of a kind that stands twice, all that is said. */
export function usageQuery(query: URLSearchParams): object {
  const kinds = new Set(query.keys());
  const found = [...kinds].map((kind): [string, string | readonly string[]] => {
    const ids = query.getAll(kind);
    return [kind, ids.length === 1 ? (ids[0] ?? '') : ids];
  });
  return { subjects: Object.fromEntries(found) };
}
