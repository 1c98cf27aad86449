/**
 * Stories by chance, of which every step of every call is put in an order by a scheduler: steps get
 * lost, late, or their callers die, and time passes in between.
 */
import { describe, expect, it } from 'vitest';
import { IS_LONG, SEED, times } from '../support/extent.ts';
import { shortened, storyOf, tellBySeed } from './explore.ts';
import type { Failure } from './explore.ts';
import { keep } from './kept-stories.ts';
import { KINDS } from './kinds.ts';
import type { Mistake } from './mistakes.ts';
import {
  FORGETS_WRITES,
  NOT_TO_THE_LETTER,
  READ_BEFORE_WRITTEN,
  TAKEN_BY_ID,
  TAKEN_OFF_AGAIN,
  FORGETS_A_KIND,
  FORGETS_NAMES,
  forgetting,
} from './mistakes.ts';
import {
  COMMITS_BLINDLY,
  DATED_TOO_SOON,
  EARLIER_REFUNDS_UNKNOWN,
  REFUNDED_TWICE,
  NEWEST_NAMED,
  RETIRED_NOT_SETTLED,
  RULES_FROM_BEFORE,
  STEPS_COUNTED_BEFORE,
  TERMS_FROM_BEFORE,
  TRIALS_REFUSE,
} from './changing-mistakes.ts';
import {
  ADDS_AT_ANY_TIME,
  ASKS_AGAIN_FOR_SHARES,
  DROPS_ANY,
  GIVES_BACK_AFTER_LOST_HOLD,
  HOURS_TOO_LONG,
  NO_HOME_NAMED,
  NO_LOOK_BEFORE_REFUSAL,
  NO_SLACK,
  NO_STEP_4,
  ONE_NONCE_A_CALL,
  REFUSES_AFTER_LOST_HOLD,
  SAME_NONCE,
  SETTLES_BY_ORDER,
  TAKES_BLINDLY,
  TIME_FROM_STEP_3,
} from './protocol-mistakes.ts';
import {
  NO_PROOF_ASKED,
  NO_PROOF_HELPS,
  TELLING_IS_SILENT,
  TELLING_REFUSES,
} from './excess-mistakes.ts';
import {
  CAPTURE_ASKS_NO_PLACE,
  CAPTURE_TAKES_A_PLACE,
  GIVEN_BACK_FAILS,
  KEPT_ONCE_COUNTED,
  LATE_COUNTS_ANYWHERE,
  LATE_COUNTS_TWICE,
  NO_CODE_BESIDE,
} from './failure-mistakes.ts';
import { ASKS_WHAT_IS_HELD, EXPIRY_FREES, LATE_STAYS_EXPIRED } from './expiry-mistakes.ts';
import { HELD_MAKES_ROOM, NO_LEVEL_COMPARED, RAISES_AS_WELL } from './level-mistakes.ts';
import {
  EXPIRED_KEEPS_VALUE,
  GOES_WITH_THE_FIRST,
  NO_VALUES_ASKED,
  SPENT_VALUES_COUNT,
} from './value-mistakes.ts';
import { EACH_TAKES_WHAT_FITS, HOME_AGREES_ALONE } from './partial-mistakes.ts';
import type { SceneKind } from './random-scene.ts';
import type { Tally } from './tale.ts';

const STORIES = times('interleavings');

/** Stories between two lines that say how far a long run is. */
const REPORTED = 1_000;

/** What stories must meet, or they show little. */
const WORTH_MEETING = [
  ...['lost', 'failed', 'late', 'swallowed', 'overdue', 'crash', 'arrive', 'wait'],
  ...['allowed', 'refused', 'repeated', 'confirmed', 'confirmed late', 'rolledBack'],
  ...['recorded', 'recorded again', 'ORDER_REUSED'],
  ...['UNDECIDED', 'NOT_FOUND', 'ALREADY_ROLLED_BACK', 'ALREADY_CONFIRMED'],
  ...['frozen', 'TOO_MANY_OPEN_HOLDS', 'would be allowed', 'terms changed', 'delete'],
  ...['refunded', 'REFUND_TOO_LARGE', 'NOT_CONFIRMED', 'ORDER_AMBIGUOUS'],
  ...['recorded as failed', 'rolledBack again', 'challenged', 'allowed above a maximum'],
  ...['allowed in part'],
];

