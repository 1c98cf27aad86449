import * as z from 'zod/mini';
import type { App } from '../http/app.ts';
import { APP_SECRETS_MAX, APPS_MAX, SIGNATURE_TOLERANCE_MS } from '../shared/bounds.ts';
import { InvalidConfigurationError } from '../shared/errors.ts';
import {
  BadSignatureError,
  allowedAll,
  assertAllowed,
  hasAll,
  isRight,
} from '../http/caller-source.ts';
import { mistakesOf } from '../schema/mistakes.ts';
import { openSecret } from './sealed-secret.ts';
import { isMessageSigned, readMessageSignature } from './message-signature.ts';
import { assertTimely, readOldSignature } from './signature.ts';
import type { CallerSource, Need } from '../http/caller-source.ts';

/** Which calls take a signature once: none, those that administrate, or all. */
export const REPLAYS = ['accept', 'changes', 'refuse'] as const;

type ReplayGuard = (typeof REPLAYS)[number];

/** Calls that are not signed belong to this application. */
export const DEFAULT_APP_ID = 'default';

/** Whether calls are signed, and the key under which the secrets of applications are sealed. */
export type Auth =
  | { readonly kind: 'none' }
  | { readonly kind: 'hmac'; readonly appsKey: Uint8Array };

/** Without signatures: somebody whom API Gateway or IAM let through. */
export const unsignedCaller: CallerSource = () => Promise.resolve(LET_THROUGH);

const LET_THROUGH = allowedAll(DEFAULT_APP_ID);

type SignedCallerOptions = {
  /** By id. */
  readonly apps: () => Promise<ReadonlyMap<string, App>>;
  readonly appsKey: Uint8Array;
  /** The machine's clock, in milliseconds. */
  readonly nowMs: () => number;
  readonly replay: ReplayGuard;
  /** Remembers a signature at least until an instant; false if it was there already. */
  readonly takeOnce: (signature: string, until: Date) => Promise<boolean>;
};

/** A secret that nobody has: an unknown application must not be known by a faster answer. */
const NOBODYS_SECRET = 'nobody';

/** With signatures. A direct invocation has no headers to sign: IAM let it through. */
export function signedCaller(options: SignedCallerOptions): CallerSource {
  const { apps, appsKey, nowMs, replay, takeOnce } = options;
  return async (envelope, needs, dryRunNeeds) => {
    if (envelope.kind === 'direct') return LET_THROUGH;
    const read = isMessageSigned(envelope) ? readMessageSignature : readOldSignature;
    const given = read(envelope);
    assertTimely(given, nowMs());
    const { appId, signedAtMs, signature } = given;
    const app = (await apps()).get(appId);
    const secrets = app?.secrets.flatMap(
      ({ id, sealed }) => openSecret(appsKey, { appId, secretId: id }, sealed) ?? [],
    ) ?? [NOBODYS_SECRET];
    // Each secret is tried, so that the time does not tell which one it was.
    const signed = secrets.filter(given.isBy).length > 0;
    const refuse = (reason: string): BadSignatureError =>
      new BadSignatureError(WRONG, reason, appId);
    if (app === undefined) throw refuse('there is no application of this id');
    if (!signed) throw refuse(whyNotSigned(app, secrets.length));
    if (app.status !== 'active') throw refuse('the application is disabled');
    const { operations, rights = [], longestHoldMs, openPercent } = app;
    const allowed = { appId, operations, rights, bounds: { longestHoldMs, openPercent } };
    // Only the body tells whether it is a dry run: the call itself looks again.
    if (dryRunNeeds === undefined || !hasAll(allowed, dryRunNeeds)) assertAllowed(allowed, needs);
    const isOnce =
      replay === 'refuse' || (replay === 'changes' && administrates(envelope.line.method, needs));
    const until = new Date(signedAtMs + MEMORY_MS);
    if (isOnce && !(await takeOnce(signature, until)))
      throw new BadSignatureError(REPEATED, 'the signature was taken before', appId);
    return allowed;
  };
}

/** A signature is valid for the tolerance after its timestamp. The rest is for clocks that differ. */
const MEMORY_MS = 2 * SIGNATURE_TOLERANCE_MS;

const REPEATED =
  'this signature was used before: sign every call again, repeats too, with a new nonce';

const WRONG =
  'the signature does not match this call: check the id of the application and its secret. Sign the method, path, headers and body exactly as you send them';

/** Whether a call changes what is everybody's. A repeat of an order's call is known by the order. */
function administrates(method: string, needs: readonly Need[]): boolean {
  return method !== 'GET' && needs.every(isRight);
}

/** @param opened how many secrets of the application APPS_KEY opens */
function whyNotSigned({ secrets }: App, opened: number): string {
  if (opened === secrets.length)
    return 'no secret gives this signature: another secret, or other bytes, were signed';
  return opened === 0
    ? 'APPS_KEY opens no secret of the application: they were sealed under another key'
    : 'APPS_KEY does not open every secret of the application; no secret that it opens gives this signature';
}

/** Reads the applications of a deployment, by id; unknown fields may come from a later version. @throws InvalidConfigurationError */
export function readAppList(given: readonly unknown[]): ReadonlyMap<string, App> {
  const result = appListSchema().safeParse(given);
  if (!result.success)
    throw new InvalidConfigurationError(
      'The applications in the database are wrong',
      mistakesOf(result.error, given),
    );
  return new Map(result.data.map((app) => [app.id, app]));
}

/** A schema costs a cold start more than its first use, and most functions read no applications. */
function appListSchema() {
  const error = 'as npm run apps stores it';
  const text = z.string({ error });
  const secret = z.object({ id: text, sealed: text, createdAt: z.date({ error }) }, { error });
  const app = z.object(
    {
      id: text,
      status: z.enum(['active', 'disabled'], { error }),
      operations: z.array(text, { error }),
      rights: z._default(z.array(text, { error }), []),
      longestHoldMs: z.optional(z.int({ error }).check(z.positive({ error }))),
      openPercent: z.optional(
        z.int({ error }).check(z.minimum(1, { error }), z.maximum(100, { error })),
      ),
      secrets: z.array(secret, { error }).check(z.maxLength(APP_SECRETS_MAX, { error })),
    },
    { error },
  );
  const tooMany = `at most ${APPS_MAX} applications`;
  return z.array(app, { error }).check(z.maxLength(APPS_MAX, { error: tooMany }));
}
