import { beforeEach, describe, expect, it } from 'vitest';
import { InvalidRequestError, UndecidedError } from '../../lib/shared/errors.ts';
import type { Rule } from '../../lib/rules/rule.ts';
import type { Limits, LimitsOptions } from '../../lib/limits.ts';
import { useDatabase } from '../support/database.ts';
import { checkOf, limitsOver, USER_DAY } from '../support/limits-fixture.ts';
import { libRule } from '../support/service-under-test.ts';

const database = useDatabase();
beforeEach(async () => {
  await database.db.collection('counters').deleteMany({});
});

const OTHERS = libRule({ ...USER_DAY, id: 'merchant-day', per: ['merchant'] });
const orders = ['o-1', 'o-2'].map((orderId) => checkOf({ orderId, subjects: { user: 'u-1' } }));

/** Rules that change whenever they are read: `first`, `second`, … */
function changing(options: Partial<LimitsOptions> = {}): Limits {
  const names = ['first', 'second', 'third', 'fourth'].values();
  const rules = (): Promise<readonly Rule[]> => {
    const id = names.next().value ?? 'last';
    return Promise.resolve([libRule({ ...USER_DAY, id }), OTHERS]);
  };
  return limitsOver(database.db, [], { rules, ...options });
}

describe('a call of many checks that is to be admitted', () => {
  it.each([false, true])(
    'is decided by the very rules that were shown, atomic: %j',
    async (atomic) => {
      const shown: string[][] = [];
      const results = await changing().checkMany(
        orders,
        atomic,
        undefined,
        undefined,
        (applying) => {
          shown.push(...applying.map((rules) => rules.map(({ id }) => id)));
        },
      );
      expect(shown).toEqual([['first'], ['first']]);
      for (const result of results)
        expect(result).toMatchObject({
          kind: 'answered',
          answer: { kind: 'allowed', rules: [{ rule: { id: 'first' } }] },
        });
    },
  );

  it('holds nothing where it is not', async () => {
    const refuse = (): void => {
      throw new InvalidRequestError([{ path: 'report', expected: 'less' }]);
    };
    const limits = changing({ onUndecided: 'allow' });
    const call = limits.checkMany(orders, false, undefined, undefined, refuse);
    await expect(call).rejects.toThrow('report is missing, expected less');
    expect(await database.db.collection('counters').countDocuments()).toBe(0);
  });

  it('is undecided where no rules are to be had', async () => {
    const rules = (): Promise<never> => Promise.reject(new UndecidedError('away'));
    const admit = (): void => undefined;
    const strict = changing({ rules }).checkMany(orders, false, undefined, undefined, admit);
    await expect(strict).rejects.toThrow(UndecidedError);
    const lenient = changing({ rules, onUndecided: 'allow' });
    expect(await lenient.checkMany(orders, false, undefined, undefined, admit)).toMatchObject([
      { kind: 'answered', answer: { kind: 'undecided' } },
      { kind: 'answered', answer: { kind: 'undecided' } },
    ]);
  });
});
