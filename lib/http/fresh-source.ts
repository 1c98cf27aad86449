/** How long something may be used that could not be loaded again: 5 minutes. */
const KEPT_MS = 300_000;

/** Least time between two loads that fail, so that a store in trouble is not asked with every call. */
const RETRY_MS = 1_000;

type FreshSourceOptions<Given, Read> = {
  readonly load: () => Promise<Given>;
  /** Throws where what is stored is wrong. */
  readonly read: (given: Given) => Read;
  readonly maxAgeMs: number;
  /** The machine's clock, in milliseconds. Not a monotonic one: it stands still while a function is frozen. */
  readonly nowMs: () => number;
  /** Called when it could not be loaded and an older state is in force. */
  readonly onStale: (error: unknown, ageMs: number) => void;
};

/**
 * Gives what is stored, loaded again when it is older than `maxAgeMs`; one load at a time. If a load fails, or
 * gives something wrong, the last state stays in force for KEPT_MS after it was loaded. Then the call fails.
 */
export function freshSource<Given, Read>(options: FreshSourceOptions<Given, Read>) {
  const { load, read, maxAgeMs, nowMs, onStale } = options;
  // The text that it was read from: the same text gives the same state, and what it has worked out.
  let loaded: { readonly is: Read; readonly text: string; readonly atMs: number } | undefined;
  let triedMs = -Infinity;
  let loading: Promise<Read> | undefined;

  async function loadAgain(): Promise<Read> {
    const atMs = nowMs(); // what is loaded is at least as new as the question
    try {
      const given = await load();
      const text = JSON.stringify(given);
      loaded = { is: loaded?.text === text ? loaded.is : read(given), text, atMs };
      return loaded.is;
    } catch (error) {
      const ageMs = loaded === undefined ? Infinity : nowMs() - loaded.atMs;
      if (loaded === undefined || ageMs > KEPT_MS) throw error;
      triedMs = nowMs();
      onStale(error, ageMs);
      return loaded.is;
    } finally {
      loading = undefined;
    }
  }

  return async (): Promise<Read> => {
    const now = nowMs();
    if (loaded !== undefined && (now - loaded.atMs < maxAgeMs || now - triedMs < RETRY_MS))
      return loaded.is;
    loading ??= loadAgain();
    return loading;
  };
}
