import { describe, expect, it } from 'vitest';
import type { RuleReport } from '../../lib/domain/report.ts';
import type { Limits } from '../../lib/limits.ts';
import type { ModelRule } from '../model/model-types.ts';
import { useDatabase } from '../support/database.ts';
import { USER_DAY, checkOf, limitsOver, orderOf } from '../support/limits-fixture.ts';

const AT = new Date('2026-03-01T10:00:00+08:00');
const database = useDatabase();
const RULES: readonly ModelRule[] = [USER_DAY, { ...USER_DAY, id: 'shop-day', per: ['merchant'] }];

/** What the rule of the merchant counts, as a dry run says. */
async function counted(
  limits: Limits,
  merchant: string,
): Promise<Pick<RuleReport, 'used' | 'held'>> {
  const answer = await limits.check(
    checkOf({ orderId: 'dry', subjects: { merchant }, dryRun: true }),
    AT,
  );
  if (answer.kind === 'undecided') throw new Error('the database is there');
  const { used, held } = answer.rules[0] ?? {};
  return { ...(used && { used }), ...(held && { held }) };
}

const ONE = { amountMinor: 100, count: 1 };
const NONE = { amountMinor: 0, count: 0 };

describe('a confirm that names only some of the subjects of the check', () => {
  it('counts for those; of the others the share stays held, until all are named', async () => {
    const limits = limitsOver(database.db, RULES);
    const subjects = { user: 'some', merchant: 'some' };
    await limits.check(checkOf({ orderId: 'some', subjects }), AT);
    await limits.confirm(orderOf('some', { user: 'some' }), AT);
    expect(await counted(limits, 'some')).toEqual({ used: NONE, held: ONE });
    expect(await limits.confirm(orderOf('some', subjects), AT)).toMatchObject({ repeated: true });
    expect(await counted(limits, 'some')).toEqual({ used: ONE, held: NONE });
  });

  it('cannot happen by reservation, which names them all', async () => {
    const limits = limitsOver(database.db, RULES);
    const subjects = { user: 'all', merchant: 'all' };
    const answer = await limits.check(checkOf({ orderId: 'all', subjects }), AT);
    const token = 'reservation' in answer ? (answer.reservation ?? '') : '';
    await limits.confirm(
      { ...orderOf('all', {}), whereabouts: { kind: 'reservation', token } },
      AT,
    );
    expect(await counted(limits, 'all')).toEqual({ used: ONE, held: NONE });
  });
});

describe('an order that is open when HOME_KINDS changes', () => {
  it('is looked for in its new home, where there may be nothing; its reservation finds it', async () => {
    const subjects = { user: 'moved', merchant: 'moved' };
    const before = limitsOver(database.db, [USER_DAY]);
    const answer = await before.check(checkOf({ orderId: 'moved', subjects }), AT);
    const token = 'reservation' in answer ? (answer.reservation ?? '') : '';
    const after = limitsOver(database.db, [USER_DAY], { homeKinds: ['merchant'] });
    await expect(after.confirm(orderOf('moved', subjects), AT)).rejects.toThrow('not known');
    const byReservation = { kind: 'reservation', token } as const;
    const confirmed = after.confirm({ ...orderOf('moved', {}), whereabouts: byReservation }, AT);
    expect(await confirmed).toMatchObject({ repeated: false });
  });
});
