import type { Db, MongoClient } from 'mongodb';
import { mongoProposalStore } from '../lib/four-eyes/mongo-proposal-store.ts';
import type { NearAnswer, NearQuery, NearStore } from '../lib/near/near.ts';
import { listNear } from '../lib/near/near-list.ts';
import type { Near } from '../lib/near/telling.ts';
import type { Audit } from '../lib/audit/recorded.ts';
import type { ActorSource } from '../lib/http/actor.ts';
import { signedActor, unsignedActor } from '../lib/http/actor.ts';
import { readAppList, signedCaller, unsignedCaller } from '../lib/callers/caller.ts';
import { eventBusPublisher, nearEvents, reviewEvent } from '../lib/edge/event-bus.ts';
import type { ProposalStore } from '../lib/four-eyes/proposal.ts';
import { tellingReviews } from '../lib/review/telling-reviews.ts';
import { freshSource } from '../lib/http/fresh-source.ts';
import { rulesInForce } from '../lib/rule-file/rule-list.ts';
import type { Environment, Settings, Signatures } from '../lib/edge/settings.ts';
import { readSettings } from '../lib/edge/settings.ts';
import type { Telemetry } from '../lib/http/telemetry.ts';
import { createTelemetry } from '../lib/http/telemetry.ts';
import type { Rule } from '../lib/rule/rule.ts';
import type { Limits } from '../lib/edge/limits.ts';
import { createLimits } from '../lib/edge/limits.ts';
import { readApps, takeSignature } from '../lib/callers/mongo-callers.ts';
import { createClient } from '../lib/mongo/client.ts';
import { auditCollection, mongoAuditStore } from '../lib/audit/mongo-audit-store.ts';
import type { DecidingSettings } from '../lib/audit/mongo-settings.ts';
import { notingSettings } from '../lib/audit/mongo-settings.ts';
import { COUNTERS } from '../lib/document/mongo-counter-store.ts';
import { mongoOneCommit } from '../lib/audit/mongo-one-commit.ts';
import { mongoCounters } from '../lib/document/mongo-commit.ts';
import type { CounterDocument } from '../lib/document/mongo-counter-store.ts';
import { mongoStaleReads } from '../lib/usage/mongo-stale-reads.ts';
import { mongoNearStore } from '../lib/near/mongo-near-store.ts';
import type { OneCommit } from '../lib/audit/one-commit.ts';
import { readVersionedRules } from '../lib/rule-book/mongo-rule-store.ts';
import type { CallerSource } from '../lib/http/caller-source.ts';

/** The service of one execution environment, put together. */
export type Service = {
  readonly limits: Limits;
  /** In force, cached. */
  readonly rules: () => Promise<readonly Rule[]>;
  readonly near: (query: NearQuery, at?: Date) => Promise<NearAnswer>;
  readonly proposals: ProposalStore;
  readonly db: Db;
  readonly settings: Settings;
  readonly telemetry: Telemetry;
  readonly callerOf: CallerSource;
  readonly actorOf: ActorSource;
};

/**
 * Puts the service of an execution environment together: once, while it starts.
 *
 * @throws InvalidConfigurationError listing every setting that is wrong
 */
export function startService(environment: Environment, signatures?: Signatures): Service {
  const settings = readSettings(environment, signatures);
  const client = createClient(settings.mongodbUri, settings.storeTimeoutMs);
  return serviceOver(client, settings, createTelemetry(settings));
}

/**
 * Makes the first formatter of the process, which loads the zones: 13 ms of processor time. Lambda starts
 * a function on a whole processor, and runs its first call on the share that its memory buys.
 */
export function loadZones(): void {
  Intl.DateTimeFormat('en', { timeZone: 'UTC' });
}

