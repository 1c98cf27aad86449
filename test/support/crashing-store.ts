import type { Audit } from '../../lib/audit/recorded.ts';
import type { CounterStore } from '../../lib/document/counter-store.ts';
import type { OneCommit } from '../../lib/audit/one-commit.ts';

/** The death of a caller: no error of the service's, and none that it knows how to treat. */
export class CrashError extends Error {
  override readonly name = 'CrashError';
}

/** Where a caller dies: at its n-th call to the store, counted from 0, before or after it is done. */
export type Crash = { readonly at: number; readonly moment: 'before' | 'after' };

export type CrashingStore = {
  readonly counters: CounterStore;
  /** An audit whose caller dies with the store's. A commit is a step, and so is each that it is made of. */
  audited(audit: Audit): Audit;
  /** The next caller dies there; without a crash it lives. Calls are counted from here on. */
  crash(where?: Crash): void;
  isDead(): boolean;
};

/** Puts crashes before a store. Nothing of a dead caller reaches the store any more. */
export function crashingStore(inner: CounterStore): CrashingStore {
  const caller = new Caller();
  return {
    crash: (where) => {
      caller.crash(where);
    },
    isDead: () => caller.isDead,
    counters: countersOf(inner, caller),
    audited: ({ store, refunds, oneCommit, ...rest }) => ({
      ...rest,
      store: inSteps(store, caller),
      refunds: commitOf(refunds, caller),
      ...(oneCommit === undefined ? {} : { oneCommit: commitOf(oneCommit, caller) }),
    }),
  };
}

/** A caller that counts its steps. */
class Caller {
  #where: Crash | undefined;
  #steps = 0;
  #isDead = false;

  get isDead(): boolean {
    return this.#isDead;
  }

  crash(where?: Crash): void {
    this.#where = where;
    this.#steps = 0;
    this.#isDead = false;
  }

  /** Begins a step, unless the caller dies before it; what is given back ends it. */
  begin(): () => void {
    if (this.#isDead) this.#die();
    const isLast = this.#steps === this.#where?.at;
    this.#steps += 1;
    if (isLast && this.#where?.moment === 'before') this.#die();
    return () => {
      if (isLast) this.#die();
    };
  }

  async step<T>(call: () => Promise<T>): Promise<T> {
    const end = this.begin();
    const answer = await call();
    end();
    return answer;
  }

  #die(): never {
    this.#isDead = true;
    throw new CrashError('the caller has died');
  }
}

function inSteps<Store extends object>(inner: Store, caller: Caller): Store {
  const members = Object.entries(inner).map(([name, member]: [string, unknown]) => {
    if (typeof member !== 'function') return [name, member];
    const call = member as (...asked: unknown[]) => Promise<unknown>; // as every store has them
    return [name, (...asked: unknown[]) => caller.step(() => call(...asked))];
  });
  return Object.fromEntries(members) as Store; // each member under its name
}

/** Counters in steps; a commit is as many as the calls within it. */
function countersOf(inner: CounterStore, caller: Caller): CounterStore {
  const together: CounterStore['together'] = (work) =>
    inner.together((counters) => work(countersOf(counters, caller)));
  return { ...inSteps(inner, caller), together };
}

/** What a caller that died before the commit had written is gone; killed processes show the same. */
function commitOf(inner: OneCommit, caller: Caller): OneCommit {
  return async (work) => {
    let end = (): void => undefined;
    const answer = await inner(async ({ counters, refunds, append }) => {
      const result = await work({
        counters: countersOf(counters, caller),
        refunds: inSteps(refunds, caller),
        append: (rows) => caller.step(() => append(rows)),
      });
      end = caller.begin();
      return result;
    });
    end();
    return answer;
  };
}
