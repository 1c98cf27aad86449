import { describe, expect, it } from 'vitest';
import type { Place } from '../src/ui/places.ts';
import { placesOf } from '../src/ui/places.ts';

const RULES = [
  { id: 'user-day', per: ['user'], title: { en: 'Daily limit', zh: '单日累计限额' } },
  { id: 'user-day-trial', per: ['user', 'wallet'] },
];

const written = ({ to, search }: Place): string => `${to} ${Object.values(search).join(' ')}`;

describe('what somebody looks up', () => {
  // prettier-ignore
  it.each([
    { asked: 'u-1', places: ['/payment u-1', '/subject user u-1', '/subject wallet u-1'], why: 'it may be an order or any subject' },
    { asked: 'user:u-1', places: ['/subject user u-1', '/payment user:u-1'], why: 'a kind stands before it' },
    { asked: 'wallet  王小明', places: ['/subject wallet 王小明', '/payment wallet  王小明'], why: 'a space does, too' },
    { asked: 'order:7', places: ['/payment order:7', '/subject user order:7', '/subject wallet order:7'], why: 'no rule knows the kind' },
    { asked: 'user-day', places: ['/rules user-day', '/payment user-day', '/subject user user-day', '/subject wallet user-day', '/rules user-day-trial'], why: 'a rule has this very name' },
    { asked: '累计', places: ['/payment 累计', '/subject user 累计', '/subject wallet 累计', '/rules user-day'], why: 'a title has it' },
  ])('by $asked is $places, because $why', ({ asked, places }) => {
    expect(placesOf(asked, RULES).map(written)).toEqual(places);
  });

  it('is looked for among common kinds where no rule can be read', () => {
    expect(placesOf('card:c-1', []).map(written)).toEqual([
      '/subject card c-1',
      '/payment card:c-1',
    ]);
  });
});
