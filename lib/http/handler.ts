import type { Context } from 'aws-lambda';
import { UndecidedError } from '../shared/errors.ts';
import { BadSignatureError } from './caller-source.ts';
import type { Mistake } from '../shared/errors.ts';
import type { FunctionName } from '../../contract/calls.ts';
import { present } from '../shared/present.ts';
import { within } from '../shared/within.ts';
import type { Envelope, Framing, Reply } from './envelope.ts';
import { answerIn, problemIn, readEnvelope, requestedNow, requestText } from './envelope.ts';
import { refuseEvent } from './event-source.ts';
import { readJsonText } from './json-text.ts';
import { problemOf, problemOutcome, retryAfterSeconds } from './problems.ts';
import type { RequestSchema } from './requests.ts';
import { readRequest, withoutQuery } from './requests.ts';
import type { CallRecord, Telemetry } from './telemetry.ts';
import type { AllowedApp, CallerSource, Need } from './caller-source.ts';

/** One call of the service, and how it is read and written. */
export type Call<Given, Request, Answer> = {
  /** The function's name. */
  readonly name: FunctionName;
  /** Default: BODY_BYTES_MAX. */
  readonly bodyBytesMax?: number;
  /** Every operation and every right that an application must have for it. */
  readonly needs: readonly Need[];
  /** Instead, for a dry run; then `run` asserts `needs` of what is none. */
  readonly dryRunNeeds?: readonly Need[];
  readonly takes: RequestSchema<Given>;
  /** Finds fields outside of a body: `asInvoked`. Default: all fields are in the body. */
  readonly places?: (body: unknown, envelope: Envelope, takes: RequestSchema<unknown>) => unknown;
  /** Mistakes between fields, each of which may be right. */
  readonly between?: (value: unknown) => readonly Mistake[];
  readonly read: (given: Given, appId: string) => Request;
  readonly run: (
    request: Request,
    at: Date | undefined,
    requestId: string,
    caller: Caller,
  ) => Promise<Answer>;
  /** The answer if the function's time is over first. Default: UNDECIDED. */
  readonly late?: (
    request: Request,
    error: UndecidedError,
    at: Date | undefined,
    caller: Caller,
  ) => Answer | undefined;
  readonly write: (answer: Answer, requestId: string, request: Request) => object;
  readonly frame?: (answer: Answer) => Framing;
  /** What the log tells of an answer. Default: that there was one. */
  readonly tell?: (
    answer: Answer,
    requestId: string,
    request: Request,
  ) => Omit<ToldCall, 'payload'>;
};

/** Who makes a call: an application, whose orders they are. */
export type Caller = {
  readonly app: AllowedApp;
  readonly envelope: Envelope;
  /** The fields as they were sent: a mistake shows them so. */
  readonly sent: unknown;
};

/** What a call does. */
export type RunCall<Request, Answer> = Call<never, Request, Answer>['run'];

/** Infers the types of a call. */
export const call = <Given, Request, Answer>(
  one: Call<Given, Request, Answer>,
): Call<Given, Request, Answer> => one;

/** What every handler needs beside its call. */
export type Surroundings = {
  readonly settings: {
    /** Whether the header X-Headroom-Now takes the place of the database's clock. */
    readonly localClock: boolean;
    readonly storeTimeoutMs: number;
  };
  readonly telemetry: Telemetry;
  readonly callerOf: CallerSource;
};

/** A function's invocation. Nobody counts the time of one without a remaining time. */
export type Invocation = Pick<Context, 'awsRequestId'> &
  Partial<Pick<Context, 'getRemainingTimeInMillis'>>;

/** A Lambda function, called by API Gateway or directly. */
export type LambdaHandler = (event: unknown, context: Invocation) => Promise<Reply>;

/**
 * Makes a Lambda function of a call. Each error is answered as a problem. It throws only where nobody would read
 * that: a queue, a topic or a stream invokes it in place of `settle`.
 */
export function createHandler<Given, Request, Answer>(
  call: Call<Given, Request, Answer>,
  { settings, telemetry, callerOf }: Surroundings,
): LambdaHandler {
  return async (event, context) => {
    const startedMs = performance.now();
    const requestId = context.awsRequestId;
    const envelope = readEnvelope(event);
    if (envelope.kind === 'direct') refuseEvent(event);
    const tell = (told: ToldCall): void => {
      tellTelemetry(telemetry, {
        call: call.name,
        requestId,
        durationMs: msSince(startedMs),
        ...told,
      });
    };
    try {
      const app = await callerOf(envelope, call.needs, call.dryRunNeeds);
      const { appId } = app;
      const body = readJsonText(requestText(envelope), call.bodyBytesMax);
      const placed = call.places ?? withoutQuery;
      const sent = placed(body, envelope, call.takes);
      const given = readRequest(call.takes, sent, call.between);
      const request = call.read(given, appId);
      const at = settings.localClock ? requestedNow(envelope) : undefined;
      const caller = { app, envelope, sent };
      const answering = call.run(request, at, requestId, caller);
      const answer = await inTime(answering, context, (error) =>
        call.late?.(request, error, at, caller),
      );
      const written = call.write(answer, requestId, request);
      const told = call.tell?.(answer, requestId, request) ?? { outcome: 'answered' };
      tell({ app: appId, payload: { request, answer: written }, ...told });
      return answerIn(envelope, written, requestId, call.frame?.(answer));
    } catch (error) {
      return failedCall(envelope, error, requestId, settings.storeTimeoutMs, tell);
    }
  };
}

/** How long before the function's end a call is given up, to write an answer and a log. */
const TO_ANSWER_MS = 500;

/**
 * Waits for an answer as long as the function may run, because Lambda would end it without an answer.
 *
 * @param late the answer if the time is over first; the call may still take effect
 * @throws UndecidedError if `late` gives none
 */
export async function inTime<T>(
  answer: Promise<T>,
  context: Invocation,
  late?: (error: UndecidedError) => T | undefined,
): Promise<T> {
  const remainingMs = context.getRemainingTimeInMillis?.();
  if (remainingMs === undefined) return answer;
  return within(answer, Math.max(0, remainingMs - TO_ANSWER_MS), () => {
    const error = new UndecidedError('the function’s time was over');
    const instead = late?.(error);
    if (instead === undefined) throw error;
    return instead;
  });
}

type ToldCall = Omit<CallRecord, 'call' | 'requestId' | 'durationMs'>;

function failedCall(
  envelope: Envelope,
  error: unknown,
  requestId: string,
  storeTimeoutMs: number,
  tell: (told: ToldCall) => void,
): Reply {
  const problem = problemOf(error, requestId);
  const { code, status, body } = problem;
  const request = envelope.kind === 'direct' ? envelope.event : envelope.body;
  tell({
    outcome: problemOutcome(problem),
    code,
    payload: { request, answer: body },
    fault: status < 500 ? undefined : error,
    // Callers do not see these.
    ...(error instanceof BadSignatureError
      ? { reason: error.reason, ...present({ app: error.appId }) }
      : {}),
  });
  return problemIn(envelope, problem, requestId, retryAfterSeconds(problem, storeTimeoutMs));
}

/** The milliseconds since an earlier `performance.now()`, in tenths. */
export function msSince(startedMs: number): number {
  return Math.round((performance.now() - startedMs) * 10) / 10;
}

/** A log that cannot be written must not turn a decision that was made into an error. */
export function tellTelemetry(telemetry: Telemetry, told: CallRecord): void {
  try {
    telemetry.record(told);
  } catch {
    // Nobody is left to be told.
  }
}
