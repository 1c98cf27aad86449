import { describe, expect, it } from 'vitest';
import type { Reservation } from '../../lib/limits/reservation.ts';
import { readReservation, reservationToken } from '../../lib/limits/reservation.ts';
import type { Limits } from '../../lib/limits.ts';
import type { ModelRule } from '../model/model-types.ts';
import { useDatabase } from '../support/database.ts';
import {
  USER_DAY,
  checkOf,
  limitsOver,
  orderOf,
  reservationOf,
  byReservation,
} from '../support/limits-fixture.ts';
import { counted } from '../support/broken-orders.ts';

const database = useDatabase();
const AT = new Date('2026-03-02T06:00:00.000Z');
const RULES: readonly ModelRule[] = [USER_DAY, { ...USER_DAY, id: 'shop-day', per: ['merchant'] }];

const FORGERIES: Readonly<Record<string, (reservation: Reservation) => Reservation>> = {
  'leaves out where else the order has a share': (one) => {
    const [home] = one.kinds;
    const [buckets = null] = one.held?.buckets ?? [];
    const held = one.held && { ...one.held, buckets: [buckets] };
    return { ...one, kinds: [home], ...(held === undefined ? {} : { held }) };
  },
  'takes another document for home': (one) => {
    const [, other = ''] = one.kinds;
    const [, buckets = null] = one.held?.buckets ?? [];
    const until = new Date((one.held?.until.getTime() ?? 0) + 1_000);
    const held = one.held && { ...one.held, until, buckets: [buckets] };
    return { ...one, kinds: [other], ...(held === undefined ? {} : { held }) };
  },
  'says another amount': (one) => ({
    ...one,
    ...(one.held === undefined ? {} : { held: { ...one.held, amountMinor: 1 } }),
  }),
  'names other buckets': (one) => {
    const [buckets, ...others] = one.held?.buckets ?? [];
    const held = one.held && {
      ...one.held,
      buckets: [[...(buckets ?? [])].reverse().slice(1), ...others],
    };
    return { ...one, ...(held === undefined ? {} : { held }) };
  },
};

async function countedBy(limits: Limits, subjects: { user: string; merchant: string }) {
  const rules = await counted(limits, subjects, AT);
  return rules.map(({ used, held }) => [used?.count, held?.count]);
}

describe('a reservation that was tampered with', () => {
  it.each(Object.entries(FORGERIES))(
    'and %s counts no share without the other',
    async (what, forge) => {
      const limits = limitsOver(database.db, RULES);
      const subjects = { user: what, merchant: what };
      const answer = await limits.check(checkOf({ orderId: what, subjects }), AT);
      const reservation = readReservation(reservationOf(answer));
      if (reservation === undefined) throw new Error('a check answers with a reservation');
      const forged = reservationToken(forge(reservation));
      const confirmed = await limits.confirm(byReservation(what, forged), AT).then(
        () => true,
        () => false,
      );
      // Either the document is held to what it knows itself, or nothing happens.
      const [used, held] = confirmed ? [1, 0] : [0, 1];
      expect(await countedBy(limits, subjects)).toEqual([
        [used, held],
        [used, held],
      ]);
      await limits.confirm(orderOf(what, subjects), AT);
      expect(await countedBy(limits, subjects)).toEqual([
        [1, 0],
        [1, 0],
      ]);
    },
  );
});

const WEEK_MS = 7 * 86_400_000;

describe('a reservation that names another subject than its check', () => {
  async function confirmMoved(user: string, to: string, capture: boolean, afterMs: number) {
    const limits = limitsOver(database.db, [USER_DAY]);
    const answer = await limits.check(checkOf({ orderId: user, subjects: { user }, capture }), AT);
    const reservation = readReservation(reservationOf(answer));
    if (reservation === undefined) throw new Error('a check answers with a reservation');
    const moved = reservationToken({ ...reservation, subjects: { user: to } });
    return limits.confirm(byReservation(user, moved), new Date(AT.getTime() + afterMs));
  }

  it.each([
    { to: 'nobody', capture: false, why: 'no document is there' },
    { to: 'somebody', capture: false, why: 'the document that is there has forgotten nothing' },
    { to: 'somebody', capture: true, why: 'that is so of an order that is counted, too' },
  ])('is told that the order is not known there: $why', async ({ to, capture, why }) => {
    const limits = limitsOver(database.db, [USER_DAY]);
    if (to === 'somebody')
      await limits.check(checkOf({ orderId: `of-${why}`, subjects: { user: to } }), AT);
    await expect(confirmMoved(why, to, capture, 60_000)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: `order "${why}" is not known in the document "user:${to}", which the reservation names: no check was allowed under it`,
    });
  });

  it.each([
    { capture: false, afterMs: WEEK_MS + 16 * 60_000, why: 'documents live 7 days after a hold' },
    { capture: true, afterMs: 0, why: 'it does not say how old it is' },
  ])('may be too old where no document is there: $why', async ({ capture, afterMs, why }) => {
    await expect(confirmMoved(why, 'nobody', capture, afterMs)).rejects.toMatchObject({
      code: 'FORGOTTEN',
      message: `order "${why}" is not known in the document "user:nobody", which the reservation names: it is too old, or was never checked there; nothing was changed`,
    });
  });
});
