import type { Db } from 'mongodb';
import type { Audit } from '../../lib/audit/recorded.ts';
import type { AuditRow } from '../../lib/audit/audit.ts';
import type { AuditStore, OrderRows } from '../../lib/audit/audit.ts';
import type { Limits, LimitsOptions } from '../../lib/edge/limits.ts';
import { auditCollection, mongoAuditStore } from '../../lib/audit/mongo-audit-store.ts';
import type { MongoCounterOptions } from '../../lib/document/mongo-counter-store.ts';
import { AUDIT_WAIT_MS } from '../../lib/shared/bounds.ts';
import type { ModelRule } from '../model/model-types.ts';
import { mongoOneCommit } from '../../lib/audit/mongo-one-commit.ts';
import type { OneCommit } from '../../lib/audit/one-commit.ts';
import { timed } from './elapsed.ts';
import { limitsOver } from './limits-fixture.ts';
import { PATIENCE_MS } from './patient-counters.ts';

/** The service with its audit, and what got lost of it. */
export type AuditedLimits = {
  readonly limits: Limits;
  readonly lost: AuditRow[];
  /** How long the slowest row took that was written beside its call; 0 where each is part of a commit. */
  readonly slowestRowMs: () => number;
  readonly rowsOf: (orderId: string) => Promise<readonly AuditRow[]>;
};

const DAYS = 400;

/** An audit that nobody is told the losses of: `session` makes of each call and its rows one commit. */
export function auditOver(
  db: Db,
  mode: 'best-effort' | 'session',
  options: Pick<MongoCounterOptions, 'lanes'> = {},
): Audit {
  const isSession = mode === 'session';
  const oneCommit = mongoOneCommit(db, DAYS, { timeoutMs: PATIENCE_MS, ...options }, isSession);
  return {
    store: mongoAuditStore(auditCollection(db), DAYS, PATIENCE_MS, PATIENCE_MS),
    onLost: () => undefined,
    refunds: oneCommit,
    ...(isSession ? { oneCommit } : {}),
  };
}

/** Where rows are kept apart from the counters, or what makes of a call and its rows one commit. */
type AuditedOptions = Partial<LimitsOptions> & {
  readonly auditDb?: Db;
  readonly oneCommit?: OneCommit | undefined;
};

/** The service over a database, with rows beside each call. */
export function auditedLimitsOver(
  db: Db,
  rules: readonly ModelRule[],
  { auditDb = db, oneCommit, ...options }: AuditedOptions = {},
): AuditedLimits {
  const lost: AuditRow[] = [];
  let slowestRowMs = 0;
  // Only rows that go elsewhere are lost. A busy machine is not to lose others.
  const writeMs = auditDb === db ? PATIENCE_MS : AUDIT_WAIT_MS;
  const inner = mongoAuditStore(auditCollection(auditDb), DAYS, PATIENCE_MS, writeMs);
  const store: AuditStore = {
    ...inner,
    async append(rows) {
      const { ms } = await timed(() => inner.append(rows));
      slowestRowMs = Math.max(slowestRowMs, ms);
    },
  };
  const onLost = (_error: unknown, rows: readonly AuditRow[]): void => {
    lost.push(...rows);
  };
  return {
    limits: limitsOver(db, rules, {
      audit: {
        store,
        onLost,
        refunds: oneCommit ?? mongoOneCommit(db, DAYS, { timeoutMs: PATIENCE_MS }, false),
        ...(oneCommit === undefined ? {} : { oneCommit }),
      },
      ...options,
    }),
    lost,
    slowestRowMs: () => slowestRowMs,
    rowsOf: async (orderId) => (await readRows(db, orderId)).rows,
  };
}

/** The service over a database whose indexes are made: each call and its rows are one commit. */
export function sessionLimitsOver(
  db: Db,
  rules: readonly ModelRule[],
  options: Partial<LimitsOptions> = {},
  timeoutMs = PATIENCE_MS,
): AuditedLimits {
  const oneCommit = mongoOneCommit(db, DAYS, { timeoutMs });
  return auditedLimitsOver(db, rules, { ...options, oneCommit });
}

/** The rows of an order of the application `default`. */
function readRows(db: Db, orderId: string): Promise<OrderRows> {
  return mongoAuditStore(auditCollection(db), DAYS).rowsOf({ appId: 'default', orderId });
}

/** The audit beside each call, and in one commit with it. */
export const AUDITED = [
  { mode: 'best-effort', over: auditedLimitsOver },
  { mode: 'session', over: sessionLimitsOver },
] as const;
