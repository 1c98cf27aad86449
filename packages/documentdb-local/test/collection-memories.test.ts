import { EventEmitter, once } from 'node:events';
import type { ClientBase } from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { CollectionMemories } from '../src/collection-memories.ts';

/** Connections that only note who was made to forget. */
describe('a connection that may have missed that a collection was dropped', () => {
  let memories: CollectionMemories;
  let forgot: string[];
  const connection = (name: string) =>
    ({
      query: (text: string) => {
        if (text.includes('invalidate_collection_cache')) forgot.push(name);
        return Promise.resolve();
      },
    }) as unknown as ClientBase; // nothing else of it is used

  beforeEach(() => {
    memories = new CollectionMemories();
    forgot = [];
  });

  /** Something that goes on until its end is asked for. */
  function lasting() {
    const [ended, end] = [new EventEmitter(), 'end'];
    const over = once(ended, end);
    return { run: () => over, end: () => ended.emit(end) };
  }

  it('is one that was at work when the drop began: it forgets once', async () => {
    const [busy, drop] = [lasting(), lasting()];
    const one = connection('one');
    const working = memories.during(one, busy.run);
    const dropping = memories.change(drop.run);
    busy.end();
    await working;
    drop.end();
    await dropping;
    await memories.refresh(one);
    await memories.refresh(one);
    expect(forgot).toEqual(['one']);
  });

  it('is one that came to work while the drop lasted, whether the drop went well or not', async () => {
    const drop = lasting();
    const one = connection('one');
    const dropping = memories.change(() => drop.run().then(() => Promise.reject(new Error('no'))));
    await memories.during(one, () => Promise.resolve());
    drop.end();
    await expect(dropping).rejects.toThrow('no');
    await memories.refresh(one);
    expect(forgot).toEqual(['one']);
  });

  it('is one that does not find what it has just made', async () => {
    const one = connection('one');
    const missed = () => Promise.reject(new Error('Unable to create the specified collection'));
    await expect(memories.during(one, missed)).rejects.toThrow('Unable');
    const broken = connection('another');
    await expect(
      memories.during(broken, () => Promise.reject(new Error('duplicate key'))),
    ).rejects.toThrow('duplicate');
    for (const each of [one, broken]) await memories.refresh(each);
    expect(forgot).toEqual(['one']);
  });

  it('is none that was idle: it hears of the drop by itself', async () => {
    const one = connection('one');
    await memories.during(one, () => Promise.resolve());
    await memories.change(() => Promise.resolve());
    await memories.during(one, () => Promise.resolve());
    await memories.refresh(one);
    expect(forgot).toEqual([]);
  });
});
