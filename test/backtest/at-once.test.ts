import { describe, expect, it } from 'vitest';
import type { InForce } from '../../lib/backtest/history.ts';
import { wholeDraft } from '../../lib/backtest/draft.ts';
import { replayPast } from '../../lib/backtest/replay-past.ts';
import { isSameVerdict, verdictIn } from '../../lib/backtest/verdict.ts';
import type { Statements } from '../../lib/document/statements.ts';
import { compile } from '../../lib/plan/compile.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import type { CheckRequest } from '../../lib/shared/request.ts';
import { USER_DAY, checkOf, orderOf, limitsOver } from '../support/limits-fixture.ts';
import { countersWithoutCommits, mingoStatements } from '../support/mingo-store.ts';
import { libRule, libWindow } from '../support/service-under-test.ts';
import { memoryRows } from './memory-rows.ts';
import { pastOf } from './played-past.ts';
import { settingsFrom } from './settings-from.ts';

const START = new Date('2026-03-02T02:00:00Z');
const USER = { user: 'u-1' };

function at(second: number): Date {
  return new Date(START.getTime() + 1_000 * second);
}

function order(orderId: string, given: Partial<CheckRequest> = {}): CheckRequest {
  return checkOf({ orderId, subjects: USER, ...given });
}

/** A process over documents in memory, and what the rules of the time say of its checks, beside what was said. */
function processOver(statements: Statements, rule: Rule) {
  const { rows, audit } = memoryRows();
  const limits = limitsOver(countersWithoutCommits(statements), () => Promise.resolve([rule]), {
    audit,
  });
  const inForce: InForce = {
    rules: [{ at: START, rules: compile([rule]) }],
    terms: [],
    settings: settingsFrom(START),
  };
  const replayed = async (tried = rule): Promise<readonly string[]> => {
    const said: string[] = [];
    const question = {
      draft: wholeDraft([tried]),
      freed: 'unpaid',
      from: START,
      documentsMax: 9,
    } as const;
    await replayPast(pastOf({ rows: rows(), inForce }), question, {
      onRow: () => undefined,
      onCheck: (row, control, draft) => {
        const are = [control.direct, control.knockOn].map((one) =>
          isSameVerdict(one, verdictIn(row)),
        );
        const { outcome, amountMinor } = draft.direct;
        said.push(
          `${row.orderId} ${String(row.amountMinor)}: ${are.join()}, draft ${outcome} ${String(amountMinor)}`,
        );
      },
    });
    return said;
  };
  return { limits, replayed };
}

describe('calls of one subject at once are decided again as they were', () => {
  it('where a call began before another one that was faster', async () => {
    const window = { rollingMs: 4_000, stepMs: 1 };
    const rule = libRule({ ...USER_DAY, window, max: { count: 1 } });
    const { limits, replayed } = processOver(mingoStatements(new Map()), rule);
    await limits.check(order('o-1'), at(0));
    await limits.confirm(orderOf('o-1', USER), at(6));
    // It counts from second 5 to second 9.
    await limits.check(order('o-2'), at(5));
    await limits.check(order('o-3'), at(9.5));
    // A window that no row names.
    const longer = { ...rule, window: libWindow({ rollingMs: 4_200, stepMs: 1 }) };
    expect(await replayed(longer)).toEqual([
      'o-1 100: true,true, draft allowed 100',
      'o-2 100: true,true, draft allowed 100',
      'o-3 100: true,true, draft allowed 100',
    ]);
  });

  it('where others gave back after it was read how much is left', async () => {
    let between: () => Promise<unknown> = () => Promise.resolve();
    const statements = mingoStatements(new Map());
    const interrupted: Statements = {
      ...statements,
      async find(...asked) {
        const found = await statements.find(...asked);
        const once = between;
        between = () => Promise.resolve();
        await once();
        return found;
      },
    };
    const rule = libRule({ ...USER_DAY, max: { amount: 1_000 } });
    const { limits, replayed } = processOver(interrupted, rule);
    await limits.check(order('o-1', { amountMinor: 300 }), at(0));
    await limits.check(order('o-2', { amountMinor: 400 }), at(1));
    between = () => limits.rollback(orderOf('o-2', USER), at(2));
    await limits.check(order('o-3', { amountMinor: 800, leastMinor: 1 }), at(3));
    await limits.check(order('o-4', { amountMinor: 400 }), at(4));
    expect(await replayed()).toEqual([
      'o-1 300: true,true, draft allowed 300',
      'o-2 400: true,true, draft allowed 400',
      'o-3 300: true,true, draft allowed 700',
      'o-4 400: true,true, draft allowed 400',
    ]);
  });

  it('where a draft leaves less of an order than it got', async () => {
    const rule = libRule({ ...USER_DAY, max: { amount: 1_000 } });
    const { limits, replayed } = processOver(mingoStatements(new Map()), rule);
    await limits.check(order('o-1', { amountMinor: 300 }), at(0));
    await limits.check(order('o-2', { amountMinor: 900, leastMinor: 100 }), at(1));
    expect(await replayed({ ...rule, max: { amountMinor: 500 } })).toEqual([
      'o-1 300: true,true, draft allowed 300',
      'o-2 700: true,true, draft allowed 200',
    ]);
  });
});
