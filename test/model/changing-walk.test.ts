import type { Db } from 'mongodb';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HeadroomError } from '../../lib/shared/errors.ts';
import { Recorded } from '../../lib/audit/reconcile/reconcile.ts';
import type { Whereabouts } from '../../lib/shared/request.ts';
import type { Quantity } from '../../lib/rule/own-terms.ts';
import { CHAINS } from '../../lib/audit/mongo-chain.ts';
import { AUDIT, auditCollection, REFUNDS } from '../../lib/audit/mongo-audit-store.ts';
import { COUNTERS } from '../../lib/document/mongo-counter-store.ts';
import { patientCounters, PATIENCE_MS } from '../support/patient-counters.ts';
import { auditOver } from '../support/audit-fixture.ts';
import { useDatabase } from '../support/database.ts';
import { SEED, times } from '../support/extent.ts';
import type { ServiceUnderTest } from '../support/service-under-test.ts';
import { serviceUnderTest } from '../support/service-under-test.ts';
import type { Change, ChangingWalk } from './changing-arbitrary.ts';
import { changingWalkArbitrary, edited } from './changing-arbitrary.ts';
import { LimitModel, modelUnderTest, settingsOf } from './limit-model.ts';
import { appOf } from './model-types.ts';
import type {
  LimitsUnderTest,
  ModelCheck,
  ModelRefund,
  ModelRefundAnswer,
  ModelRule,
} from './model-types.ts';
import type { Walk } from './walk.ts';
import { playWalk } from './walk.ts';
import { memoryProposals } from '../support/memory-proposals.ts';
import { storedCounters } from '../support/stored-buckets.ts';
import { readStored } from '../../lib/audit/reconcile/stored-counters.ts';

const database = useDatabase({ withIndexes: true });

/** A process, and the rules that it has: others may have learned of an edit before it. */
type Process = {
  readonly service: ServiceUnderTest;
  readonly isOneCommit: boolean;
  rules: readonly ModelRule[];
};

/** Beside the audit, with it in one commit, and with documents in one commit. */
function processesOn(db: Db, walk: Walk): readonly [Process, ...Process[]] {
  const reviews = memoryProposals();
  const process = (mode: 'best-effort' | 'session', inOneCommit: boolean): Process => {
    const counters = patientCounters(db, {
      timeoutMs: PATIENCE_MS,
    });
    const audit = auditOver(db, mode);
    return {
      service: serviceUnderTest(counters, walk, { audit, inOneCommit }, reviews),
      isOneCommit: mode === 'session' || inOneCommit,
      rules: [],
    };
  };
  return [
    process('best-effort', false),
    process('session', false),
    process('best-effort', true),
    process('best-effort', false),
  ];
}

const SUBJECTS = [
  { user: 'u-1', merchant: 'm-1' },
  { user: 'u-2', merchant: 'm-2' },
] as const;

const CODES: Readonly<Record<string, ModelRefundAnswer['kind']>> = {
  NOT_FOUND: 'notFound',
  NOT_CONFIRMED: 'notConfirmed',
  ALREADY_ROLLED_BACK: 'alreadyRolledBack',
  REFUND_REUSED: 'refundReused',
  REFUND_TOO_LARGE: 'refundTooLarge',
};

async function refundBy(
  { limits }: ServiceUnderTest,
  { amount, subjects, ...order }: ModelRefund,
  isNamed: boolean,
  now: Date,
): Promise<unknown> {
  const whereabouts: Whereabouts = isNamed ? { kind: 'subjects', subjects } : { kind: 'recorded' };
  const asked = amount === undefined ? {} : { amountMinor: amount };
  try {
    const told = await limits.refund(
      { appId: appOf(order.orderId), ...order, ...asked, whereabouts },
      now,
    );
    const { repeated, amount: given, refunded } = told;
    return { kind: 'refunded', repeated, amount: given, refunded };
  } catch (error) {
    if (error instanceof HeadroomError) return { kind: CODES[error.code] ?? error.code };
    throw error;
  }
}

async function usageBy(
  { limits }: ServiceUnderTest,
  asked: Pick<ModelCheck, 'subjects' | 'attributes'>,
  now: Date,
): Promise<unknown> {
  const { rules } = await limits.usage({ appId: 'default', ...asked }, now);
  const sum = ({ amountMinor = 0, count = 0 } = {}) => ({ amount: amountMinor, count });
  const bound = ({ amountMinor: amount, count }: Quantity) => ({
    ...(amount === undefined ? {} : { amount }),
    ...(count === undefined ? {} : { count }),
  });
  return rules.map(({ rule, used, held }) => ({
    ...{ rule: rule.id, max: bound(rule.max) },
    ...{ used: sum(used), held: sum(held) },
  }));
}

/** Maxima depend on `channel`; where it is not said, nobody can tell them. */
const SAID: readonly ModelCheck['attributes'][] = [{}, { channel: 'app' }, { channel: 'web' }];

/** Tells a walk to the model and to processes in turn, with what happens around it. */
class Telling {
  readonly #changing: ChangingWalk;
  readonly #processes: readonly Process[];
  readonly #model: LimitModel;
  /** Orders that were asked about so far, and their subjects. */
  readonly #orders = new Map<string, ModelRefund['subjects']>();
  /** Those of them that may have been counted. */
  readonly #counted = new Map<string, ModelRefund['subjects']>();
  #asked: Process;
  #requests = 0;
  #turns = 0;
  now: Date;

