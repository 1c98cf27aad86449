import { BSON } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { ID_LENGTH_MAX, RULES_PER_CHECK_MAX, SUBJECTS_MAX } from '../../lib/shared/bounds.ts';
import { namesInText } from '../../lib/document/document.ts';
import { readReservation } from '../../lib/limits/reservation.ts';
import { RESERVATION_LENGTH_MAX } from '../../lib/http/settle-request.ts';
import type { ModelRule } from '../model/model-types.ts';
import { useDatabase } from '../support/database.ts';
import {
  USER_DAY,
  checkOf,
  limitsOver,
  reservationOf,
  byReservation,
  sentDuring,
} from '../support/limits-fixture.ts';
import { storedCounters } from '../support/stored-buckets.ts';

const database = useDatabase({ monitorCommands: true, withIndexes: true });

/**
 * What requests and an ordinary user's document may have, whole commands as they are sent. Most of a
 * check are the names of its buckets, which it says five times each.
 */
const CHECK_BYTES_MAX = 2_180;
const CONFIRM_BYTES_MAX = 1_110;
const DOCUMENT_BYTES_MAX = 2_650;

const zone = { timeZone: 'Asia/Shanghai' };
const FIVE: readonly ModelRule[] = [
  { ...USER_DAY, id: 'day', max: { count: 50, amount: 10_000_00 } },
  { ...USER_DAY, id: 'week', window: { unit: 'week', ...zone }, max: { amount: 50_000_00 } },
  { ...USER_DAY, id: 'month', window: { unit: 'month', ...zone }, max: { amount: 90_000_00 } },
  { ...USER_DAY, id: 'year', window: { unit: 'year', ...zone }, max: { amount: 900_000_00 } },
  { ...USER_DAY, id: 'quarter', window: { unit: 'quarter', ...zone }, max: { amount: 99_000_00 } },
];

/** As callers name their orders. */
const orderId = (index: number): string => `20260302-${String(index).padStart(8, '0')}`;

/** The writes of a call, without the time that a driver passes on between members of a set. */
async function writesOf(call: () => Promise<unknown>) {
  const sent = await sentDuring(database.client, call);
  return sent.flatMap(({ commandName, command }) =>
    ['findAndModify', 'update'].includes(commandName)
      ? [{ ...command, $clusterTime: undefined }]
      : [],
  );
}

describe('with five rules', () => {
  const subjects = { user: 'u-20260302-000001' };

  it('the requests of a check and of a confirm are bounded', async () => {
    const limits = limitsOver(database.db, FIVE);
    await limits.check(checkOf({ orderId: orderId(0), subjects }));
    let token = '';
    const [check, ...more] = await writesOf(async () => {
      token = reservationOf(await limits.check(checkOf({ orderId: orderId(1), subjects })));
    });
    expect(more).toEqual([]);
    const [confirm, ...others] = await writesOf(() =>
      limits.confirm(byReservation(orderId(1), token)),
    );
    expect(others).toEqual([]);
    const bytes = BSON.calculateObjectSize(confirm ?? {}, { ignoreUndefined: true });
    expect(bytes).toBeGreaterThan(500); // it is measured
    expect(bytes).toBeLessThanOrEqual(CONFIRM_BYTES_MAX);
    expect(BSON.calculateObjectSize(check ?? {}, { ignoreUndefined: true })).toBeLessThanOrEqual(
      CHECK_BYTES_MAX,
    );
  });

  it("a user's document with an open hold and twenty outcomes is bounded", async () => {
    const limits = limitsOver(database.db, FIVE);
    const user = { user: 'u-20260302-000002' };
    for (let index = 0; index < 20; index++) {
      const answer = await limits.check(checkOf({ orderId: orderId(index), subjects: user }));
      await limits.confirm(byReservation(orderId(index), reservationOf(answer)));
    }
    await limits.check(checkOf({ orderId: orderId(20), subjects: user }));
    const stored = await storedCounters(database.db).findOne(
      { _id: `user:${user.user}` },
      { promoteValues: false },
    );
    expect(stored).toMatchObject({ h: {}, settled: Array.from({ length: 20 }, () => ({})) });
    expect(BSON.calculateObjectSize(stored ?? {})).toBeLessThanOrEqual(DOCUMENT_BYTES_MAX);
  });
});

it('a reservation with fifty rules over ten documents and the longest ids is no longer than is taken back', async () => {
  const kinds = Array.from({ length: SUBJECTS_MAX }, (_, index) => `${index}`.padStart(32, 'k'));
  // A character that takes six in JSON.
  const subjects = Object.fromEntries(kinds.map((kind) => [kind, '\u0001'.repeat(ID_LENGTH_MAX)]));
  const rules = Array.from({ length: RULES_PER_CHECK_MAX }, (_, index): ModelRule => {
    const per = kinds[index % kinds.length] ?? '';
    const rollingMs = 3_600_000 * (1 + Math.floor(index / kinds.length));
    const window = { rollingMs, stepMs: 600_000 };
    return { id: `rule-${index}`, per: [per], window, max: { count: 9 }, mode: 'enforce' };
  });
  const limits = limitsOver(database.db, rules);
  const long = 'o'.repeat(ID_LENGTH_MAX);
  const answer = await limits.check(checkOf({ orderId: long, subjects }));
  const token = reservationOf(answer);
  const names = readReservation(token)?.held?.buckets.flatMap((text) => namesInText(text ?? ''));
  expect(names).toHaveLength(RULES_PER_CHECK_MAX);
  expect(token.length).toBeGreaterThan(20_000); // it is the longest there is
  expect(token.length).toBeLessThanOrEqual(RESERVATION_LENGTH_MAX);
  const confirmed = await limits.confirm(byReservation(long, token));
  expect(confirmed).toMatchObject({ repeated: false, late: false });
});
