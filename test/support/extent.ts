/**
 * How much each proof runs. `npm test` runs the short extent, which is the same each time: something of
 * every kind of proof. `npm run test:long` runs the files that are named here in the long extent: from a
 * seed that it prints, whole or in shares.
 */

/** Proofs by chance: how many stories, walks or calls each tells. */
// prettier-ignore
const TIMES = {
  //                      file                                              short     long
  walks:                 ['test/model/walk.test.ts',                            1,     300],
  changingWalks:         ['test/model/changing-walk.test.ts',                    1,     150],
  nearWalks:             ['test/near/walk.test.ts',                              5,     300],
  nearScans:             ['test/near/scan-walk.test.ts',                        3,     200],
  modelWalks:            ['test/model/sent-twice.test.ts',                     12,     200],
  reviewStories:         ['test/review/interleavings.test.ts',                  100,  20_000],
  walksOfTheTally:       ['test/model/walk-tally.long.test.ts',                60,     400],
  manyWalks:             ['test/many/equivalence.test.ts',                      1,     100],
  messages:              ['test/many/messages.test.ts',                         3,     300],
  interleavings:         ['test/interleavings/interleavings.test.ts',            64,   2_000],
  pairStories:           ['test/interleavings/pair-stories.test.ts',             24,   1_000],
  waitingWrites:         ['test/interleavings/waiting-writes.test.ts',           24,   2_000],
  crashStories:          ['test/crash/stories.test.ts',                         1,      40],
  lateConfirms:          ['test/limits/late-confirms.test.ts',                200,   2_000],
  crashTally:            ['test/crash/tally.long.test.ts',                      2,       8],
  jitters:               ['test/fault/clocks.test.ts',                          3,     200],
  signedNonsense:        ['test/functions/signed-nonsense.test.ts',            60,   5_000],
  agreedRequests:        ['test/openapi/agreement.test.ts',                    20,   2_000],
  invalidRequests:       ['test/hostile/invalid.test.ts',                      80,  10_000],
  forgeries:             ['test/hostile/reservation.test.ts',                  10,   1_000],
  newSubjects:           ['test/race/one-subject.test.ts',                      2,     100],
  settledAtOnce:         ['test/race/one-subject.test.ts',                     20,   1_000],
  severalAtOnce:         ['test/race/several-subjects.test.ts',                 1,      40],
  callersOfOneMerchant:  ['test/race/one-commit.test.ts',                      12,      50],
  callersInSession:      ['test/audit/session.test.ts',                        12,      50],
  refundsAtOnce:         ['test/audit/refund.test.ts',                         12,      50],
  contended:             ['test/fault/slow-many.test.ts',                       2,      50],
  killedDatabase:        ['test/fault/killed-database.long.test.ts',            1,       8],
  secondPersons:        ['test/four-eyes/four-eyes-walk.test.ts',                500,  20_000],
  setsOfRules:          ['test/rule-book/generations.test.ts',                    60,   3_000],
  anyMessages:           ['test/edge/settlement-message.test.ts',               400,  20_000],
  pastPayments:          ['test/functions/usage-history.test.ts',                70,     300],
  replayedPasts:         ['test/backtest/control.test.ts',                      8,     400],
  replayedDrafts:        ['test/backtest/draft.test.ts',                        8,     400],
  changedSets:           ['test/backtest/changed-sets.test.ts',                 4,     200],
  suggestedMaxima:       ['test/backtest/suggest.test.ts',                      8,     400],
  checksAtOnce:         ['test/backtest/callers.test.ts',                     400,  20_000],
  partsOfOrders:        ['test/backtest/parts.test.ts',                        60,   6_000],
  takenUpPasts:         ['test/backtest/taken-up.test.ts',                      8,     400],
  generatedOrders:      ['test/backtest/generated.long.test.ts',            1_000, 100_000],
  callsOfAFunction:      ['test/fault/memory.long.test.ts',                   600, 100_000],
} as const;

