import type { Measured } from './measure.ts';
import type { Where } from './throughput.ts';

/** The number of callers for which goals are set, and with which other revisions are measured. */
export const GOAL_CALLERS = 16;

/** What two contenders are compared for. */
export type Comparison = {
  readonly name: string;
  /** The least that is good enough; absent where the ratio is only for information. */
  readonly goal?: number;
};

/** A comparison by its contenders' names, and the goals that it has on many documents and on one. */
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
    goals: { distinct: 0.7, hot: 0.6 },
  },
  {
    of: 'confirm',
    to: 'findOneAndUpdate',
    name: 'confirm to findOneAndUpdate',
    goals: { distinct: 0.9, hot: 0.7 },
  },
  { of: 'check', to: 'updateOne', name: 'check to updateOne' },
  { of: 'pair', to: 'findOneAndUpdate', name: 'pair to findOneAndUpdate' },
  {
    of: 'check',
    to: 'fiveLimiters',
    name: 'check to five limiters',
    goals: { distinct: 4, hot: 4 },
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
    goals: { distinct: 10, hot: 5 },
  },
  { of: 'group', to: 'findOneAndUpdate', name: 'pairs of 64 in a call to findOneAndUpdate' },
  { of: 'group', to: 'pair', name: 'pairs of 64 in a call to pair' },
  { of: 'refusal', to: 'check', name: 'refusal to check' },
];

/** What is compared with the same of another revision. */
const BESIDE: readonly { readonly of: string; readonly goal?: number }[] = [
  { of: 'check' },
  { of: 'confirm' },
  { of: 'pair' },
  { of: 'refusal' },
  { of: 'checks' },
  { of: 'group' },
  { of: 'merchant check', goal: 1.5 },
  { of: 'merchant pair', goal: 1.5 },
  { of: 'fresh subject' },
  { of: 'fresh bucket' },
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
      compared(of, to, withGoal(name, goals?.[where])),
    ),
    ...revisions.flatMap((nameThere) =>
      BESIDE.flatMap(({ of, goal }) =>
        compared(of, nameThere(of), withGoal(`${of} to ${nameThere(of)}`, goal)),
      ),
    ),
  ];
}
