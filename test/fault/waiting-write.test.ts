/** Writes that wait for a commit whose caller stands still: they are given up, and must not be done later. */
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { mongoCounters } from '../../lib/document/mongo-commit.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import { UndecidedError } from '../../lib/shared/errors.ts';
import { useDatabase } from '../support/database.ts';
import {
  USER_TODAY,
  byReservation,
  checkOf,
  orderOf,
  recordOf,
} from '../support/limits-fixture.ts';
import { limitsOver, reservationOf } from '../support/limits-fixture.ts';
import { countsIn, storedCounters } from '../support/stored-buckets.ts';

const database = useDatabase({ withIndexes: true });

/** How long a call waits. */
const TIMEOUT_MS = 800;

/** Longer than the way from the engine takes to a document that is free. */
const AFTER_MS = 400;

const MERCHANT_TODAY = { ...USER_TODAY, id: 'merchant-day', per: ['merchant'] as const };

function impatient(rules: Parameters<typeof limitsOver>[1]): Limits {
  const counters = mongoCounters(storedCounters(database.db), { timeoutMs: TIMEOUT_MS });
  return limitsOver(counters, rules);
}

/** Makes a call while a commit has a document; gives its end, once the commit is over and what waited had time. */
async function whileBlocked(document: string, call: () => Promise<unknown>): Promise<unknown> {
  const session = database.client.startSession();
  session.startTransaction();
  const touch = { $set: { touched: true } };
  await storedCounters(database.db).updateOne({ _id: document }, touch, { session });
  const end = await call().then(
    () => 'answered',
    (error: unknown) => error,
  );
  await session.abortTransaction();
  await session.endSession();
  await setTimeout(AFTER_MS);
  return end;
}

describe('a call that waited for a commit, and was given up, is not done later', () => {
  const rows: readonly {
    readonly name: string;
    readonly call: (limits: Limits, subjects: Readonly<Record<string, string>>) => Promise<unknown>;
  }[] = [
    {
      name: 'check',
      call: (limits, subjects) => limits.check(checkOf({ orderId: 'o', subjects })),
    },
    {
      name: 'captured check',
      call: (limits, subjects) => limits.check(checkOf({ orderId: 'o', subjects, capture: true })),
    },
    {
      name: 'record',
      call: async (limits, subjects) => {
        const happenedAt = new Date();
        const [result] = await limits.recordMany([
          recordOf({ orderId: 'o', subjects, happenedAt }),
        ]);
        if (result?.kind === 'failed') throw result.error;
      },
    },
  ];

  it.each(rows)('$name of one document', async ({ name, call }) => {
    const subjects = { user: `one ${name}` };
    const document = `user:${subjects.user}`;
    const limits = impatient([USER_TODAY]);
    await limits.check(checkOf({ orderId: 'first', subjects }));
    await limits.rollback(orderOf('first', subjects));
    const end = await whileBlocked(document, () => call(limits, subjects));
    expect(end).toBeInstanceOf(UndecidedError);
    expect(await countsIn(database.db, document)).toEqual({ used: 0, held: 0 });
    // As its caller is told, who rolls it back.
    await expect(limits.rollback(orderOf('o', subjects))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it.each(
    rows
      .slice(0, 2)
      .flatMap((row) => (['user', 'merchant'] as const).map((kind) => ({ ...row, kind }))),
  )('$name of two documents, at the $kind', async ({ name, call, kind }) => {
    const subjects = { user: `two ${name} ${kind}`, merchant: `two ${name} ${kind}` };
    const limits = impatient([USER_TODAY, MERCHANT_TODAY]);
    await limits.check(checkOf({ orderId: 'first', subjects }));
    await limits.rollback(orderOf('first', subjects));
    const blocked = `${kind}:${subjects[kind]}`;
    const end = await whileBlocked(blocked, () => call(limits, subjects));
    expect(end).toBeInstanceOf(UndecidedError);
    expect(await countsIn(database.db, blocked)).toEqual({ used: 0, held: 0 });
  });

  it.each(['confirm', 'rollback'] as const)('%s', async (call) => {
    const subjects = { user: call };
    const limits = impatient([USER_TODAY]);
    const held = await limits.check(checkOf({ orderId: 'o', subjects }));
    const settlement = byReservation('o', reservationOf(held));
    const end = await whileBlocked(`user:${call}`, () => limits[call](settlement));
    expect(end).toBeInstanceOf(UndecidedError);
    expect(await countsIn(database.db, `user:${call}`)).toEqual({ used: 0, held: 1 });
    expect(await limits[call](settlement)).toMatchObject({ repeated: false });
  });
});
