import type { AppBounds } from './app.ts';
import { errorOf, HeadroomError } from '../shared/errors.ts';
import type { Operation, Right } from '../../contract/calls.ts';
import { OPERATIONS, RIGHTS } from '../../contract/calls.ts';
import type { Envelope } from './envelope.ts';

/** An operation on the application's own orders, or a right to orders and rules of everybody. */
export type Need = Operation | Right;

/** The application that calls, and what it may: names that are not known here allow nothing. */
export type AllowedApp = {
  readonly appId: string;
  readonly operations: readonly string[];
  readonly rights: readonly string[];
  /** What it may take of what all share. */
  readonly bounds: AppBounds;
};

/**
 * Finds the application that calls, and which has what the call needs, or what a dry run of it needs.
 *
 * @throws BadSignatureError, OperationNotAllowedError, RightMissingError, UndecidedError
 */
export type CallerSource = (
  envelope: Envelope,
  needs: readonly Need[],
  dryRunNeeds?: readonly Need[],
) => Promise<AllowedApp>;

/** An application that somebody else let through, for every call. */
export function allowedAll(appId: string): AllowedApp {
  return { appId, operations: OPERATIONS, rights: RIGHTS, bounds: {} };
}

/** Whether it is a right to what is everybody's, and no operation on own orders. */
export const isRight = (need: Need): need is Right => RIGHTS.some((right) => right === need);

/** Whether an application has everything that a call needs. */
export function hasAll({ operations, rights }: AllowedApp, needs: readonly Need[]): boolean {
  return needs.every((need) => (isRight(need) ? rights : operations).includes(need));
}

/** @throws OperationNotAllowedError, RightMissingError where an application lacks something that a call needs */
export function assertAllowed(app: AllowedApp, needs: readonly Need[]): void {
  const right = needs.find((need) => isRight(need) && !hasAll(app, [need]));
  if (right !== undefined) throw new RightMissingError(app.appId, right);
  if (!hasAll(app, needs)) throw new OperationNotAllowedError(app.appId, needs, app.operations);
}

/** The call is not signed by an active application. The message tells nothing new; the reason is for the log. */
export class BadSignatureError extends HeadroomError {
  override readonly name = 'BadSignatureError';
  readonly code = 'BAD_SIGNATURE';
  readonly reason: string;
  /** The application that the call says it is from, where that could be an id. */
  readonly appId: string | undefined;
  constructor(message: string, reason: string, appId?: string) {
    super(message);
    this.reason = reason;
    this.appId = appId;
  }
}

/** The application that signed the call has not the right that it needs. */
class RightMissingError extends errorOf(
  'RIGHT_MISSING',
  (appId: string, right: string) =>
    `application ${JSON.stringify(appId)} lacks the right ${right}: ask an administrator to run npm run apps -- grant ${appId} ${right}`,
) {}

/** The application that signed the call may not make it. */
class OperationNotAllowedError extends errorOf(
  'OPERATION_NOT_ALLOWED',
  (appId: string, needed: readonly string[], allowed: readonly string[]) => {
    const may = allowed.length === 0 ? 'nothing' : allowed.join(', ');
    return `application ${JSON.stringify(appId)} may call ${may}, and this call needs ${needed.join(' and ')}: ask an administrator`;
  },
) {}
