/** Rules of what counts attempts that nobody ended, each left out once. */
import type { Update } from '../../lib/document/update.ts';
import type { Mistake } from './planting.ts';
import { incrementing, sending } from './planting.ts';
import { KEYS } from './stored.ts';

/** The sums of counters of what expired, by path. */
const isOfExpired = (path: string): boolean =>
  path.startsWith('b.') && KEYS.ofExpired.test(path.slice('b.'.length));

function adding(
  update: Update,
  other: (path: string, by: bigint) => readonly (readonly [string, bigint])[],
): Update {
  return incrementing(update, (path, by) => (isOfExpired(path) ? other(path, by) : [[path, by]]));
}

const isTidy = ({ update }: Update): boolean => '$unset' in update && !('$set' in update);

export const EXPIRY_FREES: Mistake = {
  name: 'an attempt that expires frees its place among those that expired',
  found: { documents: 1, changes: ['expiries'] },
  statements: sending((update) =>
    isTidy(update)
      ? adding(update, (path, by) =>
          /\.u[an]$/.test(path) ? [[path.replace(/u([an])$/, '$1'), -by]] : [[path, by]],
        )
      : update,
  ),
};

export const LATE_STAYS_EXPIRED: Mistake = {
  name: 'an attempt that ends late stays among those that expired',
  found: { documents: 2, changes: ['expiries'] },
  statements: sending((update) =>
    '$pull' in update.update ? adding(update, (path, by) => (by < 0n ? [] : [[path, by]])) : update,
  ),
};

export const ASKS_WHAT_IS_HELD: Mistake = {
  name: 'a check asks for no place among those that expired',
  found: { documents: 1, changes: ['expiries'] },
  statements: sending((update) => {
    const filter = Object.entries(update.filter).filter(([path]) => !isOfExpired(path));
    return { ...update, filter: Object.fromEntries(filter) };
  }),
};
