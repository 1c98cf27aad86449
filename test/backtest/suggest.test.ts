import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { History } from '../../lib/backtest/history.ts';
import type { PastRow } from '../../lib/backtest/past-row.ts';
import { isDecision } from '../../lib/backtest/past-row.ts';
import type { Past } from '../../lib/backtest/replay-past.ts';
import { newReading } from '../../lib/backtest/reading.ts';
import { replaySides } from '../../lib/backtest/replay-past.ts';
import type { ReplayKind } from '../../lib/backtest/one-replay.ts';
import { Side } from '../../lib/backtest/side.ts';
import { newSide, REPLAYS } from '../../lib/backtest/one-replay.ts';
import type { SuggestionAsked } from '../../lib/backtest/suggest.ts';
import { suggest } from '../../lib/backtest/suggest.ts';
import type { Demand, SuggestedMaximum, Suggestion } from '../../lib/backtest/suggestion.ts';
import { DEMANDS } from '../../lib/backtest/suggestion.ts';
import { ofOneRule, unlimited } from '../../lib/backtest/unlimited.ts';
import { passes, verdictIn } from '../../lib/backtest/verdict.ts';
import { compile } from '../../lib/plan/compile.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import { COUNTER_SUM_MAX } from '../../lib/shared/bounds.ts';
import { walkArbitrary } from '../model/arbitraries.ts';
import type { Step, Walk } from '../model/walk.ts';
import { SEED, times } from '../support/extent.ts';
import { libRule } from '../support/service-under-test.ts';
import type { Played } from './played-past.ts';
import { pastOf, playedPast } from './played-past.ts';

const BEGINNING = new Date(0);
const SHARES = [0, 0.1, 0.2, 0.25, 0.34, 0.5];

/**
 * A walk of more users, without maxima of their own, and without orders that take less: these would pass under any
 * maximum.
 */
function plain(walk: Walk): Walk {
  const steps = walk.steps.flatMap((step): readonly Step[] => {
    switch (step.do) {
      case 'terms':
        return step.frozenMs === undefined ? [] : [{ ...step, layers: [] }];
      case 'check': {
        const { partial: _partial, ...request } = step.request;
        return [{ ...step, request: ofMore(request) }];
      }
      case 'record':
        return [{ ...step, request: ofMore(step.request) }];
      case 'confirm':
        return [{ ...step, request: ofMore(step.request) }];
      case 'rollback':
        return [{ ...step, request: ofMore(step.request) }];
      case 'advance':
      case 'decide':
      case 'jump':
      case 'scale':
        return [step];
    }
  });
  return { ...walk, steps };
}

/** Orders o-1 and o-7 are of one user. */
function ofMore<Request extends { orderId: string; subjects?: Readonly<Record<string, string>> }>(
  request: Request,
): Request {
  const { subjects, orderId } = request;
  if (subjects?.user === undefined) return request;
  return { ...request, subjects: { ...subjects, user: `u-${Number(orderId.slice(2)) % 6}` } };
}

/** As the demand has it: what passed alone, or all that was asked. */
function demanded({ rows, inForce }: Played, demand: Demand): Played {
  const isThere = (row: PastRow): boolean =>
    demand === 'all' || !isDecision(row) || passes(verdictIn(row));
  return { rows: rows.filter(isThere), inForce: ofOneRule(inForce) };
}

/** The rule with one of its maxima, and without the others. */
function withOnly(rule: Rule, { of, by }: SuggestedMaximum, maximum: number): Rule {
  const sum = of === 'amount' ? 'amountMinor' : 'count';
  const bare = unlimited(rule);
  if (by === undefined) return { ...bare, max: { [sum]: maximum } };
  const { name, value } = by;
  if (value !== null)
    return { ...bare, maxBy: { [sum]: { by: name, values: { [value]: maximum } } } };
  const names = Object.keys(rule.maxBy?.[sum]?.values ?? {});
  const values = Object.fromEntries(names.map((one) => [one, COUNTER_SUM_MAX]));
  return { ...bare, max: { [sum]: maximum }, maxBy: { [sum]: { by: name, values } } };
}

