/** Waits for an answer, at most `waitMs`; then `late` gives it, or throws. The work goes on, and its failure is ignored. */
export async function within<T>(answer: Promise<T>, waitMs: number, late: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<T>((resolve) => {
    timer = setTimeout(() => {
      resolve(Promise.resolve().then(late));
    }, waitMs);
  });
  try {
    return await Promise.race([answer, over]);
  } finally {
    clearTimeout(timer);
  }
}
