/** Somebody's wish that this program ends. */
interface StopRequest {
  /** Aborted when it is uttered. */
  readonly signal: AbortSignal;
  /** Resolves then, with its reason. */
  readonly asked: Promise<string>;
}

const PARENT_POLL_MS = 500;

/**
 * Listens for Ctrl-C, for `kill`, for the terminal being closed, for nobody reading what is printed
 * (`npm start | head`), and, under npm, for npm being gone:
 * npm hands a signal on to its shell, and the shell ends without handing it on. Further signals change
 * nothing: one Ctrl-C may well arrive twice, and every stop is bounded.
 */
export function listenForStop(): StopRequest {
  const controller = new AbortController();
  const asked = new Promise<string>((resolve) => {
    controller.signal.addEventListener('abort', () => {
      resolve(String(controller.signal.reason));
    });
  });
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      controller.abort(name);
    });
  }
  process.stdout.on('error', () => {
    controller.abort('nobody reads what is printed');
  });
  if (process.env.npm_lifecycle_event !== undefined) {
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) controller.abort('npm ended');
    }, PARENT_POLL_MS).unref();
  }
  return { signal: controller.signal, asked };
}
