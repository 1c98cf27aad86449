import type { Db, MongoClient } from 'mongodb';
import type { Audit } from '../lib/calls/audited.ts';
import { ruleSource } from '../lib/edge/rule-source.ts';
import type { Environment, Settings } from '../lib/edge/settings.ts';
import { readSettings } from '../lib/edge/settings.ts';
import type { Telemetry } from '../lib/edge/telemetry.ts';
import { createTelemetry } from '../lib/edge/telemetry.ts';
import type { Limits } from '../lib/limits.ts';
import { createLimits } from '../lib/limits.ts';
import { createClient } from '../lib/store/client.ts';
import { auditCollection, mongoAuditStore } from '../lib/store/mongo-audit-store.ts';
import { COUNTERS, mongoCounterStore } from '../lib/store/mongo-counter-store.ts';
import type { CounterDocument } from '../lib/store/mongo-counter-store.ts';
import { readRules } from '../lib/store/rules.ts';

/** The service of one execution environment, put together. */
export type Service = {
  readonly limits: Limits;
  readonly settings: Settings;
  readonly telemetry: Telemetry;
};

/**
 * Puts the service of an execution environment together: once, while it starts.
 *
 * @throws InvalidConfigurationError listing every setting that is wrong
 */
export function startService(environment: Environment): Service {
  const settings = readSettings(environment);
  const client = createClient(settings.mongodbUri, settings.storeTimeoutMs);
  return serviceOver(client, settings, createTelemetry(settings));
}

/** Puts the service together over a client, which connects with the first call. */
export function serviceOver(
  client: MongoClient,
  settings: Settings,
  telemetry: Telemetry,
): Service {
  const db = client.db(settings.mongodbDatabase);
  const limits = createLimits({
    counters: mongoCounterStore(db.collection<CounterDocument>(COUNTERS), settings.storeTimeoutMs),
    rules: ruleSource({
      load: () => readRules(db, settings.storeTimeoutMs),
      maxAgeMs: settings.rulesCacheMs,
      nowMs: () => Date.now(),
      onStale: telemetry.staleRules,
    }),
    homeKinds: settings.homeKinds,
    openHoldsMax: settings.openHoldsMax,
    onUndecided: settings.onUndecided,
    ...(settings.audit === 'off' ? {} : { audit: auditOver(db, settings, telemetry) }),
  });
  return { limits, settings, telemetry };
}

function auditOver(db: Db, settings: Settings, telemetry: Telemetry): Audit {
  const { auditDays, storeTimeoutMs } = settings;
  return {
    store: mongoAuditStore(auditCollection(db), auditDays, storeTimeoutMs),
    onLost: (error, rows) => {
      telemetry.lostRows(error, rows.length);
    },
  };
}
