import { describe, expect, it } from 'vitest';
import { tellMoves } from './explore.ts';
import { keptStories } from './kept-stories.ts';
import { mistakeNamed } from './planted.ts';

const STORIES = await keptStories();

describe('a story that once broke something', () => {
  it.each(STORIES)('ends as its callers were told: %s', async (_, { scene, moves }) => {
    expect(await tellMoves(scene, moves)).toBeUndefined();
  });

  const planted = STORIES.filter(([, { mistake }]) => mistake !== null);

  it.each(planted)('breaks it again where the mistake is planted again: %s', async (_, story) => {
    const mistake = mistakeNamed(story.mistake ?? '');
    const broken = await tellMoves(story.scene, story.moves, mistake);
    expect(broken?.invariant).toBe(story.broke);
  });

  it('is kept for some planted mistakes, so that the telling itself is known to work', () => {
    expect(planted.length).toBeGreaterThan(9);
  });
});
