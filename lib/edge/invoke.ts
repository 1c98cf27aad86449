/** Longest wait for Lambda to take an invocation, in milliseconds. */
const PATIENCE_MS = 2_000;

/**
 * Invokes another function of this deployment, and does not wait for it. It loads the AWS SDK with the first call.
 *
 * @param name of the function, in the function's own account and region
 */
export function invokerOf(name: string) {
  let sending: ReturnType<typeof lambdaSender> | undefined;
  return async (event: object): Promise<void> => {
    sending ??= lambdaSender(name);
    const send = await sending;
    await send(event);
  };
}

async function lambdaSender(name: string): Promise<(event: object) => Promise<void>> {
  const { InvokeCommand, LambdaClient } = await import('@aws-sdk/client-lambda');
  const client = new LambdaClient({
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: PATIENCE_MS,
      requestTimeout: PATIENCE_MS,
      throwOnRequestTimeout: true,
    },
  });
  return async (event) => {
    await client.send(
      new InvokeCommand({
        FunctionName: name,
        InvocationType: 'Event',
        Payload: JSON.stringify(event),
      }),
    );
  };
}
