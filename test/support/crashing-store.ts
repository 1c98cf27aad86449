import type { CounterStore } from '../../lib/store/counter-store.ts';

/** What a caller dies of: no error of the service's, and none that it knows how to treat. */
export class CrashError extends Error {
  override readonly name = 'CrashError';
}

/** Where a caller dies: at its n-th call to the store, counted from 0, before or after it is done. */
export type Crash = { readonly at: number; readonly moment: 'before' | 'after' };

/** A store whose caller can be made to die between two steps. */
export type CrashingStore = {
  readonly counters: CounterStore;
  /** The next caller dies there; without a crash it lives. Calls are counted from here on. */
  crash(where?: Crash): void;
  /** Says whether the caller died. */
  isDead(): boolean;
};

/** Puts crashes before a store. Of a dead caller nothing reaches the store any more. */
export function crashingStore(inner: CounterStore): CrashingStore {
  let where: Crash | undefined;
  let calls = 0;
  let isDead = false;
  const die = (): never => {
    isDead = true;
    throw new CrashError('the caller has died');
  };
  const step = async <T>(call: () => Promise<T>): Promise<T> => {
    if (isDead) die();
    const isLast = calls === where?.at;
    calls += 1;
    if (isLast && where?.moment === 'before') die();
    const answer = await call();
    return isLast ? die() : answer;
  };
  return {
    crash(at) {
      where = at;
      calls = 0;
      isDead = false;
    },
    isDead: () => isDead,
    counters: {
      hold: (...ask) => step(() => inner.hold(...ask)),
      settle: (...ask) => step(() => inner.settle(...ask)),
      complete: (...ask) => step(() => inner.complete(...ask)),
      holdMany: (...ask) => step(() => inner.holdMany(...ask)),
      settleMany: (...ask) => step(() => inner.settleMany(...ask)),
      completeMany: (...ask) => step(() => inner.completeMany(...ask)),
      read: (...ask) => step(() => inner.read(...ask)),
      readMany: (...ask) => step(() => inner.readMany(...ask)),
    },
  };
}
