/**
 * Waits for an answer, at most `waitMs`: then `late` gives it instead, or throws. The work goes on; its
 * failure after that is nobody's.
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
