/** Stories by chance of orders whose user and merchant have a document together, beside their own. */
import { describe, expect, it } from 'vitest';
import { SEED, times } from '../support/extent.ts';
import { firstFailure } from './explore.ts';
import { keptAndTold } from './kept-stories.ts';

const STORIES = times('pairStories');

describe.each([
  { documents: 2, isOneCommit: false },
  { documents: 2, isOneCommit: true },
  { documents: 3, isOneCommit: false },
] as const)('of $documents subjects (one commit: $isOneCommit)', (kind) => {
  it('end as their callers were told, whichever step comes next', async () => {
    const failure = await firstFailure({ ...kind, changes: ['pairs'] }, SEED, STORIES);
    expect(failure && (await keptAndTold(failure))).toBeUndefined();
  });
});
