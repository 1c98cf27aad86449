import type { Problem } from './api.ts';
import { PROBLEM_CODES } from './api.ts';

/** Public and stable: what to tell problems apart by. */
export type ProblemCode = Problem['code'];

/** Says whether an answer is a problem that this version knows; a proxy may have the same codes. */
export function isProblem(body: unknown): body is Problem {
  if (typeof body !== 'object' || body === null) return false;
  const { code, status, detail, requestId } = body as Partial<Record<keyof Problem, unknown>>;
  return (
    PROBLEM_CODES.some((known) => known === code) &&
    typeof status === 'number' &&
    typeof detail === 'string' &&
    typeof requestId === 'string'
  );
}
