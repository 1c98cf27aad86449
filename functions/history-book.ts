import type { HistoryBook } from '../lib/audit/history/history.ts';
import { auditCollection } from '../lib/audit/mongo-audit-store.ts';
import { mongoHistory } from '../lib/audit/history/mongo-history.ts';
import type { Service } from './service.ts';

/** Puts together what tells of the past of a service's database. */
export function historyBookOf({ db, rules, settings }: Service): HistoryBook {
  const { audit, storeTimeoutMs, homeKinds, freezableKinds } = settings;
  return mongoHistory({
    rows: audit === 'off' ? undefined : auditCollection(db),
    timeoutMs: storeTimeoutMs,
    rules,
    knownKinds: [...homeKinds, ...freezableKinds],
    machineNow: () => new Date(),
  });
}
