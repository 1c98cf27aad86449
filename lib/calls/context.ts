import type { Rule } from '../domain/rule.ts';
import type { CounterStore } from '../store/counter-store.ts';

/** What every call works with. */
export type Context = {
  readonly counters: CounterStore;
  /** The rules in force, cached by their source. */
  readonly rules: () => Promise<readonly Rule[]>;
  /** The best idea of the database's clock. */
  readonly clock: DatabaseClock;
  /** A text that no other call has. */
  readonly nonce: () => string;
  /** Waits a little: about 10 ms the first time, twice as long each further time. */
  readonly pause: (times: number) => Promise<void>;
  readonly homeKinds: readonly string[];
  readonly openHoldsMax: number;
  /** Stands in the place of the database's clock, in tests and in local mode. */
  readonly at?: Date;
  /** Notes what documents say in other stores than `counters`; what was noted before is void. */
  readonly watch?: (counters: CounterStore) => CounterStore;
  /** The request that the call answers, for the records alone. */
  readonly requestId?: string;
};

/** An estimate of the database's clock, better with every answer. */
export type DatabaseClock = {
  readonly estimate: () => Date;
  readonly observe: (databaseNow: Date) => void;
};

/**
 * Estimates the database's clock from the machine's and the difference that the last answer showed,
 * so that a machine whose clock is wrong still proposes the right windows.
 */
export function databaseClock(machineNow: () => Date): DatabaseClock {
  let differenceMs = 0;
  return {
    estimate: () => new Date(machineNow().getTime() + differenceMs),
    observe: (databaseNow) => {
      differenceMs = databaseNow.getTime() - machineNow().getTime();
    },
  };
}
