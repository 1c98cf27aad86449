import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSettlementMessage } from '../../lib/edge/settle-handler.ts';
import { settleBatch } from '../../lib/edge/settlement-batch.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import { patientCounters } from '../support/patient-counters.ts';
import { useDatabase } from '../support/database.ts';
import { SEED, times } from '../support/extent.ts';
import { checkOf, limitsOver, USER_DAY } from '../support/limits-fixture.ts';
import { comparableDocuments, resultOf, settleOne } from './same-as-one-by-one.ts';

const database = useDatabase();

const CHECKED_AT = new Date('2026-03-02T10:00:00.000Z');
const MINUTE_MS = 60_000;

const RULES = [
  { ...USER_DAY, max: { amount: 10_000 } },
  { ...USER_DAY, id: 'merchant-day', per: ['merchant'] as [string], max: { amount: 10_000 } },
];

/** Where each order is: o-0 to o-5 over one or two documents of two users; nobody checks o-9. */
const ORDERS = ['o-0', 'o-1', 'o-2', 'o-3', 'o-4', 'o-5', 'o-9'] as const;

function subjectsOf(orderId: string): Readonly<Record<string, string>> {
  const number = Number(orderId.slice(2));
  const user = `u-${number % 2}`;
  return number % 3 === 0 ? { user, merchant: 'm' } : { user };
}

const message = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .record({
        orderId: fc.constantFrom(...ORDERS),
        status: fc.constantFrom('SUCCESS', 'FAIL'),
        amount: fc.option(fc.constantFrom(100, 70, 130), { nil: undefined }),
      })
      .map(({ amount, ...end }) => ({
        ...end,
        subjects: subjectsOf(end.orderId),
        ...(end.status === 'SUCCESS' ? { amount } : {}),
      })),
  },
  { weight: 1, arbitrary: fc.constantFrom({ orderId: 'o-1' }, { detail: {} }, 'poison') },
);

/** Batches, with the minutes that pass before each; holds last 15. */
const batches = fc.array(
  fc.record({
    minutes: fc.constantFrom(0, 1, 10),
    bodies: fc.array(
      message.map((body) => JSON.stringify(body)),
      { minLength: 1, maxLength: 12 },
    ),
  }),
  { minLength: 1, maxLength: 5 },
);

const read = (body: unknown) => readSettlementMessage(body, 'default');

async function oneByOne(limits: Limits, bodies: readonly string[], at: Date): Promise<void> {
  for (const body of bodies) {
    let request;
    try {
      request = read(body);
    } catch {
      continue; // nobody could do anything with it
    }
    await resultOf(settleOne(limits, request, at));
  }
}

describe('batches of messages, with duplicates, contradictions and poison in any order', () => {
  it('leave what the same messages leave one by one, in the order of arrival', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(batches, async (list) => {
        run += 1;
        const [folded, single] = ['folded', 'single'].map((way) =>
          database.db.collection<{ _id: string }>(`messages-${run}-${way}`),
        );
        if (folded === undefined || single === undefined) throw new Error('there are two ways');
        const over = (collection: typeof folded): Limits =>
          limitsOver(patientCounters(collection), RULES);
        const stored = async (collection: typeof folded): Promise<unknown> =>
          comparableDocuments(
            await collection.find({}, { promoteLongs: false }).toArray(),
            CHECKED_AT,
          );
        for (const collection of [folded, single])
          for (const orderId of ORDERS.slice(0, -1)) {
            const subjects = subjectsOf(orderId);
            await over(collection).check(checkOf({ orderId, subjects }), CHECKED_AT);
          }
        let at = CHECKED_AT;
        for (const { minutes, bodies } of list) {
          at = new Date(at.getTime() + minutes * MINUTE_MS);
          const messages = bodies.map((body) => ({ body }));
          await settleBatch(messages, read, (settlements) =>
            over(folded).settleMany(settlements, at),
          );
          await oneByOne(over(single), bodies, at);
          expect(await stored(folded)).toEqual(await stored(single));
        }
        const before = await stored(folded);
        for (const { bodies } of [...list].reverse())
          await settleBatch(
            bodies.map((body) => ({ body })),
            read,
            (settlements) => over(folded).settleMany(settlements, at),
          );
        expect(await stored(folded)).toEqual(before); // delivered again, in another order
        await Promise.all([folded.drop(), single.drop()]);
      }),
      { numRuns: times('messages'), seed: SEED, endOnFailure: true },
    );
  });
});
