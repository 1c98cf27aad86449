import type { InForce } from '../../lib/backtest/history.ts';
import type { DecidedBy } from '../../lib/backtest/planned.ts';

/** From an instant on orders were decided by the defaults, but for what is given, and rows kept all attributes. */
export function settingsFrom(at: Date, given: Partial<DecidedBy> = {}): InForce['settings'] {
  const by: DecidedBy = {
    homeKinds: ['user'],
    askedKinds: [],
    needsRule: 'any',
    openHoldsMax: 100,
    openSharesMax: 2_000,
    ...given,
  };
  return [{ at, attributes: 'all', by }];
}
