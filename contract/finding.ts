/** How something is, from well to bad; what the server does not tell says nothing either way. */
export const LEVELS = ['ok', 'unknown', 'warning', 'fault'] as const;
/** One of them. */
export type Level = (typeof LEVELS)[number];

/** A finding without its name. */
export type Found = {
  /** A `fault` makes calls fail, now or later. */
  readonly level: Level;
  readonly says: string;
  readonly todo?: string;
};

/** A finding about one thing, such as `indexes`. */
export type Finding = Found & { readonly name: string };

/** How a deployment is. */
export type Health = {
  readonly version: string;
  readonly findings: readonly Finding[];
};

/** Looks at one thing. An error that it throws becomes a finding, too. */
export type Examination = { readonly name: string; readonly look: () => Promise<Found> };

/** A finding of this level. */
export function ok(says: string): Found {
  return { level: 'ok', says };
}

/** A finding of this level. */
export function warning(says: string, todo: string): Found {
  return { level: 'warning', says, todo };
}

/** A finding of this level. */
export function fault(says: string, todo: string): Found {
  return { level: 'fault', says, todo };
}

/** The worst of several. */
export function worstOf(findings: readonly Finding[]): Level {
  const worst = Math.max(0, ...findings.map(({ level }) => LEVELS.indexOf(level)));
  return LEVELS[worst] ?? 'ok';
}
