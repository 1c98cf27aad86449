import type { Document } from 'mongodb';
import { Long } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { differenceOf, isEffective, writtenBy } from './mongod-writes.ts';
import { measureWritten, RETRY_WRITES } from './written.ts';
import { makeIndexes, useDatabase } from '../support/database.ts';

const three = Long.fromNumber(3);

describe('what a mongod logs of an update', () => {
  // prettier-ignore
  it.each([
    { update: { $inc: { 'b.x.a': 3 } },                       before: { b: { x: { a: 1, n: 1 } } }, after: { b: { x: { a: 4, n: 1 } } }, diff: { sb: { sx: { u: { a: 4 } } } },  why: 'a field that is there has its new value' },
    { update: { $inc: { 'b.y.a': 3, 'b.y.n': 1 } },           before: { b: { x: 1 } },              after: { b: { x: 1, y: { a: 3, n: 1 } } }, diff: { sb: { i: { y: { a: 3, n: 1 } } } }, why: 'what is new is there whole, from where it begins' },
    { update: { $max: { seen: 1 } },                          before: { seen: 2 },                  after: { seen: 2 },                  diff: {},                                why: 'what stays the same is not logged' },
    { update: { $unset: { 'h.k': true } },                    before: { h: { k: 1, l: 2 } },        after: { h: { l: 2 } },              diff: { sh: { d: { k: false } } },       why: 'a field that goes is its name alone' },
    { update: { $pull: { holds: 1 } },                        before: { holds: [1, 2, 3] },         after: { holds: [2, 3] },            diff: { u: { holds: [2, 3] } },          why: 'of a list the rest is logged' },
    { update: { $push: { holds: 3 } },                        before: { holds: [1, 2] },            after: { holds: [1, 2, 3] },         diff: { sholds: { a: true, u2: 3 } },    why: 'an item at the end is logged alone' },
    { update: { $push: { holds: { $each: [2, 3] } } },        before: { holds: [1] },               after: { holds: [1, 2, 3] },         diff: { sholds: { a: true, u1: 2, u2: 3 } }, why: 'and so are several' },
    { update: { $push: { holds: 3 } },                        before: { holds: [] },                after: { holds: [3] },               diff: { u: { holds: [3] } },             why: 'an empty list is logged whole' },
    { update: { $push: { holds: 3 } },                        before: {},                           after: { holds: [3] },               diff: { i: { holds: [3] } },             why: 'and so is a new one' },
    { update: { $push: { s: { $each: [3], $slice: -2 } } },   before: { s: [1, 2] },                after: { s: [2, 3] },                diff: { u: { s: [2, 3] } },              why: 'a list that is cut is logged whole' },
    { update: { $push: { s: { $each: [3], $slice: -3 } } },   before: { s: [1, 2] },                after: { s: [1, 2, 3] },             diff: { ss: { a: true, u2: 3 } },        why: 'one that is not cut yet is not' },
  ])('$update: $why', ({ update, before, after, diff }) => {
    expect(differenceOf({ update, before, after, isNumbered: true })).toEqual(diff);
  });

  it('is nothing where nothing changed', () => {
    const document = { seen: three };
    const write = { update: {}, before: document, after: { seen: Long.fromNumber(3) } };
    expect(isEffective({ ...write, isNumbered: false })).toBe(false);
  });
});

describe('the other bytes of a write', () => {
  const document = (length: number, seen: number): Document => ({
    _id: 'u',
    text: 'x'.repeat(length),
    seen,
  });
  const write = (length: number) => {
    const update = { $max: { seen: 2 } };
    return { update, before: document(length, 1), after: document(length, 2) };
  };

  it.each([
    { length: 500, change: 'whole', why: 'a document below 1 kB is stored again' },
    { length: 5_000, change: 'part', why: 'of a larger one the change is enough' },
  ])('of $length bytes the $change is stored, because $why', ({ length, change }) => {
    const bytes = writtenBy({ ...write(length), isNumbered: false });
    if (change === 'whole') expect(bytes.change).toBeGreaterThan(length);
    else expect(bytes.change).toBeLessThan(20);
  });

  it('have the document once more where a repeat would be answered with it', () => {
    const numbered = writtenBy({ ...write(5_000), isNumbered: true, image: 'after' });
    const plain = writtenBy({ ...write(5_000), isNumbered: false });
    expect(numbered.image).toBeGreaterThan(5_000);
    expect(plain.image).toBe(0);
    expect(numbered.entry).toBeGreaterThan(plain.entry);
  });
});

/** What each further open hold may add to the log entry of a call, in bytes: a number of them has more digits. */
const GROWTH_BYTES_MAX = 1;

/** What docs/capacity.md says of the log entry of a check or a confirm, in bytes. */
const [ENTRY_BYTES_MIN, ENTRY_BYTES_MAX] = [400, 740];

describe('on a mongod', () => {
  const database = useDatabase({ monitorCommands: true, retryWrites: RETRY_WRITES });
  const [few, many] = [1, 64] as const;
  let rows: Awaited<ReturnType<typeof measureWritten>>;
  beforeAll(async () => {
    await makeIndexes(database.db);
    rows = await measureWritten(database.db, [few, many]);
  });

  it('a check or a confirm adds to the log what the page about capacity says', () => {
    const paying = rows.filter(({ call }) => call === 'check' || call === 'confirm');
    expect(paying).toHaveLength(8);
    expect(
      paying.filter(({ entry }) => entry < ENTRY_BYTES_MIN || entry > ENTRY_BYTES_MAX),
    ).toEqual([]);
  });

  it('no log entry grows with the holds that stay', () => {
    expect(rows).toHaveLength(16);
    for (const { call, place, entry } of rows.filter(({ open }) => open === many)) {
      const alone = rows.find(
        (row) => row.call === call && row.place === place && row.open === few,
      );
      const growth = (entry - (alone?.entry ?? 0)) / (many - few);
      expect({ call, place, growth }).toEqual({
        call,
        place,
        growth: expect.any(Number) as unknown,
      });
      expect(growth).toBeLessThanOrEqual(GROWTH_BYTES_MAX);
    }
  });
});
