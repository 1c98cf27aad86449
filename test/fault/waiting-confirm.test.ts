import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import {
  USER_DAY,
  byReservation,
  checkOf,
  limitsOver,
  reservationOf,
} from '../support/limits-fixture.ts';
import { countsIn, storedCounters } from '../support/stored-buckets.ts';

const database = useDatabase({ withIndexes: true });

const HOLD_MS = 1_000;

it('a confirm that waited for another write until its hold was over counts once', async () => {
  const limits = limitsOver(database.db, [USER_DAY], { openHoldsMax: 5 });
  const subjects = { user: 'waits' };
  const held = await limits.check(checkOf({ orderId: 'o-1', subjects, holdMs: HOLD_MS }));
  const confirm = byReservation('o-1', reservationOf(held));
  const session = database.client.startSession();
  session.startTransaction();
  await storedCounters(database.db).updateOne(
    { _id: 'user:waits' },
    { $set: { touched: true } },
    { session },
  );
  const waiting = limits.confirm(confirm);
  await setTimeout(HOLD_MS + 200);
  await session.abortTransaction();
  await session.endSession();
  expect(await waiting).toMatchObject({ repeated: false });
  expect(await countsIn(database.db, 'user:waits')).toEqual({ used: 1, held: 0 });
  expect(await limits.confirm(confirm)).toMatchObject({ repeated: true });
});
