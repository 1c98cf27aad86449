/** How something is, from well to bad; what the server does not tell says nothing either way. */
export const LEVELS = ['ok', 'unknown', 'warning', 'fault'] as const;
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

/** How a deployment is. */
export type Health = {
  /** Headroom's. */
  readonly version: string;
  readonly findings: readonly Finding[];
};

/** Looks at one thing. An error that it throws becomes a finding, too. */
export type Examination = { readonly name: string; readonly look: () => Promise<Found> };

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
  return { level: 'unknown', says: `${what}: this server does not say` };
}

/** The worst of several. */
export function worstOf(findings: readonly Finding[]): Level {
  const worst = Math.max(0, ...findings.map(({ level }) => LEVELS.indexOf(level)));
  return LEVELS[worst] ?? 'ok';
}
