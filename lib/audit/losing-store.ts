import type { AuditRow, AuditStore } from './audit.ts';

/** Rows that wait for the next call, at most; beyond that they are lost. */
const WAITING_MAX = 100;

/** A store for rows whose calls are done: one that cannot be written changes no answer. */
export type LosingStore = AuditStore & {
  /** Writes rows with those of the next call, so that this one's answer does not wait for them. */
  readonly appendLater: (rows: readonly AuditRow[]) => void;
};

/**
 * The first new row that is written after a loss says how many were lost. One that a repeat tells may be there
 * already. A process that ends takes along its count, and the rows that wait.
 */
export function losingStore(
  store: AuditStore,
  onLost: (error: unknown, rows: readonly AuditRow[]) => void,
): LosingStore {
  let lost = 0;
  let waiting: readonly AuditRow[] = [];
  return {
    ...store,
    appendLater(rows) {
      const all = [...waiting, ...rows];
      waiting = all.slice(0, WAITING_MAX);
      lost += all.length - waiting.length;
    },
    async append(rows) {
      const written = [...waiting, ...rows];
      if (written.length === 0) return;
      waiting = [];
      const teller = written.find(({ repeated }) => repeated !== true);
      const before = teller === undefined ? 0 : lost;
      lost -= before;
      const all = written.map((row) =>
        row === teller && before > 0 ? { ...row, lost: before } : row,
      );
      try {
        await store.append(all);
      } catch (error) {
        lost += before + all.length;
        onLost(error, all);
      }
    },
  };
}
