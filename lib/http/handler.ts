import type { Context } from 'aws-lambda';
import { BadSignatureError } from '../shared/caller-errors.ts';
import type { Mistake, UndecidedError } from '../shared/errors.ts';
import { present } from '../shared/present.ts';
import type { CallerSource, Need } from './caller.ts';
import { inTime } from './deadline.ts';
import type { Envelope, Framing, Reply } from './envelope.ts';
import { answerIn, problemIn, readEnvelope, requestedNow, requestText } from './envelope.ts';
import { readJsonText } from './json-text.ts';
import { problemOf, problemOutcome } from './problems.ts';
import type { RequestSchema } from './requests.ts';
import { readRequest, withoutQuery } from './requests.ts';
import type { Settings } from './settings.ts';
import type { CallRecord, Telemetry } from './telemetry.ts';

/** One call of the service, and how it is read and written. */
export type Call<Given, Request, Answer> = {
  readonly name:
    | 'check'
    | 'confirm'
    | 'rollback'
    | 'refund'
    | 'record'
    | 'checks'
    | 'settlements'
    | 'status'
    | 'usage'
    | 'near'
    | 'health'
    | 'history'
    | 'rules'
    | 'subjects'
    | 'proposals';
  /** Default: BODY_BYTES_MAX. */
  readonly bodyBytesMax?: number;
  /** Every operation that it may perform, and every right: what an application must be allowed. */
  readonly needs: readonly Need[];
  readonly takes: RequestSchema<Given>;
  /** Finds the fields that stand elsewhere than in a body: `asInvoked`. All are in the body where it is absent. */
  readonly places?: (body: unknown, envelope: Envelope, takes: RequestSchema<unknown>) => unknown;
  /** What is wrong between fields, each of which may be right. */
  readonly between?: (value: unknown) => readonly Mistake[];
  readonly read: (given: Given, appId: string) => Request;
  readonly run: (
    request: Request,
    at: Date | undefined,
    requestId: string,
    caller: Caller,
  ) => Promise<Answer>;
  /** What is answered where the function's time is over first; UNDECIDED where that is nothing. */
  readonly late?: (request: Request, error: UndecidedError, at?: Date) => Answer | undefined;
  readonly write: (answer: Answer, requestId: string, request: Request) => object;
  /** What HTTP says of an answer beside its body; nothing in particular where it is absent. */
  readonly frame?: (answer: Answer) => Framing;
  /** What the log tells of an answer. */
  readonly tell: (
    answer: Answer,
    requestId: string,
    request: Request,
  ) => Omit<CallRecord, 'call' | 'requestId' | 'durationMs' | 'payload'>;
};

/** Who makes a call: the application whose orders they are, and how the call came. */
export type Caller = { readonly appId: string; readonly envelope: Envelope };

/** What a call does. */
export type Run<Request, Answer> = Call<never, Request, Answer>['run'];

/** A call, with the types of what it is given, asked and answers. */
export const call = <Given, Request, Answer>(
  one: Call<Given, Request, Answer>,
): Call<Given, Request, Answer> => one;

/** What the log tells of a call that asks, or changes what is everybody's. */
export const answered = () => ({ outcome: 'answered' }) as const;

/** What every handler needs beside its call. */
export type Surroundings = {
  readonly settings: Pick<Settings, 'localClock'>;
  readonly telemetry: Telemetry;
  readonly callerOf: CallerSource;
};

/** What a function knows of its invocation. */
export type Invocation = Pick<Context, 'awsRequestId'> &
  Partial<Pick<Context, 'getRemainingTimeInMillis'>>;

/** A Lambda function, called by API Gateway or directly. */
export type LambdaHandler = (event: unknown, context: Invocation) => Promise<Reply>;

/**
 * Makes a Lambda function of a call.
 *
 * It never throws: what goes wrong is answered as a problem, so that a caller always knows whether to
 * ask again, and Lambda never answers in our place.
 */
export function createHandler<Given, Request, Answer>(
  call: Call<Given, Request, Answer>,
  { settings, telemetry, callerOf }: Surroundings,
): LambdaHandler {
  return async (event, context) => {
    const startedMs = performance.now();
    const requestId = context.awsRequestId;
    const envelope = readEnvelope(event);
    const tell = (told: Told): void => {
      const durationMs = Math.round((performance.now() - startedMs) * 10) / 10;
      record(telemetry, { call: call.name, requestId, durationMs, ...told });
    };
    try {
      const appId = await callerOf(envelope, call.needs);
      const body = readJsonText(requestText(envelope), call.bodyBytesMax);
      const placed = call.places ?? withoutQuery;
      const request = readCall(call, placed(body, envelope, call.takes), appId);
      const at = settings.localClock ? requestedNow(envelope) : undefined;
      const remainingMs = context.getRemainingTimeInMillis?.();
      const answer = await inTime(
        call.run(request, at, requestId, { appId, envelope }),
        remainingMs,
        (error) => call.late?.(request, error, at),
      );
      const written = call.write(answer, requestId, request);
      const told = call.tell(answer, requestId, request);
      tell({ app: appId, ...told, payload: { request, answer: written } });
      return answerIn(envelope, written, requestId, call.frame?.(answer));
    } catch (error) {
      return failed(envelope, error, requestId, tell);
    }
  };
}

/**
 * Reads what a call is asked.
 *
 * @param appId whose orders they are
 * @throws InvalidRequestError with every mistake
 */
export function readCall<Given, Request>(
  { takes, between, read }: Pick<Call<Given, Request, never>, 'takes' | 'between' | 'read'>,
  given: unknown,
  appId: string,
): Request {
  return read(readRequest(takes, given, between), appId);
}

type Told = Omit<CallRecord, 'call' | 'requestId' | 'durationMs'>;

function failed(
  envelope: Envelope,
  error: unknown,
  requestId: string,
  tell: (told: Told) => void,
): Reply {
  const problem = problemOf(error, requestId);
  const { code, status, body } = problem;
  const request = envelope.kind === 'direct' ? envelope.event : envelope.body;
  tell({
    outcome: problemOutcome(problem),
    code,
    ...(status < 500 ? {} : { fault: error }),
    // The log's fields of an unsigned call, which callers do not see.
    ...(error instanceof BadSignatureError
      ? { reason: error.reason, ...present({ app: error.appId }) }
      : {}),
    payload: { request, answer: body },
  });
  return problemIn(envelope, problem, requestId);
}

/** A log that cannot be written must not turn a decision that was made into an error. */
function record(telemetry: Telemetry, told: CallRecord): void {
  try {
    telemetry.record(told);
  } catch {
    // Nobody is left to be told.
  }
}
