import { randomUUID } from 'node:crypto';
import { termsBookOf } from '../../functions/terms-book.ts';
import { DEFAULT_APP_ID } from '../../lib/edge/caller.ts';
import { createTermsHandler } from '../../lib/edge/terms-handler.ts';
import { createSigner } from '../../packages/client/src/signing.ts';
import { commandActor } from '../command-actor.ts';
import { CommandError } from '../command-error.ts';
import { DEADLINE_MS, orNotDone, overDatabase, signingApplication } from './calls.ts';

/** Where a call goes, and who makes it. */
export type TermsOptions = { readonly url?: string; readonly by?: string; readonly json?: boolean };

/** One call about a subject's terms; `fields` are those of its body, or of its query. */
export type TermsCall = {
  readonly operation: keyof typeof ROUTES;
  readonly kind: string;
  readonly id: string;
  readonly rule?: string | undefined;
  readonly fields?: Readonly<Record<string, unknown>>;
};

/** What each operation is over HTTP, below the subject. */
const ROUTES = {
  terms: { method: 'GET', path: 'terms' },
  changes: { method: 'GET', path: 'changes' },
  findOverride: { method: 'GET', path: 'overrides' },
  override: { method: 'PUT', path: 'overrides' },
  endOverride: { method: 'DELETE', path: 'overrides' },
  freeze: { method: 'PUT', path: 'freeze' },
  unfreeze: { method: 'DELETE', path: 'freeze' },
} as const;

/**
 * Makes a call about a subject's terms: of a deployment (`--url`), or of the same handler in this process,
 * over the database of MONGODB_URI. It is made once: a change that is repeated would be one more change.
 *
 * @returns the answer, whose shape is that of its route
 * @throws CommandError where there is no answer
 */
export async function callTerms<Answer>(
  notDone: string,
  { url, by }: TermsOptions,
  call: TermsCall,
): Promise<Answer> {
  const answer = await orNotDone(notDone, () =>
    url === undefined ? askHere(call, by) : askThere(url, call, by),
  );
  if (isProblem(answer)) {
    const isKnown = isAsking(call) || !OPEN_CODES.has(answer.code);
    throw new CommandError(`${isKnown ? notDone : OPEN}: ${answer.detail} (${answer.code})`);
  }
  return answer as Answer; // no problem, so it is what the route answers
}

/** What is said of a change that may have been made all the same. */
const OPEN = 'It may be changed or not, which headroom terms with --changes tells';
/** Problems after which that is so. */
const OPEN_CODES: ReadonlySet<string> = new Set(['UNDECIDED', 'INTERNAL']);

function isAsking({ operation }: TermsCall): boolean {
  return ROUTES[operation].method === 'GET';
}

function isProblem(answer: object): answer is { readonly code: string; readonly detail: string } {
  return 'code' in answer && 'detail' in answer;
}

/** Asks the handler as a direct invocation does. Nobody signs here: who acts is the machine's user. */
function askHere(
  { operation, kind, id, rule, fields }: TermsCall,
  by: string | undefined,
): Promise<object> {
  return overDatabase(async (service) => {
    const handler = createTermsHandler(termsBookOf(service), {
      ...service,
      callerOf: () => Promise.resolve(DEFAULT_APP_ID),
      actorOf: () => commandActor(by),
    });
    const named = rule === undefined ? {} : { rule };
    const request = { operation, kind, id, ...named, ...fields };
    return handler(request, { awsRequestId: randomUUID() });
  });
}

async function askThere(url: string, call: TermsCall, by: string | undefined): Promise<object> {
  const { method } = ROUTES[call.operation];
  const target = targetOf(call);
  const text = method === 'PUT' ? JSON.stringify(call.fields ?? {}) : '';
  const body = new TextEncoder().encode(text);
  const signing = signingApplication();
  const signed =
    signing === undefined
      ? {}
      : await createSigner(signing, Date.now).headersOf({ method, target, body });
  const response = await fetch(`${url.replace(/\/+$/, '')}${target}`, {
    method,
    headers: {
      ...(text === '' ? {} : { 'Content-Type': 'application/json' }),
      ...(by === undefined ? {} : { 'X-Actor': by }),
      ...signed,
    },
    ...(text === '' ? {} : { body }),
    signal: AbortSignal.timeout(DEADLINE_MS),
  }).catch((error: unknown) => {
    throw failed(call, `no answer from ${url} (${reasonOf(error)})`);
  });
  return answerOf(response, call);
}

/** A change that was sent may have been made. */
function failed(call: TermsCall, why: string): Error {
  return isAsking(call) ? new Error(why) : new CommandError(`${OPEN}: ${why}`);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

async function answerOf(response: Response, call: TermsCall): Promise<object> {
  const text = await response.text();
  const answer = jsonIn(text);
  if (typeof answer === 'object' && answer !== null && (response.ok || isProblem(answer)))
    return answer;
  const shown = text === '' ? 'no text' : text.slice(0, 200);
  const why = `HTTP ${response.status} with ${shown}, expected an answer or a problem of Headroom: check the address, and what stands before it`;
  throw response.status < 500 ? new Error(why) : failed(call, why);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function targetOf({ operation, kind, id, rule, fields = {} }: TermsCall): string {
  const { method, path } = ROUTES[operation];
  const parts = [kind, id, path, ...(rule === undefined ? [] : [rule])];
  const query = new URLSearchParams();
  if (method !== 'PUT')
    for (const [name, value] of Object.entries(fields)) query.set(name, String(value));
  const asked = query.size === 0 ? '' : `?${query.toString()}`;
  return `/v1/subjects/${parts.map(pathPart).join('/')}${asked}`;
}

function pathPart(text: string): string {
  // Every URL parser takes dots away, percent-encoded or not; half a character has no bytes.
  if (/^\.{0,2}$|\p{Surrogate}/u.test(text))
    throw new CommandError(
      `${JSON.stringify(text)} cannot stand in a path: ask without --url, over the database.`,
    );
  return encodeURIComponent(text);
}
