/** Stories that once broke something, as JSON: each is told again by every run. */
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as changing from './changing-mistakes.ts';
import * as excesses from './excess-mistakes.ts';
import * as expiries from './expiry-mistakes.ts';
import type { Failure } from './explore.ts';
import * as failures from './failure-mistakes.ts';
import * as levels from './level-mistakes.ts';
import type { Mistake } from './mistakes.ts';
import * as mistakes from './mistakes.ts';
import * as partial from './partial-mistakes.ts';
import * as protocol from './protocol-mistakes.ts';
import * as values from './value-mistakes.ts';

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

const ALL: readonly unknown[] = [
  ...[mistakes, changing, protocol, excesses, failures, expiries, levels, values, partial],
].flatMap((file): unknown[] => Object.values(file));

/** @throws TypeError where there is no such mistake any more */
export function mistakeNamed(name: string): Mistake {
  const found = ALL.find(
    (one): one is Mistake =>
      typeof one === 'object' && one !== null && 'name' in one && one.name === name,
  );
  if (found === undefined) throw new TypeError(`no planted mistake is called "${name}"`);
  return found;
}
