/**
 * Waits for an answer, and no longer than a time. What was begun goes on; a failure of it that comes too
 * late is nobody's.
 *
 * @param late gives the answer instead, or throws, once the time is over
 */
export async function within<T>(answer: Promise<T>, waitMs: number, late: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, waitMs);
  }).then(late);
  answer.catch(() => undefined);
  try {
    return await Promise.race([answer, over]);
  } finally {
    clearTimeout(timer);
  }
}
