import { createHistoryBook } from '../lib/calls/history.ts';
import type { HistoryBook } from '../lib/domain/history-book.ts';
import { auditCollection } from '../lib/store/mongo-audit-store.ts';
import { mongoHistoryStore } from '../lib/store/mongo-history-store.ts';
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
