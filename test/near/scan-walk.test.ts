import fc from 'fast-check';
import { expect, it } from 'vitest';
import { setTimeout } from 'node:timers/promises';
import { compile } from '../../lib/plan/compile.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import { patientCounters } from '../support/patient-counters.ts';
import { nearCollection } from '../../lib/near/mongo-near-store.ts';
import { scanNear } from '../../lib/near/mongo-near-scan.ts';
import type { ModelRule } from '../model/model-types.ts';
import { auditOver } from '../support/audit-fixture.ts';
import { useDatabase } from '../support/database.ts';
import { SEED, times } from '../support/extent.ts';
import { checkOf, NOON_ZONE, orderOf } from '../support/limits-fixture.ts';
import { libRule } from '../support/service-under-test.ts';
import { listed, nearLimitsOver } from './fixture.ts';
import { storedCounters } from '../support/stored-buckets.ts';

/** No window ends, and nothing expires, while a walk runs: what is told twice is told twice in a window. */
const YEAR = { unit: 'year', timeZone: NOON_ZONE } as const;
const money = { currency: 'CNY', mode: 'enforce' } as const;
const RULES: readonly (ModelRule & { readonly max: { readonly amount: number } })[] = [
  { ...money, id: 'merchant-year', per: ['merchant'], window: YEAR, max: { amount: 1_000 } },
  { ...money, id: 'user-life', per: ['user'], window: 'lifetime', max: { amount: 900 } },
  {
    ...{ ...money, id: 'user-hours', per: ['user'], max: { amount: 700 } },
    window: { rollingMs: 36_000_000, stepMs: 3_600_000 },
  },
];
const PARTS = [100, 95, 80, 50];
const SUBJECTS = ['user:u-1', 'user:u-2', 'merchant:m-1', 'merchant:m-2'] as const;

type Order = {
  readonly orderId: string;
  readonly subjects: Readonly<Record<string, string>>;
  readonly amount: number;
};

const payment = fc.record({
  user: fc.constantFrom('u-1', 'u-2'),
  merchant: fc.constantFrom('m-1', 'm-2', undefined),
  amount: fc.constantFrom(10, 50, 100, 150, 300),
  capture: fc.boolean(),
});
/** Of two processes, which may have other rules, one does something. */
const step = fc.record({
  process: fc.constantFrom(0 as const, 1 as const),
  does: fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ checks: fc.array(payment, { minLength: 1, maxLength: 4 }) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ settles: fc.nat(20), amount: fc.constantFrom(0, 5, 400) }),
    },
    { weight: 2, arbitrary: fc.record({ refunds: fc.nat(20), amount: fc.constantFrom(5, 50) }) },
    { weight: 1, arbitrary: fc.record({ scales: fc.nat(2), by: fc.constantFrom(0.1, 0.5, 2, 9) }) },
    { weight: 1, arbitrary: fc.record({ own: fc.constantFrom(50, 300, 2_000), of: fc.nat(3) }) },
    { weight: 1, arbitrary: fc.constant({ scans: true }) },
  ),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

const database = useDatabase({ withIndexes: true });

async function scan(rules: readonly ModelRule[]): Promise<void> {
  for await (const _scanned of scanNear(database.db, compile(rules.map(libRule)), new Date()));
}

/** What two processes do at once, and what stands after each step as the answers say it. */
class Story {
  readonly rules: Readonly<Record<0 | 1, (typeof RULES)[number][]>> = [[...RULES], [...RULES]];
  /** By document: the maximum of each rule in its place. */
  readonly own = new Map<string, number>();
  readonly told: string[] = [];
  readonly lost: unknown[] = [];
  readonly #open: Order[] = [];
  readonly #counted: Order[] = [];
  readonly #limits: readonly [Limits, Limits];
  #made = 0;

  constructor() {
    const limitsOf = (process: 0 | 1): Limits => {
      const rules = () => Promise.resolve(this.rules[process].map(libRule));
      const audit = auditOver(database.db, 'best-effort');
      return nearLimitsOver(database.db, RULES, {
        ...{ rules, audit },
        nearly: {
          onLost: (error) => this.lost.push(error),
          publish: (news) => {
            for (const { row, percents } of news)
              this.told.push(...percents.map((percent) => `${row.id} ${percent}`));
            return Promise.resolve();
          },
        },
      }).limits;
    };
    this.#limits = [limitsOf(0), limitsOf(1)];
  }

