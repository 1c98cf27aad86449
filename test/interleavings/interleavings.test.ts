/**
 * Stories by chance, of which every step of every call is put in an order by a scheduler: steps get
 * lost, late, or their callers die, and time passes in between.
 */
import { describe, expect, it } from 'vitest';
import { IS_LONG, SEED, times } from '../support/extent.ts';
import { firstFailure, shortened } from './explore.ts';
import { keptAndTold } from './kept-stories.ts';
import { KINDS } from './kinds.ts';
import { PLANTED } from './planted.ts';
import type { Tally } from './tale.ts';

const STORIES = times('interleavings');

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

describe('stories by chance', () => {
  const tally: Tally = new Map();

  it.each(KINDS)(
    'of $documents documents (one commit: $isOneCommit) end as their callers were told, whichever step comes next',
    async (kind) => {
      const failure = await firstFailure(kind, SEED, STORIES, { tally });
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

/** Stories that are told from the seed that finds a mistake today: no more are needed if scenes are made otherwise. */
const STORIES_OF_A_MISTAKE = 100;

describe('a planted mistake is found', () => {
  const rows = PLANTED.flatMap((mistake) => (mistake.found ? [{ mistake, ...mistake.found }] : []));

  it.each(rows)(
    `within ${STORIES_OF_A_MISTAKE} stories: $mistake.name`,
    async ({ mistake, from = 1, documents, isOneCommit = false, changes = [] }) => {
      const kind = { documents, isOneCommit, changes };
      const failure = await firstFailure(kind, from, STORIES_OF_A_MISTAKE, { mistake });
      expect(failure).toBeDefined();
      if (failure === undefined || !IS_LONG) return;
      // And told in so few moves that a reader can follow.
      const { moves } = await shortened(failure, mistake);
      expect(moves.length).toBeLessThan(failure.moves.length + 1);
      expect(moves.length).toBeLessThan(20);
    },
  );
});
