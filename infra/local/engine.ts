/**
 * The questions to a database engine. Paths are absolute; the folder belongs to the engine alone,
 * each engine keeps its own part of it.
 */
export type EngineSettings = {
  readonly folder: string;
  /** Data that is not kept is removed from the folder when the engine stops. */
  readonly keepsData: boolean;
  /** Seconds between two sweeps of the TTL monitor, or never. */
  readonly ttlSweep: TtlSweep;
  readonly report: (line: string) => void;
  /** Aborted when nobody wants the engine any more, also while it is being fetched. */
  readonly signal: AbortSignal;
};

/** Whole seconds from 1 to 59, or 60 (a minute, as MongoDB does by itself), or no sweep at all. */
export type TtlSweep = number | 'never';

/** MongoDB sweeps every minute by itself. Source: MongoDB manual, "TTL Indexes". */
export const TTL_SWEEP_SECONDS = 60;

/** The two servers that speak MongoDB's wire protocol here. */
export type EngineName = 'MongoDB' | 'DocumentDB';

/** A server that answers at `uri` until `stop`. */
export type Engine = {
  readonly uri: string;
  readonly engine: EngineName;
  readonly version: string;
  /** Resolves when the server is gone, whether stopped or not. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
};

/** The outcome of one way to get an engine: it runs, or the reason why this way is closed here. */
export type Attempt =
  | { readonly kind: 'started'; readonly engine: Engine }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** The local database cannot be had, or not now; the message says why and what to do, for a person. */
export class LocalDatabaseError extends Error {
  override readonly name = 'LocalDatabaseError';
}

/** The message of whatever was thrown, on one line. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().replace(/\s*\n\s*/g, ' ');
}
