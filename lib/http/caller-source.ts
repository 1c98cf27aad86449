import type { Operation, Right } from '../shared/app.ts';
import type { Envelope } from './envelope.ts';

/** An operation on the application's own orders, or a right to orders and rules of everybody. */
export type Need = Operation | Right;

/** Finds the application that calls. @throws BadSignatureError, OperationNotAllowedError, RightMissingError, UndecidedError */
export type CallerSource = (envelope: Envelope, needs: readonly Need[]) => Promise<string>;

/** The rights of a caller, for answers that show more than the call itself needs a right for. */
export type RightsSource = (envelope: Envelope, appId: string) => Promise<readonly string[]>;
