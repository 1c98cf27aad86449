import { ProblemError, UnexpectedAnswerError } from '@headroom-limits/client';

/** The answer in place of the API's where somebody's login has ended: a way to a page for signing in. */
const REDIRECTED = 401;

/**
 * A `fetch` that follows no redirect: the API has none. A login that has ended answers with one to its
 * own host, which the page may not ask, and which would look as if nobody answered.
 */
export const fetchDirectly: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'manual' });
  if (response.type !== 'opaqueredirect') return response;
  return new Response(null, { status: REDIRECTED });
};

/** Whether an error says that nobody is signed in: the API, or what stands before it. */
export function isSignedOut(error: unknown): boolean {
  if (error instanceof ProblemError) return error.status === 401;
  if (!(error instanceof UnexpectedAnswerError)) return false;
  const isPage = error.status === 200 && /^\s*<(!doctype|html)/i.test(String(error.body));
  return error.status === 401 || isPage;
}

/** Whether an error says that who calls may do less than the page believes. */
export function isRightless(error: unknown): boolean {
  return error instanceof ProblemError && error.status === 403;
}
