import type { AuditRow, AuditStore } from '../../lib/audit/audit.ts';
import type { OneCommit } from '../../lib/audit/one-commit.ts';
import { refundsOver } from '../../lib/audit/refunds/refund-store.ts';
import type { CounterStore } from '../../lib/document/counter-store.ts';
import { countersOver } from '../../lib/document/counters.ts';
import { OUTCOMES_DEFAULT } from '../../lib/shared/bounds.ts';
import { ledgersAmong } from '../interleavings/memory-audit.ts';
import type { Stores } from '../interleavings/memory-commit.ts';
import { commitOver } from '../interleavings/memory-commit.ts';
import { PLAIN_OFF } from '../support/lanes.ts';
import type { MingoStore } from '../support/mingo-store.ts';

/** Refunds over documents in memory. Their rows come once the commit has come. */
export function refundsIn({ documents }: MingoStore, { append }: AuditStore): OneCommit {
  return async (work) => {
    const rows: AuditRow[] = [];
    const storesOver: Stores = (statements) => {
      rows.length = 0;
      const counters: CounterStore = countersOver(statements, {
        outcomesMax: OUTCOMES_DEFAULT,
        lanes: PLAIN_OFF,
        isOneCommit: true,
        together: (inner) => inner(counters),
      });
      return {
        counters,
        refunds: refundsOver(ledgersAmong(statements), statements),
        append: (more) => {
          rows.push(...more);
          return Promise.resolve();
        },
      };
    };
    const result = await commitOver(
      documents,
      () => new Date(),
      (_name, _document, _isWrite, effect) => effect(),
      storesOver,
    )(work);
    await append(rows);
    return result;
  };
}
