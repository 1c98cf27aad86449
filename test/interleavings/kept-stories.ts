/** Stories that once broke something, as JSON: each is told again by every run. */
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Failure } from './explore.ts';
import { shortened, storyOf } from './explore.ts';
import type { Mistake } from './planting.ts';

const FOLDER = join(import.meta.dirname, 'kept');

/** A story as it is kept. */
export type KeptStory = Pick<Failure, 'scene' | 'moves'> & {
  /** What it broke. */
  readonly broke: string;
  /** The planted mistake that it finds; null of one that found a defect, which was mended. */
  readonly mistake: string | null;
};

/** Keeps a story; the file's name is what it broke, or the mistake that it finds. */
export async function keep({ scene, moves, broken }: Failure, mistake?: Mistake): Promise<string> {
  const story: KeptStory = {
    broke: broken.invariant,
    mistake: mistake?.name ?? null,
    scene,
    moves,
  };
  const named = (mistake?.name ?? broken.invariant).replaceAll(/[^a-z0-9]+/gi, '-').toLowerCase();
  const file = join(FOLDER, `${named}.json`);
  await mkdir(FOLDER, { recursive: true });
  await writeFile(file, `${JSON.stringify(story, undefined, 2)}\n`);
  return file;
}

/** All that are kept, by the name of their file. */
export async function keptStories(): Promise<readonly (readonly [string, KeptStory])[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(FOLDER, name), 'utf8');
      return [name, JSON.parse(text) as KeptStory] as const; // as `keep` wrote it
    }),
  );
}

/** Keeps a story in few moves, so that every run tells it from now on, and gives it in words. */
export async function keptAndTold(failure: Failure): Promise<string> {
  const short = await shortened(failure);
  return `${await storyOf(short)}\nkept in ${await keep(short)}: format and commit it, and every run tells it`;
}