  constructor(changing: ChangingWalk, processes: readonly [Process, ...Process[]]) {
    this.#changing = changing;
    this.#processes = processes;
    [this.#asked] = processes;
    const { walk } = changing;
    this.#model = new LimitModel(walk.rules, { ...settingsOf(walk), keepsRows: true });
    this.now = walk.startsAt;
  }

  async tell(): Promise<void> {
    const { walk } = this.#changing;
    const { service: first } = this.#asked;
    await this.#useRules(walk.rules, () => true);
    const about = (
      { orderId, subjects }: Pick<ModelRefund, 'orderId' | 'subjects'>,
      counts: boolean,
    ) => {
      this.#orders.set(orderId, subjects);
      if (counts) this.#counted.set(orderId, subjects);
      return this.#asked.service;
    };
    const actual: LimitsUnderTest = {
      useRules: (rules) => this.#useRules(rules, () => true),
      useTerms: (...terms) => first.useTerms(...terms),
      check: (request, now) => about(request, request.capture).check(request, now),
      confirm: (request, now) => about(request, true).confirm(request, now),
      rollback: (request, now) => about(request, false).rollback(request, now),
      record: (request, now) => about(request, true).record(request, now),
      decide: (request, now) => first.decide(request, now),
    };
    const before = async (now: Date, story: string[]): Promise<void> => {
      this.now = now;
      for (const { at, change } of this.#changing.changes)
        if (at === this.#requests) await this.#change(change, story);
      this.#requests += 1;
      await this.#compareUsage(story);
      story.push(`  by ${this.#processes.indexOf(this.#next())}`);
    };
    await playWalk(walk, actual, modelUnderTest(this.#model), before);
    await this.#compareUsage(['at the end']);
    await this.#compareStates();
  }

  /** The process that is asked next; the model has its rules, and commits as it does. */
  #next(): Process {
    const { turns } = this.#changing;
    const turn = turns[this.#turns % turns.length] ?? 0;
    this.#turns += 1;
    this.#asked = this.#processes[turn % this.#processes.length] ?? this.#asked;
    this.#model.useRules(this.#asked.rules);
    this.#model.useOneCommit(this.#asked.isOneCommit);
    return this.#asked;
  }

  async #useRules(rules: readonly ModelRule[], isTold: (index: number) => boolean): Promise<void> {
    for (const [index, process] of this.#processes.entries())
      if (isTold(index)) {
        process.rules = rules;
        await process.service.useRules(rules);
      }
  }

  async #change(change: Change, story: string[]): Promise<void> {
    if (change.do === 'edit') {
      const { rules } = this.#asked;
      const index = change.rule % rules.length;
      const after = rules.map((rule, at) => (at === index ? edited(rule, change) : rule));
      // One process has not heard of it yet.
      await this.#useRules(after, (told) => told !== change.rule % this.#processes.length);
      story.push(`  ${this.now.toISOString()} edit ${JSON.stringify(after[index])}`);
      return;
    }
    const { refundId, amount, isNamed } = change;
    const orders = [...this.#counted];
    const [orderId, subjects] = orders[change.order % Math.max(1, orders.length)] ?? [];
    if (orderId === undefined || subjects === undefined) return;
    const request = { orderId, subjects, refundId, ...(amount === undefined ? {} : { amount }) };
    story.push(`  ${this.now.toISOString()} refund ${JSON.stringify(request)}`);
    const { service } = this.#next();
    const wanted = this.#model.refund(request);
    expect(await refundBy(service, request, isNamed, this.now), story.join('\n')).toEqual(wanted);
  }

  async #compareUsage(story: readonly string[]): Promise<void> {
    const { service } = this.#next();
    for (const [index, subjects] of SUBJECTS.entries()) {
      const asked = { subjects, attributes: SAID[(index + this.#turns) % SAID.length] ?? {} };
      const wanted = this.#model.usage(asked, this.now);
      expect(await usageBy(service, asked, this.now), story.join('\n')).toEqual(wanted);
    }
  }

  async #compareStates(): Promise<void> {
    const { limits } = this.#asked.service;
    for (const [orderId, subjects] of this.#orders) {
      const wanted = this.#model.status({ orderId, subjects }, this.now);
      const {
        state,
        amountMinor: amount,
        refundedMinor: refunded = 0,
      } = await limits.status({ appId: appOf(orderId), orderId }, this.now);
      if (wanted === undefined) expect(['refused', 'unknown']).toContain(state);
      else expect({ orderId, state, amount, refunded }).toEqual({ orderId, ...wanted });
    }
  }
}

/** Compares each document with the rows that tell of it, as `npm run reconcile` does. */
async function reconcile(db: Db, now: Date): Promise<void> {
  for await (const document of storedCounters(db).find()) {
    const { _id } = document;
    const recorded = new Recorded(_id);
    const rows = auditCollection(db).find({ subjectIds: _id, documents: _id, effective: true });
    for await (const { amountMinor = 0, count = 0, ...row } of rows)
      recorded.add({ ...row, amountMinor: Number(amountMinor), count: Number(count) });
    expect([_id, recorded.compare(readStored({ ...document, now }))]).toEqual([_id, []]);
  }
}

describe.each(['one', 'several'] as const)('walks over %s document(s)', (documents) => {
  it('agree with the model while payments are refunded and rules edited, whichever process is asked', async () => {
    const { db } = database;
    await fc.assert(
      fc.asyncProperty(changingWalkArbitrary(documents), async (changing) => {
        for (const name of [COUNTERS, AUDIT, CHAINS, REFUNDS])
          await db.collection(name).deleteMany({});
        const telling = new Telling(changing, processesOn(db, changing.walk));
        await telling.tell();
        await reconcile(db, telling.now);
      }),
      // The story is told as it was: to shorten it takes longer than to read it.
      { numRuns: times('changingWalks'), seed: SEED, endOnFailure: true },
    );
  });
});
