import type { Measured } from './measure.ts';
import { MOODS } from './moods.ts';
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
    goals: { distinct: 0.7, hot: 0.5 },
  },
  {
    of: 'confirm',
    to: 'findOneAndUpdate',
    name: 'confirm to findOneAndUpdate',
    goals: { distinct: 0.85, hot: 0.55 },
  },
  { of: 'check', to: 'updateOne', name: 'check to updateOne' },
  {
    of: "check's statement alone",
    to: 'findOneAndUpdate',
    name: "check's statement alone to findOneAndUpdate",
  },
  { of: 'check', to: "check's statement alone", name: 'check to its statement alone' },
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
    goals: { distinct: 15, hot: 8 },
  },
  {
    of: 'group',
    to: 'findOneAndUpdate',
    name: 'pairs of 64 in a call to findOneAndUpdate',
    goals: { distinct: 6, hot: 2 },
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
    goals: { situation: 0.3 },
  },
];

/** How many more times as fast as the same of another revision: with 16 callers, and with 256. */
type BesideGoals = Partial<Readonly<Record<16 | 256, number>>>;

/** A document in a mood must not be slower with many callers, and is to be faster with some. */
const MOOD_GOALS: BesideGoals = { 16: 1.5, 256: 1 };

/** A contender that is compared with the same one of another revision. */
const BESIDE: readonly { readonly of: string; readonly goals?: BesideGoals }[] = [
  { of: 'check' },
  { of: 'confirm' },
  { of: 'pair' },
  { of: 'refusal' },
  { of: 'checks' },
  { of: 'group' },
  { of: 'merchant check', goals: { 16: 2 } },
  { of: 'merchant pair' },
  { of: 'fresh subject' },
  { of: 'fresh bucket' },
  ...MOODS.map((of) => ({ of, goals: MOOD_GOALS })),
];

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
      BESIDE.flatMap(({ of, goals }) => {
        const goal = callers === 16 || callers === 256 ? goals?.[callers] : undefined;
        return compared(of, nameThere(of), withGoal(`${of} to ${nameThere(of)}`, goal));
      }),
    ),
  ];
}
