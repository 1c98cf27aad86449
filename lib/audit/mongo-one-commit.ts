import type { Db } from 'mongodb';
import { COMMIT_MS_MAX } from '../shared/bounds.ts';
import type { AuditRow } from './audit.ts';
import { appendWithin } from './mongo-chain.ts';
import { STORE_TIMEOUT_MS_DEFAULT, decided } from '../mongo/failure.ts';
import { inMongoCommit } from '../document/mongo-commit.ts';
import type { CounterDocument, MongoCounterOptions } from '../document/mongo-counter-store.ts';
import { COUNTERS, mongoStatements } from '../document/mongo-counter-store.ts';
import { REFUNDS } from './mongo-audit-store.ts';
import { refundsOver } from './refunds/refund-store.ts';
import type { OneCommit } from './one-commit.ts';

/**
 * Commits counters, refunds and rows together.
 *
 * @param days how long audit rows are kept
 * @param chains whether rows are chained: where every call's rows are
 */
export function mongoOneCommit(
  db: Db,
  days: number,
  options: MongoCounterOptions,
  chains = true,
): OneCommit {
  const collection = db.collection<CounterDocument>(COUNTERS);
  const refunds = db.collection<CounterDocument>(REFUNDS);
  const timeoutMs = options.timeoutMs ?? STORE_TIMEOUT_MS_DEFAULT;
  return (work) =>
    inMongoCommit(collection, options, ({ counters, inCommit, inTurn }) => {
      const within = { session: inCommit.session, inTurn };
      const append = (rows: readonly AuditRow[]) => appendWithin(db, inCommit, days, rows, chains);
      return work({
        counters,
        refunds: refundsOver(
          mongoStatements(refunds, timeoutMs, within),
          mongoStatements(collection, timeoutMs, within),
        ),
        append: (rows) => inTurn(() => decided(append(rows), COMMIT_MS_MAX)),
      });
    });
}
