import type { Db } from 'mongodb';
import { MongoServerError } from 'mongodb';
import { asking } from '../mongo/client.ts';
import { UndecidedError } from '../shared/errors.ts';
import type { Examination, Finding } from '../../contract/finding.ts';

/**
 * The server does not know or allow the command, or had no time for it.
 * Source: MongoDB, error_codes.yml: Unauthorized, MaxTimeMSExpired, CommandNotFound, InvalidOptions,
 * CommandNotSupported, CommandNotSupportedOnView, NotImplemented.
 */
const NOT_TOLD_CODES: ReadonlySet<unknown> = new Set([13, 50, 59, 72, 115, 166, 238]);

/** Says whether an error tells only that the server does not say. */
export function isNotTold(error: unknown): boolean {
  return error instanceof MongoServerError && NOT_TOLD_CODES.has(error.code);
}

/** What an error says, on one line. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : 'unknown';
  return message.replaceAll(/\s*\n\s*/g, ' ').trim();
}

/** Looks, and never throws. */
export async function examine({ name, look }: Examination): Promise<Finding> {
  try {
    return { name, ...(await look()) };
  } catch (error) {
    const reason = reasonOf(error);
    if (isNotTold(error))
      return { name, level: 'unknown', says: `this server does not say (${reason})` };
    return {
      name,
      level: 'fault',
      says: `could not be looked at: ${reason}`,
      todo: 'take the cause away, and run the doctor again',
    };
  }
}

/** The finding that no server answers; undefined where one does. It names no host: not all may know it. */
export async function silenceOf(db: Db, timeoutMs: number): Promise<Finding | undefined> {
  try {
    await asking(db, timeoutMs)(() => db.command({ ping: 1 }));
    return undefined;
  } catch (error) {
    if (!(error instanceof UndecidedError)) throw error;
    return {
      name: 'database',
      level: 'fault',
      says: `does not answer within ${timeoutMs} ms`,
      todo: 'see that it runs, that its network lets the functions in, and that MONGODB_URI has its address',
    };
  }
}
