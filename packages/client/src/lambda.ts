import type { CallName } from './calls.ts';
import type { Answered, Transport } from './transport.ts';

/** The input of an `InvokeCommand` of `@aws-sdk/client-lambda`. */
export type InvokeInput = {
  readonly FunctionName: string;
  readonly InvocationType: 'RequestResponse';
  readonly Payload: Uint8Array;
};

/** The answer of Lambda to an invocation. */
export type InvokeOutput = {
  readonly FunctionError?: string | undefined;
  readonly Payload?: Uint8Array | undefined;
};

/**
 * How functions are invoked: with a client of `@aws-sdk/client-lambda` and its `InvokeCommand`, or with
 * a function of yours. Nothing of the SDK is imported here.
 */
export type LambdaOptions<Command> = {
  /** The function of a call: `` (call) => `headroom-production-${call}` ``. */
  readonly functionName: (call: CallName) => string;
} & (
  | {
      readonly client: {
        send(
          command: NoInfer<Command>,
          options: { abortSignal: AbortSignal },
        ): Promise<InvokeOutput>;
      };
      readonly InvokeCommand: new (input: InvokeInput) => Command;
    }
  | { readonly invoke: (input: InvokeInput, signal: AbortSignal) => Promise<InvokeOutput> }
);

/**
 * Sends calls by direct invocation. Who may is IAM's to say (`lambda:InvokeFunction`); nothing is signed,
 * and orders are those of the application `default`.
 */
export function lambdaTransport<Command>(options: LambdaOptions<Command>): Transport {
  const { functionName } = options;
  const invoke =
    'invoke' in options
      ? options.invoke
      : (input: InvokeInput, abortSignal: AbortSignal) =>
          options.client.send(new options.InvokeCommand(input), { abortSignal });
  return (call, request) => {
    const input: InvokeInput = {
      FunctionName: functionName(call),
      InvocationType: 'RequestResponse',
      Payload: new TextEncoder().encode(JSON.stringify(request)),
    };
    return (signal) => invoke(input, signal).then(answeredIn, refusedBy);
  };
}

function answeredIn({ FunctionError, Payload }: InvokeOutput): Answered {
  const text = new TextDecoder().decode(Payload);
  if (FunctionError !== undefined) return { status: 502, body: text }; // cut off, or out of memory
  try {
    const body: unknown = JSON.parse(text);
    return { status: statusOf(body), body };
  } catch {
    return { status: 502, body: text };
  }
}

/** A problem says its status, and is recognised by its code; an answer has neither. */
function statusOf(body: unknown): number {
  const isObject = typeof body === 'object' && body !== null;
  if (!isObject || !('code' in body) || !('status' in body)) return 200;
  return typeof body.status === 'number' ? body.status : 200;
}

/**
 * An error that the SDK throws after an answer of Lambda is an answer: not allowed, no such
 * function, too many.
 */
function refusedBy(error: unknown): Answered {
  const metadata: unknown =
    typeof error === 'object' && error !== null && '$metadata' in error && error.$metadata;
  const status: unknown =
    typeof metadata === 'object' &&
    metadata !== null &&
    'httpStatusCode' in metadata &&
    metadata.httpStatusCode;
  if (typeof status !== 'number' || status < 400) throw error;
  return { status, body: error instanceof Error ? `${error.name}: ${error.message}` : '' };
}
