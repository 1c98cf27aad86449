/** How long something took, where that is the point; by measures that a busy machine does not move. */

/**
 * How long the driver waits for a server where nobody tells it otherwise: what ends before that was
 * told. Source: MongoDB's Node driver, "Connection Options", serverSelectionTimeoutMS.
 */
export const DRIVER_WAITS_MS = 30_000;

export type Timed<Result> = { readonly result: Result; readonly ms: number };

/** How long some work took by the clock, what others did meanwhile included. */
export async function timed<Result>(work: () => Promise<Result>): Promise<Timed<Result>> {
  const startedMs = performance.now();
  const result = await work();
  return { result, ms: performance.now() - startedMs };
}

/** How long processors worked in this process while some work was done; other processes take nothing of it. */
export async function processorTimeOf<Result>(
  work: () => Result | Promise<Result>,
): Promise<Timed<Result>> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, ms: (user + system) / 1_000 };
}
