/** Walks with what goes on around them: refunds, and rules that are edited while orders are open. */
import fc from 'fast-check';
import { walkArbitrary } from './arbitraries.ts';
import type { ModelRefund, ModelRule } from './model-types.ts';
import type { WalkDocuments } from './rule-arbitraries.ts';
import { ruleArbitrary, SEASONS } from './rule-arbitraries.ts';
import type { Walk } from './walk.ts';

/** What happens before one of the requests of a walk. `order` counts the orders that were counted so far. */
export type Change =
  | ({ readonly do: 'refund'; readonly order: number; readonly isNamed: boolean } & Pick<
      ModelRefund,
      'refundId' | 'amount'
    >)
  | { readonly do: 'edit'; readonly rule: number; readonly part: Part; readonly as: ModelRule };

/**
 * The parts of a rule that a change takes from another rule. What is in `COUNTER_PARTS` of the domain
 * lets it count in another
 * counter; another generation is that of a rule that was put back, and begins at zero.
 */
const PARTS = ['all', 'window', 'scope', 'mode', 'refunds', 'dates', 'generation'] as const;
type Part = (typeof PARTS)[number];

/** A walk, its changes by the number of the request that they come before, and who is asked. */
export type ChangingWalk = {
  readonly walk: Walk;
  readonly changes: readonly { readonly at: number; readonly change: Change }[];
  /** Which process is asked next, over and over. */
  readonly turns: readonly number[];
};

const refunds = fc.record({ amount: fc.boolean(), count: fc.boolean() });

const refundArbitrary: fc.Arbitrary<Change> = fc.record(
  {
    do: fc.constant('refund' as const),
    order: fc.nat(15),
    isNamed: fc.boolean(),
    refundId: fc.constantFrom('r-1', 'r-2', 'r-3'),
    amount: fc.integer({ min: 1, max: 8 }),
  },
  { requiredKeys: ['do', 'order', 'isNamed', 'refundId'] },
);

function editArbitrary(documents: WalkDocuments): fc.Arbitrary<Change> {
  const other = fc.constantFrom(...SEASONS).chain((season) => ruleArbitrary(season, documents));
  return fc.record({
    do: fc.constant('edit' as const),
    rule: fc.nat(5),
    part: fc.constantFrom(...PARTS),
    as: fc.tuple(other, refunds).map(([rule, kept]) => withRefunds(withRoom(rule), kept)),
  });
}

/** A rule for single transactions counts nothing that could be given back, and a refund makes no attempt undone. */
function withRefunds(rule: ModelRule, kept: NonNullable<ModelRule['refunds']>): ModelRule {
  const isKept = rule.window === 'transaction' || rule.outcome !== undefined;
  return isKept ? rule : { ...rule, refunds: kept };
}

/** So often more fits than in other walks: what is never counted is never given back. */
const ROOM = 4;

function withRoom(rule: ModelRule): ModelRule {
  const { amount, count } = rule.max;
  return {
    ...rule,
    max: {
      ...(amount === undefined ? {} : { amount: amount * ROOM }),
      ...(count === undefined ? {} : { count: count * ROOM }),
    },
  };
}

/** Whole walks with 20 to 30 changes. */
export function changingWalkArbitrary(documents: WalkDocuments): fc.Arbitrary<ChangingWalk> {
  const change = fc.oneof(
    { weight: 3, arbitrary: refundArbitrary },
    { weight: 1, arbitrary: editArbitrary(documents) },
  );
  return fc.record({
    walk: fc
      .tuple(walkArbitrary(documents, 15, 25), fc.array(refunds, { minLength: 6, maxLength: 6 }))
      .map(([walk, kept]) => ({
        ...walk,
        rules: walk.rules.map((rule, index) => withRefunds(withRoom(rule), kept[index] ?? {})),
      })),
    changes: fc.array(fc.record({ at: fc.nat(35), change }), {
      minLength: 20,
      maxLength: 40,
      size: 'max',
    }),
    turns: fc.array(fc.nat(11), { minLength: 7, maxLength: 31 }),
  });
}

/** A rule of which a part is another's; as it was where the two do not go together. */
export function edited(rule: ModelRule, { part, as }: Extract<Change, { do: 'edit' }>): ModelRule {
  const isLike = kindOf(rule) === kindOf(as);
  switch (part) {
    case 'all':
      return { ...as, id: rule.id };
    case 'window': {
      if (!isLike) return rule;
      const { when: _, ...rest } = rule;
      return { ...rest, window: as.window, ...picked(as, ['when']) };
    }
    case 'mode':
      return { ...rule, mode: as.mode };
    case 'refunds':
      return withRefunds(rule, as.refunds ?? {});
    case 'generation':
      return { ...rule, generation: (rule.generation ?? 0) + 1 };
    case 'scope': {
      if (!isLike) return rule;
      const { match: _, counts: _counts, appliesTo: _asked, ...rest } = rule;
      return { ...rest, ...picked(as, ['match', 'counts', 'appliesTo']) };
    }
    case 'dates': {
      const { from: _, to: _to, ...rest } = rule;
      return { ...rest, ...picked(as, ['from', 'to']) };
    }
  }
}

function picked<Name extends keyof ModelRule>(
  rule: ModelRule,
  names: readonly Name[],
): Partial<Pick<ModelRule, Name>> {
  const pairs = names.flatMap((name) => (rule[name] === undefined ? [] : [[name, rule[name]]]));
  return Object.fromEntries(pairs) as Partial<Pick<ModelRule, Name>>; // of these names alone
}

/** Windows of one kind take the same maxima and scopes. */
function kindOf({ window }: ModelRule): 'single' | 'exact' | 'summed' {
  if (window === 'transaction') return 'single';
  return typeof window === 'object' && 'stepMs' in window && window.stepMs === 'exact'
    ? 'exact'
    : 'summed';
}
