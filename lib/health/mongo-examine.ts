import type { Db } from 'mongodb';
import { MongoServerError } from 'mongodb';
import { asking } from '../mongo/client.ts';
import { UndecidedError } from '../shared/errors.ts';
import type { Examination, Finding } from './finding.ts';

/**
 * The server does not know or allow the command, or had no time for it.
 * Source: MongoDB, error_codes.yml: Unauthorized, MaxTimeMSExpired, CommandNotFound, InvalidOptions,
 * CommandNotSupported, CommandNotSupportedOnView, NotImplemented.
 */
const NOT_TOLD_CODES: ReadonlySet<unknown> = new Set([13, 50, 59, 72, 115, 166, 238]);

/** Looks, and never throws. */
export async function examine({ name, look }: Examination): Promise<Finding> {
  try {
    return { name, ...(await look()) };
  } catch (error) {
    const message = error instanceof Error ? error.message : 'unknown';
    const reason = message.replaceAll(/\s*\n\s*/g, ' ').trim(); // one line a finding
    if (error instanceof MongoServerError && NOT_TOLD_CODES.has(error.code))
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
