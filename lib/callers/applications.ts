import type { App, AppSecret } from '../http/app.ts';
import { APP_SECRETS_MAX } from '../shared/bounds.ts';
import { makeSecret, openSecret, sealSecret } from './sealed-secret.ts';

/** An application with a new secret, which nobody can read again later. */
interface WithSecret<T> {
  readonly app: T;
  readonly secret: string;
}

/** Why an application cannot be changed so; the message says what to do. */
export class ApplicationError extends Error {
  override readonly name = 'ApplicationError';
}

function sealed(appsKey: Uint8Array, appId: string, secretId: string, now: Date) {
  const secret = makeSecret();
  const name = { appId, secretId };
  const stored: AppSecret = {
    id: secretId,
    sealed: sealSecret(appsKey, name, secret),
    createdAt: now,
  };
  return { secret, stored };
}

/** Makes an active application with its first secret. */
export function makeApplication(
  appsKey: Uint8Array,
  id: string,
  operations: readonly string[],
  now: Date,
  rights: readonly string[] = [],
): WithSecret<App> {
  const { secret, stored } = sealed(appsKey, id, 's1', now);
  return { app: { id, status: 'active', operations, rights, secrets: [stored] }, secret };
}

/**
 * Gives an application a second secret. Both are good until the older one is retired.
 *
 * @throws ApplicationError where it has two
 */
export function withNewSecret<T extends App>(
  appsKey: Uint8Array,
  app: T,
  now: Date,
): WithSecret<T> {
  if (app.secrets.length >= APP_SECRETS_MAX)
    throw new ApplicationError(
      `Application ${app.id} has two secrets already. Remove the older one first: npm run apps -- retire ${app.id}`,
    );
  const last = Math.max(0, ...app.secrets.map(({ id }) => Number(id.slice(1))));
  const { secret, stored } = sealed(appsKey, app.id, `s${last + 1}`, now);
  return { app: { ...app, secrets: [...app.secrets, stored] }, secret };
}

/** Ids of the active applications of which a key opens no secret: each of their calls would be 401. */
export function sealedUnderAnother(appsKey: Uint8Array, apps: readonly App[]): readonly string[] {
  const isOpened = ({ id, secrets }: App): boolean =>
    secrets.some(
      (secret) =>
        openSecret(appsKey, { appId: id, secretId: secret.id }, secret.sealed) !== undefined,
    );
  return apps.filter((app) => app.status === 'active' && !isOpened(app)).map(({ id }) => id);
}

/** Ids that a sentence names; the rest is counted. */
const NAMED_MAX = 3;

/** Names applications in a sentence. */
export function listed(ids: readonly string[]): string {
  const named = ids.slice(0, NAMED_MAX).join(', ');
  const more = ids.length - NAMED_MAX;
  const noun = ids.length === 1 ? 'the application' : 'the applications';
  return more > 0 ? `${noun} ${named} and ${more} more` : `${noun} ${named}`;
}

/**
 * Takes the older of two secrets away: calls signed with it are refused from then on.
 *
 * @throws ApplicationError where it has one
 */
export function withoutOldSecret<T extends App>(app: T): T {
  const [, ...newer] = app.secrets;
  if (newer.length === 0)
    throw new ApplicationError(
      `Application ${app.id} has one secret, which is in use. Add a second one first (npm run apps -- rotate ${app.id}), or disable it (npm run apps -- disable ${app.id})`,
    );
  return { ...app, secrets: newer };
}
