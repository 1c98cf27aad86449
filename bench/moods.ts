import type { CheckRequest } from '../lib/shared/request.ts';
import type { Rule } from '../lib/rule/rule.ts';
import type { Limits } from '../lib/edge/limits.ts';
import type { Build } from './builds.ts';
import { nameIn } from './builds.ts';
import type { Contender, Ends } from './measure.ts';
import type { Held } from './workload.ts';
import { AMOUNT_MINOR, FIVE_RULES, calendarRule, checkOf, orderOf } from './workload.ts';

/** The situations of one document that all callers meet at, in the order of the report. */
export const MOODS = ['hot ordinary', 'hot nearly full', 'hot expiring', 'hot exact'] as const;

/** Orders that fit into the document that is nearly full, where each is rolled back at once. */
const ROOM_ORDERS = 30;

/** Each payment of an exact window is kept by itself: at most 100 of them. */
const EXACT_COUNT = 100;

/** Open holds that a slice leaves, all confirmed when it ends: within what the bench's documents may have. */
const ORDINARY_SLICE_MAX = 1_024;

/** Orders settled in one call where nobody times it. */
const TIDY_ORDERS = 64;

const FULL_RULES: readonly Rule[] = FIVE_RULES.map((rule) => ({
  ...rule,
  max: { ...rule.max, amountMinor: ROOM_ORDERS * AMOUNT_MINOR },
}));

const EXACT_RULE = calendarRule('minute', {
  id: 'user-rolling',
  window: { kind: 'rolling', spanMs: 60_000, stepMs: 1 },
  max: { count: EXACT_COUNT },
});

/** Says how a check ended; `held` where it was allowed. */
type Check = (request: CheckRequest) => Promise<Held | undefined>;

/** One build's checks of one document each: ordinary, nearly full, with holds that expire, in an exact window. */
export function moods(build: Build): readonly Contender[] {
  const mood = (
    name: (typeof MOODS)[number],
    rules: readonly Rule[],
    contender: (check: Check, limits: Limits) => Omit<Contender, 'name'>,
  ): Contender => {
    const { limits, ...counted } = build.serve(rules);
    const { check, ends } = countedChecks(limits);
    return { name: nameIn(build, name), ...counted, ends, ...contender(check, limits) };
  };
  const rolledBack =
    (user: string) =>
    (check: Check, limits: Limits): Pick<Contender, 'run'> => ({
      run: async (number) => {
        const held = await check(checkOf(`${user}-${number}`, { user }));
        if (held !== undefined) await limits.rollback(orderOf(held));
      },
    });
  return [
    mood('hot ordinary', FIVE_RULES, ordinary),
    mood('hot nearly full', FULL_RULES, rolledBack('mood-full')),
    mood('hot expiring', FIVE_RULES, (check) => ({
      run: async (number) => {
        const request = checkOf(`expiring-${number}`, { user: 'mood-expiring' });
        await check({ ...request, holdMs: 2_000 });
      },
    })),
    mood('hot exact', [EXACT_RULE], rolledBack('mood-exact')),
  ];
}

function ordinary(check: Check, limits: Limits): Omit<Contender, 'name'> {
  const open: Held[] = [];
  return {
    sliceMax: ORDINARY_SLICE_MAX,
    run: async (number) => {
      const held = await check(checkOf(`ordinary-${number}`, { user: 'mood-ordinary' }));
      if (held !== undefined) open.push(held);
    },
    tidy: async () => {
      while (open.length > 0) {
        const some = open.splice(0, TIDY_ORDERS);
        await limits.settleMany(some.map((held) => ({ ...orderOf(held), to: 'confirmed' })));
      }
    },
  };
}

/** Checks, and how many of them were allowed, refused, or not decided because too many met. */
function countedChecks(limits: Limits): {
  readonly check: Check;
  readonly ends: () => Ends;
} {
  const counts = { allowed: 0, refused: 0, undecided: 0 };
  return {
    ends: () => ({ ...counts }),
    check: async (request) => {
      try {
        const answer = await limits.check(request);
        counts[answer.kind] += 1;
        if (answer.kind !== 'allowed' || answer.reservation === undefined) return undefined;
        return { orderId: request.orderId, token: answer.reservation };
      } catch (error) {
        // By its field: another revision's error is of another class.
        if (!(error instanceof Error && 'retryable' in error && error.retryable === true))
          throw error;
        counts.undecided += 1;
        return undefined;
      }
    },
  };
}