  async play({ process, does }: Step): Promise<void> {
    const limits = this.#limits[process];
    if ('checks' in does) {
      const orders = does.checks.map(({ user, merchant, amount, capture }) => {
        const subjects = { user, ...(merchant === undefined ? {} : { merchant }) };
        return { orderId: `o-${(this.#made += 1)}`, subjects, amount, capture };
      });
      const asked = orders.map(({ amount, ...one }) => checkOf({ ...one, amountMinor: amount }));
      const results = await limits.checkMany(asked, false);
      for (const [index, order] of orders.entries()) {
        const result = results[index];
        if (result?.kind === 'answered' && result.answer.kind === 'allowed')
          (order.capture ? this.#counted : this.#open).push(order);
      }
    } else if ('settles' in does) {
      const [order] = this.#open.splice(does.settles, 1);
      if (order === undefined) return;
      const asked = orderOf(order.orderId, order.subjects);
      if (does.amount === 0) await limits.rollback(asked);
      else {
        await limits.confirm({ ...asked, amountMinor: does.amount });
        this.#counted.push({ ...order, amount: does.amount });
      }
    } else if ('refunds' in does) {
      const [order] = this.#counted.splice(does.refunds, 1);
      if (order === undefined || order.amount === 0) return;
      const amountMinor = Math.min(does.amount, order.amount);
      const asked = orderOf(order.orderId, order.subjects);
      await limits.refund({ ...asked, refundId: `r-${(this.#made += 1)}`, amountMinor });
      this.#counted.push({ ...order, amount: order.amount - amountMinor });
    } else if ('scales' in does) {
      const rule = RULES[does.scales];
      if (rule === undefined) return;
      const scaled = { ...rule, max: { amount: rule.max.amount * does.by } };
      this.rules[process][does.scales] = scaled;
    } else if ('own' in does) await this.#override(does.own, SUBJECTS[does.of] ?? SUBJECTS[0]);
    else await scan(this.rules[process]);
  }

  async #override(amountMinor: number, document: string): Promise<void> {
    if (this.own.has(document)) return;
    this.own.set(document, amountMinor);
    const by = { kind: 'local', id: 'local' } as const;
    const given = { reason: 'asked for', at: new Date(), by, max: { amountMinor } };
    const terms = {
      version: 'v-1',
      overrides: RULES.map(({ id }) => ({ ...given, id, rule: id })),
    };
    const counters = patientCounters(database.db);
    expect(await counters.changeTerms(document, { expected: undefined, terms }, new Date())).toBe(
      true,
    );
  }

  /** Who is near a maximum of the first process's rules: `user-life user:u-1 80 of 900`. */
  near(): readonly string[] {
    const rows = this.rules[0].flatMap(({ id, per: [kind], max }) =>
      SUBJECTS.filter((document) => document.startsWith(`${kind}:`)).map((document) => {
        const theirs = [...this.#open, ...this.#counted].filter(
          ({ subjects }) => `${kind}:${subjects[kind]}` === document,
        );
        const taken = theirs.reduce((sum, { amount }) => sum + amount, 0);
        const most = this.own.get(document) ?? max.amount;
        const part = PARTS.find((percent) => taken * 100 >= most * percent);
        return part === undefined ? '' : `${id} ${document} ${part} of ${most}`;
      }),
    );
    return rows.filter((row) => row !== '').sort();
  }
}

/** A confirm of more than was held crosses a maximum, which is lowered afterwards. */
const CONFIRMED_MORE: Step[][] = [
  [{ checks: [{ user: 'u-1', merchant: 'm-1', amount: 10, capture: false }] }],
  [{ settles: 0, amount: 400 }],
  [{ scales: 2, by: 0.1 }],
].map((turn) => turn.map((does): Step => ({ process: 0, does: does as Step['does'] })));

const tally = { told: 0, near: 0 };

it('after any calls, refunds, changes of maxima and scans at once, the next scan lists what is true, and nothing was told twice', async () => {
  const walks = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), {
    ...{ minLength: 6, maxLength: 10, size: 'max' },
  });
  await fc.assert(
    fc.asyncProperty(walks, async (turns) => {
      await storedCounters(database.db).deleteMany({});
      await nearCollection(database.db).deleteMany({});
      for (const name of ['audit', 'refunds']) await database.db.collection(name).deleteMany({});
      const story = new Story();
      for (const turn of turns) await Promise.all(turn.map((one) => story.play(one)));
      expect(story.lost).toEqual([]);
      expect(new Set(story.told).size).toBe(story.told.length);
      await setTimeout(5); // a scan leaves alone what was written since it began
      await scan(story.rules[0]);
      const rows = await listed(database.db);
      const found = rows.map(
        ({ rule, document, percent, max }) =>
          `${rule} ${document} ${percent} of ${String(max.amountMinor)}`,
      );
      expect(found.sort()).toEqual(story.near());
      tally.told += story.told.length;
      tally.near += rows.length;
    }),
    { numRuns: times('nearScans'), seed: SEED, examples: [[CONFIRMED_MORE]] },
  );
  expect(tally.told).toBeGreaterThan(5);
  expect(tally.near).toBeGreaterThan(2);
});