type Refused = Readonly<Record<ReplayKind, ReadonlyMap<string, string>>>;

/** The checks that a rule alone refuses, with their subjects. */
async function refusedBy(rule: Rule, played: Played): Promise<Refused> {
  const history = new History(played.inForce);
  const rules = compile([rule]);
  const side = new Side(history, () => rules, { from: BEGINNING, freed: 'paid' }, newSide());
  const refused = { direct: new Map<string, string>(), knockOn: new Map<string, string>() };
  const asked = { history, sides: [side], documentsMax: 1_000 } as const;
  const batches = replaySides(
    pastOf(played),
    asked,
    {
      onRow: () => undefined,
      onCheck: ({ id, subjects }, [said]) => {
        for (const kind of REPLAYS)
          if (said?.[kind].outcome === 'refused')
            refused[kind].set(id, JSON.stringify(rule.per.map((one) => subjects[one])));
      },
    },
    newReading(),
  );
  while ((await batches.next()).done !== true);
  return refused;
}

/** How many orders and subjects a rule refuses that it does not refuse without a maximum. */
async function refusals(rule: Rule, played: Played) {
  const [refused, whatever] = [
    await refusedBy(rule, played),
    await refusedBy(unlimited(rule), played),
  ];
  const counted = (kind: ReplayKind) => {
    const some = [...refused[kind]].filter(([id]) => !whatever[kind].has(id));
    return { orders: some.length, subjects: new Set(some.map(([, subject]) => subject)).size };
  };
  return { direct: counted('direct'), knockOn: counted('knockOn') };
}

async function suggestionOf(past: Past, asked: SuggestionAsked): Promise<Suggestion> {
  const steps = suggest(past, asked);
  for (;;) {
    const { done, value } = await steps.next();
    if (done === true) return value;
  }
}

/** In this replay a maximum refuses exactly what its curve says. Orders that were not refused stand before each check. */
const REPLAY_OF = { passed: 'direct', all: 'knockOn' } as const;

/** A maximum that refuses more subjects than its share, or is not the least that does not. */
async function wrongIn(rule: Rule, played: Played, share: number): Promise<readonly unknown[]> {
  const asked = { rule, share, from: BEGINNING, to: new Date(8e12), warmUpFrom: BEGINNING };
  const { maxima } = await suggestionOf(pastOf(played), asked);
  const wrong: unknown[] = [];
  for (const demand of DEMANDS) {
    const past = demanded(played, demand);
    for (const one of maxima) {
      const curve = one[demand];
      if (curve === null) continue;
      const { maximum, subjects, orders } = curve.suggested;
      const most = Math.floor(curve.subjects * share + 1e-9);
      const is = await refusals(withOnly(rule, one, maximum), past);
      const exact = is[REPLAY_OF[demand]];
      const isExact = exact.subjects === subjects && (demand === 'all' || exact.orders === orders);
      const told = { rule, demand, of: one.of, by: one.by, maximum, share, most };
      if (subjects > most || is.knockOn.subjects > most || !isExact)
        wrong.push({ ...told, is, subjects, orders });
      if (maximum === 0) continue;
      const less = await refusals(withOnly(rule, one, maximum - 1), past);
      if (less[REPLAY_OF[demand]].subjects <= most) wrong.push({ ...told, less });
    }
  }
  return wrong;
}

describe('a suggested maximum', () => {
  it.each(['one', 'several'] as const)(
    'refuses at most its share of subjects, and one that is smaller refuses more, of %s documents',
    async (documents) => {
      await fc.assert(
        fc.asyncProperty(
          walkArbitrary(documents),
          fc.constantFrom(...SHARES),
          async (walk, share) => {
            const played = await playedPast(plain(walk));
            for (const rule of walk.rules.map(libRule))
              expect(await wrongIn(rule, played, share)).toEqual([]);
          },
        ),
        { numRuns: times('suggestedMaxima'), seed: SEED },
      );
    },
    600_000,
  );
});
