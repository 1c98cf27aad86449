import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import type { Audit } from '../../lib/audit/recorded.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import { documentId, joinParts } from '../../lib/shared/subject.ts';
import type { Settings } from '../../lib/edge/settings.ts';
import { parseRules } from '../../lib/rule-file/rule-list.ts';
import { createLimits, type Limits } from '../../lib/edge/limits.ts';
import { CHAINS, type ChainDocument } from '../../lib/audit/mongo-chain.ts';
import { auditCollection, mongoAuditStore, REFUNDS } from '../../lib/audit/mongo-audit-store.ts';
import { COUNTERS, type CounterDocument } from '../../lib/document/mongo-counter-store.ts';
import { mongoOneCommit } from '../../lib/audit/mongo-one-commit.ts';
import { mongoCounters } from '../../lib/document/mongo-commit.ts';
import { fault, ok, warning, type Examination, type Found } from '../../contract/finding.ts';

/** Whose orders the probe's are. They have ids that nobody else makes. */
const APP = 'headroom-doctor';
/** A subject kind of its own: no rule that is stored counts for it. */
const KIND = 'headroomDoctor';
/** ISO 4217's code for tests. */
const CURRENCY = 'XTS';
const MAX_MINOR = 100;

/** Something that is missing becomes a fault. */
class WrongAnswer extends Error {
  override readonly name = 'WrongAnswer';
}

/**
 * Plays a check, a refusal, a confirm and a refund, with the settings of the functions. It uses its own
 * subject and its own rule, which is not stored. Then it deletes everything that this left.
 */
export function probeExamination(db: Db, settings: Settings): Examination {
  return { name: 'probe', look: () => probe(db, settings) };
}

async function probe(db: Db, settings: Settings): Promise<Found> {
  const id = randomUUID();
  const orders = { paid: `${id}-paid`, more: `${id}-more` };
  let found: Found;
  try {
    found = ok(`${await play(limitsOver(db, settings), id, orders, settings)}, all right`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown';
    found = fault(
      reason,
      error instanceof WrongAnswer
        ? 'stop using it for payments, and report it to the maintainers'
        : 'check that this user may read and write the database, and that the indexes exist',
    );
  }
  try {
    await takeAway(db, id, Object.values(orders));
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown';
    if (found.level !== 'ok') return found;
    return warning(
      `${found.says}, but ${documentId(KIND, id)} and its rows could not be deleted (${reason})`,
      'allow this user to remove, or leave them: they expire',
    );
  }
  return found;
}

/** Plays the life of one payment; says how long each call took. */
async function play(
  limits: Limits,
  id: string,
  orders: { readonly paid: string; readonly more: string },
  { audit }: Settings,
): Promise<string> {
  const check = (orderId: string, amountMinor: number) =>
    limits.check({
      appId: APP,
      orderId,
      subjects: { [KIND]: id },
      amountMinor,
      currency: CURRENCY,
      count: 1,
      attributes: {},
      holdMs: 60_000,
      capture: false,
      dryRun: false,
    });
  const named = (orderId: string) => ({
    appId: APP,
    orderId,
    whereabouts: { kind: 'subjects', subjects: { [KIND]: id } } as const,
  });
  const took: string[] = [];
  const timed = async <T>(name: string, call: () => Promise<T>): Promise<T> => {
    const startedMs = performance.now();
    const answer = await call();
    took.push(`${name} ${Math.round(performance.now() - startedMs)} ms`);
    return answer;
  };

  const held = await timed('check', () => check(orders.paid, MAX_MINOR));
  expectAnswer('a check of a whole maximum', held.kind, 'allowed');
  const refused = await timed('refusal', () => check(orders.more, 1));
  expectAnswer('a check beyond the maximum', refused.kind, 'refused');
  const confirmed = await timed('confirm', () => limits.confirm(named(orders.paid)));
  expectAnswer('the amount of its confirm', confirmed.amount, MAX_MINOR);
  if (audit === 'off') return `${took.join(', ')}; no refund to try with AUDIT=off`;
  const refunded = await timed('refund', () =>
    limits.refund({ ...named(orders.paid), refundId: 'probe' }),
  );
  expectAnswer('the amount of its refund', refunded.amount, MAX_MINOR);
  const again = await timed('check', () => check(orders.more, MAX_MINOR));
  expectAnswer('a check of what was given back', again.kind, 'allowed');
  return took.join(', ');
}

/** @throws WrongAnswer where an answer is not the one that the guarantees promise */
function expectAnswer(what: string, is: unknown, expected: unknown): void {
  if (is !== expected)
    throw new WrongAnswer(`${what} is ${String(is)}, expected ${String(expected)}`);
}

function limitsOver(db: Db, settings: Settings): Limits {
  const { auditDays, storeTimeoutMs, outcomesMax } = settings;
  const options = { timeoutMs: storeTimeoutMs, outcomesMax };
  const rules: readonly Rule[] = parseRules(
    [
      {
        id: 'probe',
        per: [KIND],
        currency: CURRENCY,
        window: 'lifetime',
        max: { amount: MAX_MINOR },
      },
    ],
    'the doctor',
  );
  const isSession = settings.audit === 'session';
  const oneCommit = mongoOneCommit(db, auditDays, options, isSession);
  const audit: Audit = {
    ...(isSession ? { oneCommit } : {}),
    refunds: oneCommit,
    store: mongoAuditStore(auditCollection(db), auditDays, storeTimeoutMs),
    onLost: () => undefined, // then there is nothing to refund, which is told
  };
  return createLimits({
    counters: mongoCounters(db.collection<CounterDocument>(COUNTERS), options),
    rules: () => Promise.resolve(rules),
    homeKinds: [KIND],
    ...(settings.audit === 'off' ? {} : { audit }),
    inOneCommit: settings.consistency === 'session',
  });
}

/** Nothing of a probe stays. */
async function takeAway(db: Db, id: string, orderIds: readonly string[]): Promise<void> {
  const document = documentId(KIND, id);
  const written = { writeConcern: { w: 'majority' } } as const;
  await db.collection<CounterDocument>(COUNTERS).deleteOne({ _id: document }, written);
  await auditCollection(db).deleteMany({ appId: APP, orderId: { $in: [...orderIds] } }, written);
  await db.collection<ChainDocument>(CHAINS).deleteOne({ _id: document }, written);
  for (const orderId of orderIds) {
    const before = `${joinParts([APP, orderId])}:`; // and the nonce of what was counted
    await db
      .collection<{ readonly _id: string }>(REFUNDS)
      .deleteMany({ _id: { $gte: before, $lt: `${before.slice(0, -1)};` } }, written);
  }
}
