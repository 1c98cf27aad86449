import type { App, Operation, Right } from '../shared/app.ts';
import { RIGHTS } from '../shared/app.ts';
import { SIGNATURE_TOLERANCE_MS } from '../shared/bounds.ts';
import {
  BadSignatureError,
  OperationNotAllowedError,
  RightMissingError,
} from '../shared/caller-errors.ts';
import type { Envelope } from './envelope.ts';
import { bodyBytes } from './envelope.ts';
import { openSecret } from './sealed-secret.ts';
import { assertTimely, isSignedWith, readSignatureHeaders } from './signature.ts';

/** Calls that are not signed belong to this application. */
export const DEFAULT_APP_ID = 'default';

/** What a call needs: an operation of the application's own orders, or a right to what is everybody's. */
export type Need = Operation | Right;

/**
 * Finds out which application calls, and makes sure that it may.
 *
 * @param needs every operation that the call may perform, and every right that it takes
 * @throws BadSignatureError, OperationNotAllowedError, RightMissingError, UndecidedError
 */
export type CallerSource = (envelope: Envelope, needs: readonly Need[]) => Promise<string>;

/** Who calls where calls are not signed: somebody whom API Gateway or IAM let through. */
export const unsignedCaller: CallerSource = () => Promise.resolve(DEFAULT_APP_ID);

/**
 * What an application has a right to, of one that was let through: for answers that show more than the
 * call itself needs a right for.
 */
export type RightsSource = (envelope: Envelope, appId: string) => Promise<readonly string[]>;

/** Where calls are not signed, every caller may see everything. */
export const unsignedRights: RightsSource = () => Promise.resolve(RIGHTS);

/** The rights of applications; a direct invocation has all of them, for IAM let it through. */
export function signedRights(apps: SignedCallerOptions['apps']): RightsSource {
  return async ({ kind }, appId) =>
    kind === 'direct' ? RIGHTS : ((await apps()).get(appId)?.rights ?? []);
}

type SignedCallerOptions = {
  /** All applications, by id. */
  readonly apps: () => Promise<ReadonlyMap<string, App>>;
  /** The key that their secrets are sealed under. */
  readonly appsKey: Uint8Array;
  /** The machine's clock, in milliseconds. */
  readonly nowMs: () => number;
  /** Remembers a signature at least until an instant; false where it was there already. */
  readonly takeOnce?: (signature: string, until: Date) => Promise<boolean>;
};

/** A secret that nobody has: an unknown application must not be known by a faster answer. */
const NOBODYS_SECRET = 'nobody';

/**
 * Who calls where calls are signed.
 *
 * A direct invocation has no headers to sign: IAM let it through, and it is DEFAULT_APP_ID's.
 */
export function signedCaller({
  apps,
  appsKey,
  nowMs,
  takeOnce,
}: SignedCallerOptions): CallerSource {
  return async (envelope, needs) => {
    if (envelope.kind === 'direct') return DEFAULT_APP_ID;
    const headers = readSignatureHeaders(envelope.headers);
    assertTimely(headers, nowMs());
    const { appId, timestamp, signature } = headers;
    const app = (await apps()).get(appId);
    const secrets = app?.secrets.flatMap(
      ({ id, sealed }) => openSecret(appsKey, { appId, secretId: id }, sealed) ?? [],
    ) ?? [NOBODYS_SECRET];
    const { method, target } = envelope.line;
    const content = { timestamp, method, target, body: bodyBytes(envelope) };
    const signed = secrets.filter((secret) => isSignedWith(secret, content, signature)).length > 0;
    const refuse = (reason: string): BadSignatureError =>
      new BadSignatureError(WRONG, reason, appId);
    if (app === undefined) throw refuse('there is no application of this X-App-Id');
    if (!signed) throw refuse(whyNotSigned(app, secrets.length));
    if (app.status !== 'active') throw refuse('the application is disabled');
    assertAllowed(app, needs);
    const until = new Date(Number(timestamp) * 1000 + MEMORY_MS);
    if (takeOnce !== undefined && !(await takeOnce(signature, until)))
      throw new BadSignatureError(REPEATED, 'the signature was taken before', appId);
    return appId;
  };
}

/** @throws OperationNotAllowedError, RightMissingError */
function assertAllowed({ id, operations, rights = [] }: App, needs: readonly Need[]): void {
  const isRight = (need: Need): boolean => RIGHTS.some((right) => right === need);
  const right = needs.find((need) => isRight(need) && !rights.includes(need));
  if (right !== undefined) throw new RightMissingError(id, right);
  if (!needs.every((need) => isRight(need) || operations.includes(need)))
    throw new OperationNotAllowedError(id, needs, operations);
}

/** A signature is good for the tolerance after its timestamp; the rest is for clocks that differ. */
const MEMORY_MS = 2 * SIGNATURE_TOLERANCE_MS;

const REPEATED =
  'this signature was used before: sign every call again, repeats too, with a new timestamp';

const WRONG =
  'the signature does not match this call: check X-App-Id and the secret. Sign the method, path, timestamp and body exactly as you send them';

/** @param opened secrets of the application that APPS_KEY opens */
function whyNotSigned({ secrets }: App, opened: number): string {
  if (opened === secrets.length)
    return 'no secret gives this signature: another secret, or other bytes, were signed';
  return opened === 0
    ? 'APPS_KEY opens no secret of the application: they were sealed under another key'
    : 'APPS_KEY does not open every secret of the application; no secret that it opens gives this signature';
}
