import { MongoServerError } from 'mongodb';

/** How something is, from well to bad; what the server does not tell says nothing either way. */
export const LEVELS = ['ok', 'not told', 'warning', 'fault'] as const;
/** How something is. */
export type Level = (typeof LEVELS)[number];

/** What was found about one thing, in one line. */
export type Finding = {
  /** What was looked at: `indexes`. */
  readonly name: string;
  readonly level: Level;
  /** What is. */
  readonly says: string;
  /** What to do about it, unless nothing is to be done. */
  readonly todo?: string;
};

/** What is found, without the name of what was looked at. */
export type Found = Omit<Finding, 'name'>;

/** Looks at one thing. What it throws is told as a finding, too. */
export type Examination = { readonly name: string; readonly look: () => Promise<Found> };

/**
 * The server knows no such command, does not take it, or does not let this user have it. Source: MongoDB,
 * error_codes.yml: Unauthorized, CommandNotFound, InvalidOptions, CommandNotSupported,
 * CommandNotSupportedOnView, NotImplemented.
 */
const NOT_TOLD_CODES: ReadonlySet<unknown> = new Set([13, 59, 72, 115, 166, 238]);

/** Looks, and never throws. */
export async function examine({ name, look }: Examination): Promise<Finding> {
  try {
    return { name, ...(await look()) };
  } catch (error) {
    const reason = error instanceof Error ? firstLine(error.message) : 'unknown';
    if (error instanceof MongoServerError && NOT_TOLD_CODES.has(error.code))
      return { name, level: 'not told', says: `not told by this server (${reason})` };
    return {
      name,
      level: 'fault',
      says: `could not be looked at: ${reason}`,
      todo: 'take the cause away, and run the doctor again',
    };
  }
}

/** One line a finding: what lists problems has more. */
function firstLine(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .join(' ');
}

/** All is well. */
export function ok(says: string): Found {
  return { level: 'ok', says };
}

/** Somebody should look at it. */
export function warning(says: string, todo: string): Found {
  return { level: 'warning', says, todo };
}

/** Calls fail, or will. */
export function fault(says: string, todo: string): Found {
  return { level: 'fault', says, todo };
}

/** Says what a server that keeps it to itself leaves open. */
export function notTold(what: string): Found {
  return { level: 'not told', says: `${what}: not told by this server` };
}

/** The worst of several. */
export function worstOf(findings: readonly Finding[]): Level {
  const worst = Math.max(0, ...findings.map(({ level }) => LEVELS.indexOf(level)));
  return LEVELS[worst] ?? 'ok';
}
