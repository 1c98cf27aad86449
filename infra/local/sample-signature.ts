import { signatureOf, type SignedContent } from '../../lib/callers/signature.ts';

/** The application that signs the sample transactions. */
export interface SampleApplication {
  readonly id: string;
  readonly secret: string;
}

/** The headers of a call that the application signs now. */
export function signedHeaders(
  { id, secret }: SampleApplication,
  call: Omit<SignedContent, 'timestamp'>,
): Readonly<Record<string, string>> {
  const timestamp = String(Date.now() / 1000);
  return {
    'x-app-id': id,
    'x-timestamp': timestamp,
    'x-signature': signatureOf(secret, { ...call, timestamp }),
  };
}