/** Puts the service together over a client, which connects with the first call. */
export function serviceOver(
  client: MongoClient,
  settings: Settings,
  telemetry: Telemetry,
): Service {
  const db = client.db(settings.mongodbDatabase);
  const options = { timeoutMs: settings.storeTimeoutMs, outcomesMax: settings.outcomesMax };
  const counters = db.collection<CounterDocument>(COUNTERS);
  const oneCommit = mongoOneCommit(db, settings.auditDays, options, settings.audit === 'session');
  const rules = freshSource({
    load: () => readVersionedRules(db, settings.storeTimeoutMs),
    read: rulesInForce,
    maxAgeMs: settings.rulesCacheMs,
    nowMs: () => Date.now(),
    onStale: telemetry.staleRules,
  });
  const nearStore = mongoNearStore(db, settings.storeTimeoutMs);
  const isKept = settings.near === 'on';
  const counterStore = mongoCounters(counters, options);
  const nearSources = { store: nearStore, rules, counters: counterStore, isKept };
  const proposals = proposalsOver(db, settings, telemetry);
  const limits = createLimits({
    counters: counterStore,
    staleReads: mongoStaleReads(counters, options),
    rules,
    homeKinds: settings.homeKinds,
    askedKinds: settings.freezableKinds,
    openHoldsMax: settings.openHoldsMax,
    openSharesMax: settings.openSharesMax,
    onUndecided: settings.onUndecided,
    onNoRule: settings.onNoRule,
    ...(settings.audit === 'off' ? {} : { audit: auditOver(db, oneCommit, settings, telemetry) }),
    ...(isKept ? { near: nearOver(nearStore, settings, telemetry) } : {}),
    reviews: proposals,
    inOneCommit: settings.consistency === 'session',
    onCrowded: telemetry.crowded,
  });
  return {
    limits,
    rules,
    near: (query, at) => listNear(nearSources, query, new Date(), at),
    proposals,
    db,
    settings,
    telemetry,
    callerOf: callerSourceOf(db, settings, telemetry),
    actorOf: settings.auth.kind === 'none' ? unsignedActor : signedActor,
  };
}

function callerSourceOf(
  db: Db,
  { auth, storeTimeoutMs }: Settings,
  telemetry: Telemetry,
): CallerSource {
  if (auth.kind === 'none') return unsignedCaller;
  const nowMs = (): number => Date.now();
  const apps = freshSource({
    load: () => readApps(db, storeTimeoutMs),
    read: readAppList,
    maxAgeMs: auth.appsCacheMs,
    nowMs,
    onStale: telemetry.staleApps,
  });
  const takeOnce = (signature: string, until: Date): Promise<boolean> =>
    takeSignature(db, signature, until, storeTimeoutMs);
  return signedCaller({ apps, appsKey: auth.appsKey, nowMs, replay: auth.replay, takeOnce });
}

function nearOver(store: NearStore, { nearBus }: Settings, { lostNear }: Telemetry): Near {
  if (nearBus === undefined) return { store, onLost: lostNear };
  const publish = eventBusPublisher(nearBus);
  return { store, publish: (told) => publish(nearEvents(told)), onLost: lostNear };
}

/** Where proposals are kept. A bus gets the reviews of orders. */
function proposalsOver(
  db: Db,
  { nearBus, storeTimeoutMs }: Settings,
  telemetry: Telemetry,
): ProposalStore {
  const store = mongoProposalStore(db, storeTimeoutMs);
  if (nearBus === undefined) return store;
  const publish = eventBusPublisher(nearBus);
  return tellingReviews(store, {
    publish: (told) => publish([reviewEvent(told)]),
    onLost: (error) => {
      telemetry.lostNear(error, 1);
    },
  });
}

/** By these settings checks are decided, or rows are written. */
const DECIDING = [
  'homeKinds',
  'freezableKinds',
  'onNoRule',
  'onUndecided',
  'openHoldsMax',
  'openSharesMax',
  'audit',
  'auditAttributes',
] as const satisfies readonly (keyof Settings)[];

function decidingIn(settings: Settings): DecidingSettings {
  return Object.fromEntries(DECIDING.map((name) => [name, settings[name]]));
}

function auditOver(db: Db, oneCommit: OneCommit, settings: Settings, telemetry: Telemetry): Audit {
  const { auditDays, storeTimeoutMs, auditWaitMs } = settings;
  return {
    ...(settings.audit === 'session' ? { oneCommit } : {}),
    refunds: oneCommit,
    store: mongoAuditStore(auditCollection(db), auditDays, storeTimeoutMs, auditWaitMs),
    attributes: settings.auditAttributes,
    noteSettings: notingSettings(db, decidingIn(settings), auditWaitMs),
    onLost: (error, rows) => {
      telemetry.lostRows(error, rows.length);
    },
  };
}