/** Proofs by cases: every how many-th of them is told. */
// prettier-ignore
const EVERY = {
  //                      file                                              short     long
  lateCopies:            ['test/interleavings/late-answers.test.ts',             9,       1],
  oneCallBreakages:      ['test/fault/one-call.test.ts',                        9,       1],
  manyCallsBreakages:    ['test/fault/many-calls.test.ts',                      37,       1],
  oneCommitBreakages:    ['test/fault/one-commit.test.ts',                     23,       1],
  refundBreakages:       ['test/fault/broken-refund.test.ts',                  23,       1],
  standsStill:           ['test/fault/slow-caller.test.ts',                     3,       1],
  manyStandStill:        ['test/fault/slow-many.test.ts',                       5,       1],
  killedInCommits:       ['test/fault/one-commit.test.ts',                      4,       1],
  killedInRefunds:       ['test/fault/broken-refund.test.ts',                   4,       1],
  killedInManyCommits:   ['test/fault/killed-many.test.ts',                     4,       1],
  givenUp:               ['test/fault/rolled-back.test.ts',                     5,       1],
  killedCallers:         ['test/fault/killed-caller.test.ts',                  23,       1],
  killedCallersOfMany:   ['test/fault/killed-many.test.ts',                    13,       1],
  largestBodies:         ['test/http/amplification.test.ts',                    7,       1],
  endedImports:          ['test/cli/import/interrupted.test.ts',              3,       1],
  cells:                 ['test/states/states.test.ts',                        23,       1],
  states:                ['test/states/states.test.ts',                          2,       1],
  crashModes:            ['test/crash/stories.test.ts',                          2,       1],
  kindsOfStories:        ['test/interleavings/named-stories.test.ts',           3,       1],
  reconciledModes:       ['test/cli/reconcile.test.ts',                        2,       1],
  lostStarters:          ['test/infra/local/lifetime.test.ts',                  3,       1],
  cuts:                  ['test/interleavings/named-stories.test.ts',          49,       1],
  failures:              ['test/interleavings/failure-stories.test.ts',        11,       1],
  parts:                 ['test/interleavings/partial-stories.test.ts',         17,       1],
  cutsOfMemory:          ['test/interleavings/memory-stories.test.ts',         17,       1],
  cutsOfRows:            ['test/interleavings/memory-stories.test.ts',          3,       1],
} as const;

export type Chance = keyof typeof TIMES;

export type Cases = keyof typeof EVERY;

/** The proofs that run more in the long extent, with their files. */
export const PROOFS: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...TIMES, ...EVERY }).map(([proof, [file]]) => [proof, file]),
);

/** The files that the long extent runs, beside those that are named `.long.test.ts`. */
export const LONG_FILES: readonly string[] = [...new Set(PROOFS.values())];

/** One of so many parts of the long extent, which together are the whole. */
export type Share = { readonly part: number; readonly of: number };

/** @throws RangeError where it is not `1/8`, `2/8` or the like */
export function readShare(text: string): Share {
  const [, part = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (part < 1 || part > of)
    throw new RangeError(`The share is "${text}"; expected one of so many, such as 1/8.`);
  return { part, of };
}

export const IS_LONG = process.env.TEST_EXTENT === 'long';

export const SHARE = readShare((IS_LONG ? process.env.TEST_SHARE : undefined) ?? '1/1');

/** How far apart the seeds of two shares are: more than any proof tells. */
const SEEDS_OF_A_SHARE = 1_000_000;

const LONG_SEED = Number(process.env.TEST_SEED ?? 1);

/** For what is asked of how stories are made, and not of those that are told. */
export const FIXED_SEED = 20_260_302;

/** What proofs by chance start from: fixed in the short extent; another one in each share of the long. */
export const SEED = IS_LONG ? LONG_SEED + (SHARE.part - 1) * SEEDS_OF_A_SHARE : FIXED_SEED;

/** The command that tells the same proofs of the long extent again. */
export const AGAIN = `npm run test:long -- --share ${SHARE.part}/${SHARE.of} --seed ${LONG_SEED}`;

/** How many times a proof by chance is told: in a share, too, no fewer than in the short extent. */
export function times(proof: Chance): number {
  const [, short, long] = TIMES[proof];
  return IS_LONG ? Math.max(short, Math.ceil(long / SHARE.of)) : short;
}

/**
 * The cases of a proof that are told: every one in the long extent, or every one of a share.
 *
 * @param turn which of several lists this is, so that each leaves out others
 */
export function someOf<Case>(proof: Cases, cases: readonly Case[], turn = 0): readonly Case[] {
  const [, short, long] = EVERY[proof];
  return someIn(cases, IS_LONG ? long : short, SHARE, turn);
}

/** Every how many-th case, of the cases of a share; one at least. */
export function someIn<Case>(
  cases: readonly Case[],
  every: number,
  { part, of }: Share,
  turn = 0,
): readonly Case[] {
  const some = cases.filter((_, index) => (index + turn) % (every * of) === part - 1);
  return some.length > 0 ? some : cases.slice(0, 1);
}