/** The first story that breaks an invariant, of so many from a seed on. */
async function firstFailure(
  kind: SceneKind,
  from: number,
  count: number,
  mistake?: Mistake,
  tally?: Tally,
): Promise<Failure | undefined> {
  for (let told = 0; told < count; told++) {
    const failure = await tellBySeed(from + told, kind, { mistake, tally });
    if (failure !== undefined) return failure;
    if ((told + 1) % REPORTED === 0)
      process.stdout.write(`${JSON.stringify(kind)}: ${told + 1} stories, no difference\n`);
  }
  return undefined;
}

/** Keeps a story, so that every run tells it from now on, and gives it in words. */
async function keptAndTold(failure: Failure): Promise<string> {
  const short = await shortened(failure);
  return `${await storyOf(short)}\nkept in ${await keep(short)}`;
}

describe('stories by chance', () => {
  const tally: Tally = new Map();

  it.each(KINDS)(
    'of $documents documents (one commit: $isOneCommit) end as their callers were told, whichever step comes next',
    async (kind) => {
      const failure = await firstFailure(kind, SEED, STORIES, undefined, tally);
      expect(failure && (await keptAndTold(failure))).toBeUndefined();
    },
  );

  it('meet everything often enough to be worth telling', () => {
    // A small share of the long extent, from any seed, may meet a rare one nowhere.
    const least = IS_LONG ? Math.floor(STORIES / 80) : STORIES / 80;
    const rare = WORTH_MEETING.filter((name) => (tally.get(name) ?? 0) < least);
    expect(rare, JSON.stringify(Object.fromEntries(tally))).toEqual([]);
  });
});

