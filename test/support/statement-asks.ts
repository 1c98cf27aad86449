import { SHARE_BEYOND_MS } from '../../lib/shared/bounds.ts';
import type {
  Ask,
  AskedOrder,
  HomeSettleAsk,
  ShareSettleAsk,
} from '../../lib/document/counter-store.ts';
import type { Counter } from '../../lib/counter/kind.ts';
import { plain } from '../../lib/counter/plain.ts';
import { steps } from '../../lib/counter/steps.ts';
import { values } from '../../lib/counter/values.ts';
import { fixedBucket } from '../../lib/counter/bucket.ts';

/** Requests to documents, by hand and with names that can be read, for tests of statements. */

/** Two in the afternoon of 2 March in Shanghai, whose day it is. */
export const ESTIMATE = new Date('2026-03-02T06:00:00.000Z');
const DAY = {
  start: new Date('2026-03-01T16:00:00.000Z'),
  until: new Date('2026-03-02T16:00:00.000Z'),
};
/** Held for 15 minutes. */
export const UNTIL = new Date('2026-03-02T06:15:00.000Z');

/** At most 1,000.00 and 10 payments a day. */
export const DAY_COUNTER: Counter = {
  key: 'day-amount',
  kind: plain,
  bucket: fixedBucket('day-amount', DAY.start, DAY.until),
  sumsAmounts: true,
  maxAmountMinor: 100_000,
  maxCount: 10,
  shadow: false,
  isByOutcome: false,
  isOfPair: false,
};

/** At most 3 payments a day, whatever their currency. */
export const COUNT_COUNTER: Counter = {
  ...DAY_COUNTER,
  key: 'day-counts~n',
  bucket: fixedBucket('day-counts~n', DAY.start, DAY.until),
  sumsAmounts: false,
  maxCount: 3,
};

/** At most 3 different cards a day. */
export const CARDS_COUNTER: Counter = {
  ...COUNT_COUNTER,
  key: 'cards-a-da~n~c~~card-d',
  bucket: fixedBucket('cards-a-da~n~c~~card-d', DAY.start, DAY.until),
  kind: values,
  maxCount: 3,
};
export const CARDS_NAME = `${CARDS_COUNTER.key} 0hl62o`;

/** At most 500.00 in any hour, in steps of ten minutes. */
export const ROLLING_COUNTER: Counter = {
  key: 'hour-steps',
  kind: steps,
  bucket: { kind: 'stepped', stepMs: 600_000, keepMs: 4_200_000 },
  sumsAmounts: true,
  maxAmountMinor: 50_000,
  maxCount: 100,
  shadow: false,
  isByOutcome: false,
  isOfPair: false,
};

/** A payment of 12.34. */
export const ORDER: AskedOrder = {
  id: 'shop:o-1',
  nonce: 'nonce-1',
  digest: 'digest-of-asked1',
  amountMinor: 1_234,
  count: 1,
  holdMs: 900_000,
  capture: false,
  openMax: 100,
  barred: false,
};
/** Two payments, of 5.00 together. */
export const SECOND: AskedOrder = {
  ...ORDER,
  id: 'shop:o-2',
  nonce: 'nonce-2',
  digest: 'digest-of-asked2',
  amountMinor: 500,
  count: 2,
};

export const HOME = 'user:u-1';
export const BESIDE = 'merchant:m-1';

export function holdAsk(
  orders: readonly AskedOrder[],
  counters: readonly Counter[] = [DAY_COUNTER],
): Ask {
  const isShare = orders.some(({ home }) => home !== undefined);
  return {
    document: isShare ? BESIDE : HOME,
    place: isShare ? 'beside' : 'home',
    orders,
    plans: [{ from: DAY.start, until: DAY.until, counters }],
    estimate: ESTIMATE,
  };
}

export const DAY_NAME = 'day-amount 0hl62o';
const RESERVED = {
  nonce: ORDER.nonce,
  digest: ORDER.digest,
  amount: 1_234,
  count: 1,
  until: UNTIL,
  text: DAY_NAME,
  leftOut: [],
};

/** A settlement at home, as its reservation tells it. */
export function homeAsk(ask: Partial<HomeSettleAsk> = {}): HomeSettleAsk {
  return { id: ORDER.id, to: 'confirmed', reserved: RESERVED, ...ask };
}

/** A settlement of a share beside home, two seconds longer held. */
export function shareAsk(ask: Partial<ShareSettleAsk> = {}): ShareSettleAsk {
  const reserved = { ...RESERVED, until: new Date(UNTIL.getTime() + SHARE_BEYOND_MS), home: HOME };
  return { id: ORDER.id, nonce: ORDER.nonce, to: 'confirmed', reserved, ...ask };
}

/** An order with a share beside home: at home, and there. */
export const AT_HOME: AskedOrder = { ...ORDER, until: UNTIL, others: [BESIDE] };
export const BESIDE_HOME: AskedOrder = {
  ...ORDER,
  until: new Date(UNTIL.getTime() + SHARE_BEYOND_MS),
  home: HOME,
};
