import { describe, expect, it } from 'vitest';
import type { Reservation } from '../../lib/domain/reservation.ts';
import { readReservation, reservationToken } from '../../lib/domain/reservation.ts';
import type { Limits } from '../../lib/limits.ts';
import type { ModelRule } from '../model/model-types.ts';
import { useDatabase } from '../support/database.ts';
import { USER_DAY, checkOf, limitsOver, orderOf } from '../support/limits-fixture.ts';

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

/** What both rules count, as a dry run says. */
async function countedBy(limits: Limits, subjects: { user: string; merchant: string }) {
  const look = await limits.check(checkOf({ orderId: 'look', subjects, dryRun: true }), AT);
  if (look.kind === 'undecided') throw new Error('the database is there');
  return look.rules.map(({ used, held }) => [used?.count, held?.count]);
}

describe('a reservation that was tampered with', () => {
  it.each(Object.entries(FORGERIES))(
    'and %s counts no share without the other',
    async (what, forge) => {
      const limits = limitsOver(database.db, RULES);
      const subjects = { user: what, merchant: what };
      const answer = await limits.check(checkOf({ orderId: what, subjects }), AT);
      const token = answer.kind === 'allowed' ? (answer.reservation ?? '') : '';
      const reservation = readReservation(token);
      if (reservation === undefined) throw new Error('a check answers with a reservation');
      const forged = reservationToken(forge(reservation));
      const confirmed = await limits
        .confirm({ ...orderOf(what, {}), whereabouts: { kind: 'reservation', token: forged } }, AT)
        .then(
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
