import { HeadroomError, errorOf } from './errors.ts';

/** The call is not signed by an active application. The message tells nothing new; the reason is for the log. */
export class BadSignatureError extends HeadroomError {
  override readonly name = 'BadSignatureError';
  readonly code = 'BAD_SIGNATURE';
  readonly reason: string;
  /** The application that the call says it is from, where that could be an id. */
  readonly appId?: string;
  constructor(message: string, reason: string, appId?: string) {
    super(message);
    this.reason = reason;
    if (appId !== undefined) this.appId = appId;
  }
}

/** The application that signed the call has not the right that it needs. */
export class RightMissingError extends errorOf(
  'RIGHT_MISSING',
  (appId: string, right: string) =>
    `application ${JSON.stringify(appId)} lacks the right ${right}: ask an administrator to run npm run apps -- grant ${appId} ${right}`,
) {}

/** The application that signed the call may not make it. */
export class OperationNotAllowedError extends errorOf(
  'OPERATION_NOT_ALLOWED',
  (appId: string, needed: readonly string[], allowed: readonly string[]) => {
    const may = allowed.length === 0 ? 'nothing' : allowed.join(', ');
    return `application ${JSON.stringify(appId)} may call ${may}, and this call needs ${needed.join(' and ')}: ask an administrator`;
  },
) {}
