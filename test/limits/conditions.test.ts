import { expect, it } from 'vitest';
import { isUnknown, notSeenFrom } from '../../lib/document/conditions.ts';

const NOW = new Date('2026-03-02T06:00:00.000Z');
const LAST = new Date('2026-03-02T06:00:02.000Z');
const AHEAD = new Date('2026-03-02T06:00:30.000Z');

// prettier-ignore
it.each([
  { seen: undefined, from: LAST, why: 'it was not read' },
  { seen: new Date('2026-03-02T05:59:59.000Z'), from: LAST, why: 'its clock goes on' },
  { seen: NOW, from: LAST, why: 'its clock is the same' },
  { seen: AHEAD, from: new Date('2026-03-02T06:00:30.001Z'), why: 'its clock was set back: it stays where it was' },
])('a document that has seen $seen may have seen nothing from $from on, because $why', ({ seen, from }) => {
  expect(notSeenFrom(seen, NOW, LAST)).toEqual(from);
});

it.each([
  { ids: ['o-1'], among: 'o-1' },
  { ids: ['o-1', 'o-2'], among: { $in: ['o-1', 'o-2'] } },
])('an expired hold of $ids keeps nobody out who read it', ({ ids, among }) => {
  const others = { $elemMatch: { id: among, nonce: { $nin: ['n-1'] } } };
  expect(isUnknown(ids, ['n-1'])).toMatchObject({ expired: { $not: others } });
});
