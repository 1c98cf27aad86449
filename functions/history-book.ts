import { createHistoryBook } from '../lib/audit/history/history-calls.ts';
import type { HistoryBook } from '../lib/audit/history/history-book.ts';
import { auditCollection } from '../lib/audit/mongo-audit-store.ts';
import { mongoHistoryStore } from '../lib/audit/history/mongo-history-store.ts';
import type { Service } from './service.ts';

/** Puts together what tells of the past of a service's database. */
export function historyBookOf({ db, rules, settings }: Service): HistoryBook {
  const { audit, storeTimeoutMs, homeKinds, freezableKinds } = settings;
  return createHistoryBook({
    store: audit === 'off' ? undefined : mongoHistoryStore(auditCollection(db), storeTimeoutMs),
    rules,
    knownKinds: [...homeKinds, ...freezableKinds],
    machineNow: () => new Date(),
  });
}
