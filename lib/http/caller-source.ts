import type { AppBounds, Operation, Right } from '../shared/app.ts';
import { OPERATIONS, RIGHTS } from '../shared/app.ts';
import { OperationNotAllowedError, RightMissingError } from '../shared/errors.ts';
import type { Envelope } from './envelope.ts';

/** An operation on the application's own orders, or a right to orders and rules of everybody. */
export type Need = Operation | Right;

/** The application that calls, and what it may: names that are not known here allow nothing. */
export type Allowed = {
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
) => Promise<Allowed>;

/** An application that somebody else let through, for every call. */
export function allowedAll(appId: string): Allowed {
  return { appId, operations: OPERATIONS, rights: RIGHTS, bounds: {} };
}

/** Whether it is a right to what is everybody's, and no operation on own orders. */
export const isRight = (need: Need): need is Right => RIGHTS.some((right) => right === need);

/** Whether an application has everything that a call needs. */
export function hasAll({ operations, rights }: Allowed, needs: readonly Need[]): boolean {
  return needs.every((need) => (isRight(need) ? rights : operations).includes(need));
}

/** @throws OperationNotAllowedError, RightMissingError where an application lacks something that a call needs */
export function assertAllowed(app: Allowed, needs: readonly Need[]): void {
  const right = needs.find((need) => isRight(need) && !hasAll(app, [need]));
  if (right !== undefined) throw new RightMissingError(app.appId, right);
  if (!hasAll(app, needs)) throw new OperationNotAllowedError(app.appId, needs, app.operations);
}
