import { describe, expect, it } from 'vitest';
import { wholeDraft } from '../../lib/backtest/draft.ts';
import { replayPast } from '../../lib/backtest/replay-past.ts';
import { isSameVerdict } from '../../lib/backtest/verdict.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import { SEED, times } from '../support/extent.ts';
import type { Difference } from './control-of.ts';
import { controlOf } from './control-of.ts';
import { generatedPast } from './generated-past.ts';
import { libraryReplay } from './library-replay.ts';
import type { Played } from './played-past.ts';
import { pastOf } from './played-past.ts';
import { setsIn } from './wallet.ts';

const ORDERS = times('generatedOrders');
const ORDERS_MAX = 5_000;
const PASTS = Math.ceil(ORDERS / ORDERS_MAX);
const SEEDS = Array.from({ length: PASTS }, (_, place) => SEED + place);
const ORDERS_EACH = Math.ceil(ORDERS / PASTS);
/** One check in so many may have seen a share of another one that was refused elsewhere, and gave it back. */
const EXPLAINED_EVERY = 1_000;

/** A past without one of these proves less. */
const KINDS = [
  'check held',
  'check confirmed',
  'check refused',
  'check NOT_ALL_ALLOWED',
  'check INCOMPLETE_ORDER',
  'confirm confirmed',
  'rollback rolledBack',
  'refund refunded',
  'record confirmed',
  'record rolledBack',
];

function kindsIn({ rows }: Played): readonly string[] {
  const kinds = new Set(rows.map(({ operation, outcome }) => `${operation} ${outcome}`));
  return KINDS.filter((kind) => kinds.has(kind));
}

/** Less a day, more withdrawals, and no word about cards. */
function draftRules(): readonly Rule[] {
  const [, , { rules } = { rules: [] }] = setsIn(new Date(0), 1).sets;
  const changes: Readonly<Record<string, Rule['max']>> = {
    'user-day': { amountMinor: 150_000, count: 5 },
    withdraw: { count: 3 },
  };
  const changed = rules.map((rule) => ({ ...rule, max: changes[rule.id] ?? rule.max }));
  return changed.filter(({ id }) => id !== 'card-day');
}

describe(`a past of an invented wallet with ${ORDERS_EACH} orders`, () => {
  it.each(SEEDS)('is decided again as it was, of the seed %i', async (seed) => {
    const played = await generatedPast(ORDERS_EACH, seed);
    const { checks, differences, explained } = await controlOf(pastOf(played));
    expect(differences).toEqual([]);
    expect(explained.length).toBeLessThanOrEqual(checks / EXPLAINED_EVERY);
    expect(kindsIn(played)).toEqual(KINDS);
  });

  it('is decided under a draft as the whole library does under its rules', async () => {
    const played = await generatedPast(Math.ceil(ORDERS_EACH / 4), SEED);
    const rules = draftRules();
    const expected = await libraryReplay(played, rules, 'refuse');
    const differences: Difference[] = [];
    const draft = wholeDraft(rules);
    const question = { draft, from: new Date(0), freed: 'unpaid', documentsMax: 100_000 } as const;
    await replayPast(pastOf(played), question, {
      onRow: () => undefined,
      onCheck: (row, _control, { knockOn: is }) => {
        const was = expected.get(row.id);
        if (was === undefined || !isSameVerdict(is, was)) differences.push({ row, is, was });
      },
    });
    expect(differences).toEqual([]);
  });
});