describe('a planted mistake is found', () => {
  const rows: readonly {
    readonly mistake: Mistake;
    /** The seed of the first story, which finds it as scenes are made today. Default: 1. */
    readonly from?: number;
    readonly within: number;
    readonly documents: SceneKind['documents'];
    readonly isOneCommit?: boolean;
    readonly changes?: SceneKind['changes'];
  }[] = [
    { mistake: READ_BEFORE_WRITTEN, from: 12, within: 100, documents: 1 },
    { mistake: FORGETS_WRITES, from: 8, within: 100, documents: 1 },
    { mistake: NOT_TO_THE_LETTER, from: 423, within: 100, documents: 1 },
    { mistake: TAKEN_OFF_AGAIN, from: 1_461, within: 100, documents: 1 },
    { mistake: FORGETS_A_KIND, from: 1, within: 100, documents: 1 },
    { mistake: FORGETS_NAMES, within: 100, documents: 2 },
    { mistake: TAKEN_BY_ID, from: 14, within: 100, documents: 2, changes: ['twins'] },
    { mistake: TERMS_FROM_BEFORE, from: 39, within: 100, documents: 1, changes: ['terms'] },
    { mistake: RULES_FROM_BEFORE, within: 100, documents: 1, changes: ['rules'] },
    { mistake: RETIRED_NOT_SETTLED, within: 100, documents: 2, changes: ['rules'] },
    { mistake: STEPS_COUNTED_BEFORE, from: 5, within: 100, documents: 1, changes: ['rolling'] },
    { mistake: TRIALS_REFUSE, from: 8, within: 100, documents: 1, changes: ['shadow'] },
    { mistake: DATED_TOO_SOON, within: 100, documents: 1, changes: ['deletion'] },
    { mistake: REFUNDED_TWICE, from: 5, within: 100, documents: 1, changes: ['audit'] },
    { mistake: NEWEST_NAMED, from: 7, within: 100, documents: 1, changes: ['audit'] },
    { mistake: EARLIER_REFUNDS_UNKNOWN, from: 5, within: 100, documents: 1, changes: ['audit'] },
    // Calls of one order that cannot be told apart get into each other's way in several documents alone.
    { mistake: SAME_NONCE, from: 5, within: 100, documents: 2 },
    { mistake: ONE_NONCE_A_CALL, from: 9, within: 100, documents: 2 },
    { mistake: NO_HOME_NAMED, within: 100, documents: 2 },
    { mistake: SETTLES_BY_ORDER, from: 187, within: 100, documents: 3 },
    { mistake: NO_SLACK, from: 419, within: 100, documents: 2 },
    { mistake: TIME_FROM_STEP_3, from: 311, within: 100, documents: 2, isOneCommit: true },
    { mistake: NO_LOOK_BEFORE_REFUSAL, from: 4, within: 100, documents: 3 },
    { mistake: GIVES_BACK_AFTER_LOST_HOLD, from: 5, within: 100, documents: 2 },
    { mistake: ASKS_AGAIN_FOR_SHARES, from: 2_930, within: 100, documents: 3 },
    { mistake: REFUSES_AFTER_LOST_HOLD, from: 5, within: 100, documents: 2 },
    { mistake: TAKES_BLINDLY, from: 137, within: 100, documents: 2 },
    { mistake: ADDS_AT_ANY_TIME, from: 879, within: 100, documents: 1 },
    { mistake: forgetting('kept'), from: 7, within: 100, documents: 2 },
    { mistake: DROPS_ANY, from: 7, within: 100, documents: 2, isOneCommit: true },
    { mistake: NO_STEP_4, from: 37, within: 100, documents: 2, changes: ['modes'] },
    { mistake: COMMITS_BLINDLY, from: 8, within: 100, documents: 2, changes: ['modes'] },
    { mistake: HOURS_TOO_LONG, from: 7, within: 100, documents: 1, changes: ['hours'] },
    { mistake: TELLING_REFUSES, from: 39, within: 100, documents: 1, changes: ['excesses'] },
    { mistake: TELLING_IS_SILENT, from: 39, within: 100, documents: 1, changes: ['excesses'] },
    { mistake: NO_PROOF_ASKED, from: 8, within: 100, documents: 1, changes: ['excesses'] },
    { mistake: NO_PROOF_HELPS, from: 8, within: 100, documents: 1, changes: ['excesses'] },
    { mistake: HELD_MAKES_ROOM, from: 13, within: 100, documents: 2, changes: ['levels'] },
    { mistake: NO_LEVEL_COMPARED, from: 16, within: 100, documents: 1, changes: ['levels'] },
    { mistake: RAISES_AS_WELL, from: 7, within: 100, documents: 2, changes: ['levels'] },
    { mistake: SPENT_VALUES_COUNT, from: 115, within: 100, documents: 1, changes: ['cards'] },
    { mistake: NO_VALUES_ASKED, from: 110, within: 100, documents: 1, changes: ['cards'] },
    { mistake: GOES_WITH_THE_FIRST, from: 18, within: 100, documents: 1, changes: ['cards'] },
    { mistake: EXPIRED_KEEPS_VALUE, within: 100, documents: 2, changes: ['cards'] },
    { mistake: EACH_TAKES_WHAT_FITS, from: 24, within: 100, documents: 2, changes: ['partial'] },
    { mistake: HOME_AGREES_ALONE, from: 37, within: 100, documents: 2, changes: ['partial'] },
    { mistake: GIVEN_BACK_FAILS, from: 8, within: 100, documents: 2, changes: ['failures'] },
    { mistake: NO_CODE_BESIDE, from: 5, within: 100, documents: 2, changes: ['failures'] },
    { mistake: LATE_COUNTS_TWICE, from: 61, within: 100, documents: 1, changes: ['failures'] },
    { mistake: LATE_COUNTS_ANYWHERE, from: 10, within: 100, documents: 1, changes: ['failures'] },
    { mistake: CAPTURE_TAKES_A_PLACE, from: 2, within: 100, documents: 1, changes: ['failures'] },
    { mistake: CAPTURE_ASKS_NO_PLACE, from: 240, within: 100, documents: 1, changes: ['failures'] },
    { mistake: KEPT_ONCE_COUNTED, from: 62, within: 100, documents: 2, changes: ['failures'] },
    { mistake: EXPIRY_FREES, within: 100, documents: 1, changes: ['expiries'] },
    { mistake: LATE_STAYS_EXPIRED, within: 100, documents: 2, changes: ['expiries'] },
    { mistake: ASKS_WHAT_IS_HELD, within: 100, documents: 1, changes: ['expiries'] },
  ];

  it.each(rows)(
    'within $within stories: $mistake.name',
    async ({ mistake, from = 1, within, documents, isOneCommit = false, changes }) => {
      const kind = { documents, isOneCommit, ...(changes && { changes }) };
      const failure = await firstFailure(kind, from, within, mistake);
      expect(failure).toBeDefined();
      if (failure === undefined || !IS_LONG) return;
      // And told in so few moves that a reader can follow.
      const { moves } = await shortened(failure, mistake);
      expect(moves.length).toBeLessThan(failure.moves.length + 1);
      expect(moves.length).toBeLessThan(20);
    },
  );
});
