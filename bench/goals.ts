import type { Measured } from './measure.ts';
import type { Where } from './contenders.ts';

/** The number of callers for which goals are set, and with which other revisions are measured. */
export const GOAL_CALLERS = 16;

/** The purpose of comparing two contenders. */
export type Comparison = {
  readonly name: string;
  /** The least that is good enough; absent where the ratio is only for information. */
  readonly goal?: number;
};

/** A comparison by its contenders' names, and the goals that it has with GOAL_CALLERS, by where they meet. */
type Ratio = {
  readonly of: string;
  readonly to: string;
  readonly name: string;
  readonly goals?: Partial<Readonly<Record<Where, number>>>;
};

/** The ratios that are published. */
const RATIOS: readonly Ratio[] = [
  {
    of: 'check',
    to: 'findOneAndUpdate',
    name: 'check to findOneAndUpdate',
    goals: { distinct: 0.48, hot: 0.38 },
  },
  {
    of: 'confirm',
    to: 'findOneAndUpdate',
    name: 'confirm to findOneAndUpdate',
    goals: { distinct: 0.62, hot: 0.52 },
  },
  { of: 'check', to: 'updateOne', name: 'check to updateOne' },
  {
    of: "check's statement alone",
    to: 'findOneAndUpdate',
    name: "check's statement alone to findOneAndUpdate",
  },
  {
    of: 'check',
    to: "check's statement alone",
    name: 'check to its statement alone',
    goals: { distinct: 0.93, hot: 0.93 },
  },
  { of: 'pair', to: 'findOneAndUpdate', name: 'pair to findOneAndUpdate' },
  {
    of: 'check',
    to: 'fiveLimiters',
    name: 'check to five limiters',
    goals: { distinct: 5, hot: 3.5 },
  },
  { of: 'check', to: 'oneLimiter', name: 'check to one limiter' },
  {
    of: 'check',
    to: 'textbookCommit',
    name: 'check to textbook commit',
    goals: { distinct: 3, hot: 3 },
  },
  {
    of: 'checks',
    to: 'findOneAndUpdate',
    name: 'checks of 64 in a call to findOneAndUpdate',
    goals: { distinct: 10, hot: 9 },
  },
  {
    of: 'group',
    to: 'findOneAndUpdate',
    name: 'pairs of 64 in a call to findOneAndUpdate',
    goals: { distinct: 4, hot: 2.4 },
  },
  { of: 'group', to: 'pair', name: 'pairs of 64 in a call to pair' },
  {
    of: 'refusal',
    to: 'findOneAndUpdate',
    name: 'refusal to findOneAndUpdate',
    goals: { distinct: 0.45, hot: 0.55 },
  },
  { of: 'refusal', to: 'check', name: 'refusal to check' },
  {
    of: 'fresh subject',
    to: 'findOneAndUpdate',
    name: 'first check of a subject to findOneAndUpdate',
    goals: { situation: 0.28 },
  },
  {
    of: 'merchant check',
    to: 'findOneAndUpdate',
    name: 'check of a user and a merchant to findOneAndUpdate',
    goals: { situation: 0.16 },
  },
];

/** Contenders that are compared with the same ones of another revision. */
const BESIDE: readonly string[] = [
  'check',
  'confirm',
  'pair',
  'refusal',
  'checks',
  'group',
  'merchant check',
  'merchant pair',
  'fresh subject',
  'fresh bucket',
];

/** No contender is to be slower than the same one of another revision, but for what chance makes of a ratio. */
const BESIDE_GOAL = 0.97;

/** Two contenders that were measured, and what they are compared for. */
export type Compared = {
  readonly comparison: Comparison;
  readonly of: Measured;
  readonly to: Measured;
};

/**
 * Finds what can be compared among what was measured.
 *
 * @param revisions for each other revision, how it names its contenders
 */
export function comparisonsOf(
  where: Where,
  callers: number,
  measured: readonly Measured[],
  revisions: readonly ((name: string) => string)[],
): readonly Compared[] {
  const byName = new Map(measured.map((one) => [one.name, one]));
  const compared = (
    ofName: string,
    toName: string,
    comparison: Comparison,
  ): readonly Compared[] => {
    const [of, to] = [byName.get(ofName), byName.get(toName)];
    return of === undefined || to === undefined ? [] : [{ comparison, of, to }];
  };
  const withGoal = (name: string, goal: number | undefined): Comparison =>
    goal === undefined ? { name } : { name, goal };
  return [
    ...RATIOS.flatMap(({ of, to, name, goals }) =>
      compared(of, to, withGoal(name, callers === GOAL_CALLERS ? goals?.[where] : undefined)),
    ),
    ...revisions.flatMap((nameThere) =>
      BESIDE.flatMap((of) => {
        const goal = callers === GOAL_CALLERS ? BESIDE_GOAL : undefined;
        return compared(of, nameThere(of), withGoal(`${of} to ${nameThere(of)}`, goal));
      }),
    ),
  ];
}
