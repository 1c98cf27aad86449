import { randomUUID } from 'node:crypto';
import { termsBookOf } from '../../functions/terms-book.ts';
import { DEFAULT_APP_ID } from '../../lib/edge/caller.ts';
import { showText } from '../../lib/edge/mistakes.ts';
import { createTermsHandler } from '../../lib/edge/terms-handler.ts';
import { httpTransport } from '../../packages/client/src/http.ts';
import { createSigner } from '../../packages/client/src/signing.ts';
import type { Answered } from '../../packages/client/src/index.ts';
import { commandActor } from '../command-actor.ts';
import { CommandError, UsageError } from '../command-error.ts';
import { DEADLINE_MS, orNotDone, overDatabase, signingApplication } from './calls.ts';

/** Where a call goes, and who makes it. */
export type TermsOptions = { readonly url?: string; readonly by?: string; readonly json?: boolean };

/** One call about a subject's terms; `fields` are those of its body, or of its query. */
export type TermsCall = {
  readonly operation:
    'terms' | 'changes' | 'findOverride' | 'override' | 'endOverride' | 'freeze' | 'unfreeze';
  readonly kind: string;
  readonly id: string;
  readonly rule?: string | undefined;
  readonly fields?: Readonly<Record<string, unknown>>;
};

/**
 * Makes a call about a subject's terms: of a deployment (`--url`), or of the same handler in this process,
 * over the database of MONGODB_URI. It is made once, by the client's own way of writing it down: a change
 * that is repeated would be one more change.
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
  return operation === 'terms' || operation === 'changes' || operation === 'findOverride';
}

function isProblem(answer: object): answer is { readonly code: string; readonly detail: string } {
  return 'code' in answer && 'detail' in answer;
}

/** The call as a direct invocation of the function has it. */
function requestOf({ operation, kind, id, rule, fields }: TermsCall): object {
  return { operation, kind, id, ...(rule === undefined ? {} : { rule }), ...fields };
}

/** Asks the handler as a direct invocation does. Nobody signs here: who acts is the machine's user. */
function askHere(call: TermsCall, by: string | undefined): Promise<object> {
  const actor = commandActor(by);
  return overDatabase(async (service) => {
    const handler = createTermsHandler(termsBookOf(service), {
      ...service,
      callerOf: () => Promise.resolve(DEFAULT_APP_ID),
      actorOf: () => actor,
    });
    return handler(requestOf(call), { awsRequestId: randomUUID() });
  });
}

async function askThere(url: string, call: TermsCall, by: string | undefined): Promise<object> {
  if (by !== undefined && !HEADER.test(by))
    throw new UsageError(
      `--by is ${showText(by)}, expected printable ASCII beside --url: there the header X-Actor says it.`,
    );
  const app = signingApplication();
  const signer = app === undefined ? undefined : createSigner(app, Date.now);
  const transport = httpTransport({ url, signer, fetch });
  const send = transport('subjects', { ...requestOf(call), actor: by });
  const answered = await send(AbortSignal.timeout(DEADLINE_MS)).catch((error: unknown) => {
    throw failed(call, `no answer from ${url} (${reasonOf(error)})`);
  });
  return answerOf(answered, call);
}

/** What a header can hold, and Headroom takes. */
const HEADER = /^[!-~]([ -~]{0,254}[!-~])?$/;

/** A change that was sent may have been made. */
function failed(call: TermsCall, why: string): Error {
  return isAsking(call) ? new Error(why) : new CommandError(`${OPEN}: ${why}`);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

function answerOf({ status, body }: Answered, call: TermsCall): object {
  const isObject = typeof body === 'object' && body !== null;
  if (isObject && (status === 200 || isProblem(body))) return body;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const shown = text === '' ? 'no text' : text.slice(0, 200);
  const why = `HTTP ${status} with ${shown}, expected an answer or a problem of Headroom: check the address, and what stands before it`;
  throw status < 500 ? new Error(why) : failed(call, why);
}
