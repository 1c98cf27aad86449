import { randomUUID } from 'node:crypto';
import { proposalBookOf, termsBookOf } from '../functions/books.ts';
import type { Service } from '../functions/service.ts';
import { isPerson, PERSON_EXPECTED, type Actor } from '../lib/shared/actor.ts';
import { unsignedCaller } from '../lib/callers/caller.ts';
import type { LambdaHandler } from '../lib/http/handler.ts';
import { showText } from '../lib/schema/mistakes.ts';
import { createProposalsHandler } from '../lib/proposals/proposals-handler.ts';
import { createTermsHandler } from '../lib/terms/terms-handler.ts';
import { httpTransport } from '../packages/client/src/http.ts';
import { isProblem } from '../packages/client/src/problems.ts';
import { isAnswerOf } from '../packages/client/src/calls.ts';
import { createSigner } from '../packages/client/src/signing.ts';
import type { Answered } from '../packages/client/src/index.ts';
import { commandActor } from './command-actor.ts';
import { CommandError, UsageError } from './command-error.ts';
import { DEADLINE_MS, orNotDone, overDatabase, signingApplication, signingFetch } from './calls.ts';
import { visible } from './output.ts';

/** Where a call goes, and who makes it. */
export type OnceOptions = { readonly url?: string; readonly by?: string; readonly json?: boolean };

/** A call that somebody makes. Headroom stores who it was. */
export type OnceCall = {
  readonly function: 'subjects' | 'proposals';
  /** As a direct invocation of the function has it. */
  readonly request: object;
  /** The text for a change that may have been made anyway. Absent for a question. */
  readonly open?: string;
};

/**
 * Makes a call: of a deployment (`--url`), or of the same handler in this process, over the database of
 * MONGODB_URI. It is made once, by the client's own way of writing it down: a change that is repeated may
 * be one more change.
 *
 * @returns the answer, whose shape is that of its route
 * @throws CommandError where there is no answer
 */
export async function callOnce<Answer>(
  notDone: string,
  { url, by }: OnceOptions,
  call: OnceCall,
): Promise<Answer> {
  const answer = await orNotDone(notDone, () =>
    url === undefined ? askHere(call, by) : askThere(url, call, by),
  );
  if (isProblem(answer)) {
    const said = OPEN_CODES.has(answer.code) ? (call.open ?? notDone) : notDone;
    throw new CommandError(`${said}: ${visible(answer.detail)} (${answer.code})`);
  }
  return answer as Answer; // no problem, so it is what the route answers
}

/** Problems after which a change may have been made or not. */
const OPEN_CODES: ReadonlySet<string> = new Set(['UNDECIDED', 'INTERNAL']);

/** Asks the handler as a direct invocation does, in JSON. Nobody signs here: who acts is the machine's user. */
function askHere(call: OnceCall, by: string | undefined): Promise<object> {
  const actor = commandActor(by);
  return overDatabase(async (service) => {
    const handler = handlerOf(call.function, service, actor);
    const reply = await handler(call.request, { awsRequestId: randomUUID() });
    return JSON.parse(JSON.stringify(reply)) as object; // it was one
  });
}

function handlerOf(name: OnceCall['function'], service: Service, actor: Actor): LambdaHandler {
  const surroundings = {
    ...service,
    callerOf: unsignedCaller,
    actorOf: () => actor,
    now: () => new Date(),
  };
  return name === 'subjects'
    ? createTermsHandler(termsBookOf(service), surroundings)
    : createProposalsHandler(proposalBookOf(service), surroundings);
}

async function askThere(url: string, call: OnceCall, by: string | undefined): Promise<object> {
  if (by !== undefined && !isPerson(by))
    throw new UsageError(`--by is ${showText(by)}, expected ${PERSON_EXPECTED}.`);
  const app = signingApplication();
  const signer = app === undefined ? undefined : createSigner(app, Date.now);
  const transport = httpTransport({ url, signer, fetch: await signingFetch(fetch) });
  const send = transport(call.function, { ...call.request, actor: by });
  const answered = await send(AbortSignal.timeout(DEADLINE_MS)).catch((error: unknown) => {
    throw failed(call, `no answer from ${url} (${reasonOf(error)})`);
  });
  return answerOf(answered, call);
}

/** A change that was sent may have been made. */
function failed({ open }: OnceCall, why: string): Error {
  return open === undefined ? new Error(why) : new CommandError(`${open}: ${why}`);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

function answerOf({ status, body }: Answered, call: OnceCall): object {
  if (typeof body === 'object' && body !== null) {
    const isDone = status === 200 || status === 202;
    if (isProblem(body) || (isDone && isAnswerOf(call.function, body))) return body;
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const shown = text === '' ? 'no text' : text.slice(0, 200);
  const why = `HTTP ${status} with ${shown}, expected an answer or a problem of Headroom: check the address, and any proxy in front of it`;
  // Where a stranger says that it is done, or does not know, the change may have been made behind it.
  throw status >= 300 && status < 500 ? new Error(why) : failed(call, why);
}
