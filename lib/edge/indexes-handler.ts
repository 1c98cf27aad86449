import * as z from 'zod/mini';

/** Source: AWS CloudFormation user guide, "Custom resource request objects". */
const resourceRequestSchema = z.object({
  RequestType: z.enum(['Create', 'Update', 'Delete']),
  ResponseURL: z.url(),
  StackId: z.string(),
  RequestId: z.string(),
  LogicalResourceId: z.string(),
});

/** The answer's `Reason` stands in the events of a stack, which have room for 1,024 characters. */
const REASON_MAX = 500;

/**
 * Makes the Lambda function that makes the collections and indexes. A stack always gets an answer, because it
 * would wait for an hour. With any other event a failure throws. Deleting the stack deletes no index.
 */
export function createIndexesHandler(make: () => Promise<void>) {
  return async (event: unknown): Promise<{ readonly made: true } | undefined> => {
    const request = resourceRequestSchema.safeParse(event);
    if (!request.success) {
      await make();
      return { made: true };
    }
    const { RequestType, ResponseURL, StackId, RequestId, LogicalResourceId } = request.data;
    const failure = RequestType === 'Delete' ? undefined : await whyNotMade(make);
    const answer = {
      Status: failure === undefined ? 'SUCCESS' : 'FAILED',
      ...(failure === undefined ? {} : { Reason: failure }),
      PhysicalResourceId: 'headroom-indexes',
      StackId,
      RequestId,
      LogicalResourceId,
    };
    const response = await fetch(ResponseURL, {
      method: 'PUT',
      headers: { 'content-type': '' }, // the address is signed for none
      body: JSON.stringify(answer),
    });
    // Lambda invokes a function that throws twice more.
    if (!response.ok)
      throw new Error(`The stack's answer was not taken: HTTP ${response.status}, expected 200.`);
    return undefined;
  };
}

async function whyNotMade(make: () => Promise<void>): Promise<string | undefined> {
  try {
    await make();
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown';
    return `The indexes were not made (${reason.slice(0, REASON_MAX)}). Check the connection string, the access list of the database and the network of the functions. Then deploy again.`;
  }
}
