import { addRefund, openLedger, giveBackUpdate } from '../../lib/audit/refunds/refund-documents.ts';
import { mendUpdate } from '../../lib/audit/reconcile/mend-documents.ts';
import { SHARE_BEYOND_MS } from '../../lib/shared/bounds.ts';
import { SERVER_NOW } from '../../lib/document/update.ts';
import type { StoredDocument, StoredHold } from '../../lib/document/stored.ts';
import type {
  CounterStore,
  Ask,
  HomeSettleAsk,
  ShareSettleAsk,
} from '../../lib/document/counter-store.ts';
import {
  AT_HOME,
  BESIDE,
  BESIDE_HOME,
  CARDS_COUNTER,
  CARDS_NAME,
  COUNT_COUNTER,
  DAY_COUNTER,
  DAY_NAME,
  ESTIMATE,
  HOME,
  ORDER,
  ROLLING_COUNTER,
  SECOND,
  UNTIL,
  holdAsk,
  homeAsk,
  shareAsk,
} from '../support/statement-asks.ts';
import type { Sent } from '../support/statements-sent.ts';
import { statementsOf } from '../support/statements-sent.ts';
import { heldIn } from '../support/held.ts';
import { level } from '../../lib/counter/level.ts';
import { steps } from '../../lib/counter/steps.ts';
import type { Counter } from '../../lib/counter/kind.ts';
import { fixedBucket } from '../../lib/counter/bucket.ts';

/** On trial: at most 50.00 a day, and 10.00 in any hour. */
const DAY_TRIAL: Counter = {
  ...DAY_COUNTER,
  key: 'day-trial',
  bucket: fixedBucket('day-trial', new Date(1_772_380_800_000), new Date(1_772_467_200_000)),
  maxAmountMinor: 5_000,
  shadow: true,
};
const ROLLING_TRIAL: Counter = {
  ...ROLLING_COUNTER,
  key: 'hour-trial',
  maxAmountMinor: 1_000,
  shadow: true,
};
const WINDOWS = [DAY_COUNTER, COUNT_COUNTER];
/** A sum that its rows do not explain. */
const DIFFERENCE = {
  kind: 'sum',
  bucket: { counter: DAY_COUNTER.key, until: new Date(1_772_467_200_000) },
} as const;
/** At most three payments in any hour, to the millisecond. */
const EXACT_COUNTER: Counter = {
  ...COUNT_COUNTER,
  key: 'last-three~n',
  kind: steps,
  bucket: { kind: 'stepped', stepMs: 1, keepMs: 3_600_000 },
};
/** A balance of at most 1,000.00: payouts of the day lower it. */
const LEVEL_COUNTER: Counter = {
  ...DAY_COUNTER,
  key: 'day-level~s',
  kind: level,
  bucket: fixedBucket('day-level~s', new Date(1_772_380_800_000), new Date(1_772_467_200_000)),
};
const SHADOW_COUNTER: Counter = { ...COUNT_COUNTER, shadow: true };

const TEN_MINUTES_ON = new Date('2026-03-02T06:10:00.000Z');
const UNREAD_UNTIL = new Date(UNTIL.getTime() + SHARE_BEYOND_MS);
const TEN_MINUTES_AGO = new Date('2026-03-02T05:50:00.000Z');
const HOLD: StoredHold = {
  ...{ id: ORDER.id, nonce: ORDER.nonce, digest: ORDER.digest, a: 1_234n },
  ...{ until: UNTIL, b: DAY_NAME },
};
const SHARE = { ...HOLD, until: new Date(UNTIL.getTime() + SHARE_BEYOND_MS), home: HOME };
/** Its time is over. */
const LAPSED = { ...HOLD, nonce: 'nonce-0', until: TEN_MINUTES_AGO };
const USED = { a: 5_000n, n: 3n, ua: 3_766n, un: 2n };
/** A payment with a card: the order, its hold, and its reservation. */
const CARD = { 'card-d': 'first-card' };
const CARD_ORDER = { ...ORDER, values: CARD };
const CARD_LAPSED = { ...LAPSED, b: CARDS_NAME, v: CARD };
/** Eight cards have no order any more, and another one has that whose time is over. */
const SPENT = Array.from({ length: 8 }, (_, index) => [`spent-c-0${index}`, 0n] as const);
const CARDS_USED = {
  ...{ n: 3n, un: 2n, ud: { 'other-card': 2n } },
  d: { ...Object.fromEntries(SPENT), 'first-card': 1n, 'other-card': 2n },
};
/** A document as it is read: a payment of 12.34 is held, and two of 37.66 are used. */
const READ: StoredDocument = {
  ...{ now: ESTIMATE, seen: TEN_MINUTES_AGO, b: { [DAY_NAME]: USED } },
  remembered: 2,
};

/** Sends a call, and takes the statement of one kind that comes at a place among those. */
async function sentBy(
  call: (counters: CounterStore) => Promise<unknown>,
  documents: readonly StoredDocument[] = [],
  kind: Sent['kind'] = 'update',
  place = 0,
): Promise<Sent> {
  const sent = (await statementsOf(call, documents)).filter((one) => one.kind === kind);
  const found = sent[place];
  if (found === undefined) throw new Error(`only ${sent.length} of ${kind} were sent`);
  return found;
}

const hold =
  (ask: Ask, document = HOME) =>
  (counters: CounterStore) =>
    counters.hold({ ...ask, document });
const settle =
  (...asks: readonly HomeSettleAsk[]) =>
  (counters: CounterStore) =>
    counters.settle(HOME, asks, ESTIMATE);
const FREEZE = {
  at: ESTIMATE,
  by: { kind: 'local', id: 'local' },
  reason: 'a lost card',
  until: new Date('2026-04-02T06:00:00.000Z'),
} as const;

const getsFirstTerms = (counters: CounterStore) =>
  counters.changeTerms(
    HOME,
    {
      expected: undefined,
      terms: {
        version: 'version-1',
        overrides: [
          {
            id: 'version-1',
            rule: 'user-day',
            max: { amountMinor: 5_000, count: null },
            at: ESTIMATE,
            by: FREEZE.by,
            reason: 'a known customer',
          },
        ],
      },
    },
    ESTIMATE,
  );
const settleShare = (ask: ShareSettleAsk) => (counters: CounterStore) =>
  counters.settleShares(BESIDE, [ask], ESTIMATE);
const asRead = (ask: Ask): Ask => ({ ...ask, readsFirst: true });

/** An update that goes to the database by another way than the counters' store. */
const asUpdate = (parts: object | undefined): Promise<Sent> =>
  Promise.resolve({ kind: 'update', parts: { ...parts } });

/** A settlement whose reservation says more than others do. */
const reservedWith = (more: Partial<HomeSettleAsk['reserved']>): HomeSettleAsk => {
  const ask = homeAsk();
  const { reserved } = ask;
  return reserved === undefined ? ask : { ...ask, reserved: { ...reserved, ...more } };
};
const SECOND_RESERVED: HomeSettleAsk = {
  ...{ id: SECOND.id, to: 'rolledBack' },
  reserved: {
    ...{ nonce: SECOND.nonce, digest: SECOND.digest, amount: 500, count: 2 },
    ...{ until: new Date('2026-03-02T06:10:00.000Z'), text: DAY_NAME, leftOut: [] },
  },
};

/** A bucket of attempts that nobody ended. */
const GONE_NAME = 'gone-count~acn~x 0hl62o';

/** As many buckets as call for a count before one is added. */
function crowd(size: number): NonNullable<StoredDocument['b']> {
  const one = { n: 1n, un: 1n };
  const names = Array.from({ length: size }, (_, index) => `many-of-${index}~n 0hl62o`);
  return { [DAY_NAME]: USED, ...Object.fromEntries(names.map((name) => [name, one])) };
}

/** Statements by the names of their files in `statements/`, which say what each proves. */
export const STATEMENTS: Readonly<Record<string, () => Promise<Sent>>> = {
  check: () => sentBy(hold(holdAsk([ORDER], WINDOWS))),
  'check-many': () => sentBy(hold(holdAsk([ORDER, SECOND]))),
  'check-capture': () => sentBy(hold(holdAsk([{ ...ORDER, capture: true }]))),
  'check-capture-remembered': () =>
    sentBy(hold({ ...holdAsk([{ ...ORDER, capture: true }]), rememberedBefore: 0 })),
  'check-rolling': () => sentBy(hold(holdAsk([ORDER], [ROLLING_COUNTER]))),
  'check-beside-home': () => sentBy(hold(holdAsk([BESIDE_HOME]), BESIDE)),
  'check-beside-home-of-app': () =>
    sentBy(hold(holdAsk([{ ...BESIDE_HOME, openMaxOfApp: 25 }]), BESIDE)),
  'check-at-home': () => sentBy(hold({ ...holdAsk([AT_HOME]), rememberedBefore: 7 })),
  'check-at-home-unread': () => sentBy(hold({ ...holdAsk([AT_HOME]), unreadUntil: UNREAD_UNTIL })),
  'check-at-home-dropped': () =>
    sentBy(hold(asRead(holdAsk([{ ...AT_HOME, droppedUntil: TEN_MINUTES_ON }]))), [READ]),
  'check-as-read': () =>
    sentBy(hold(asRead(holdAsk([ORDER]))), [{ ...READ, expired: [{ ...LAPSED }] }]),
  'check-left-out': () =>
    sentBy(hold(asRead(holdAsk([ORDER], [DAY_COUNTER, SHADOW_COUNTER]))), [
      {
        ...READ,
        b: {
          [DAY_NAME]: USED,
          [`${SHADOW_COUNTER.key} 0hl62o`]: { n: 3n, un: 3n },
        },
      },
    ]),
  'check-left-out-empty': () =>
    sentBy(hold(asRead(holdAsk([ORDER], [DAY_COUNTER, { ...SHADOW_COUNTER, maxCount: 0 }]))), [
      READ,
    ]),
  'check-left-out-rolling': () =>
    sentBy(hold(asRead(holdAsk([ORDER], [DAY_COUNTER, ROLLING_TRIAL]))), [READ]),
  'check-many-left-out': () =>
    sentBy(hold(asRead(holdAsk([ORDER, SECOND], [DAY_COUNTER, DAY_TRIAL]))), [
      { ...READ, b: { [`${DAY_TRIAL.key} 0hl62o`]: { a: 3_500n, n: 2n, ua: 1_000n, un: 1n } } },
    ]),
  'check-crowded': () => sentBy(hold(asRead(holdAsk([ORDER]))), [{ ...READ, b: crowd(999) }]),
  'check-exact': () => sentBy(hold(holdAsk([ORDER], [EXACT_COUNTER])), [READ]),
  'check-distinct': () => sentBy(hold(holdAsk([CARD_ORDER], [CARDS_COUNTER]))),
  'check-distinct-left-out': () =>
    sentBy(hold(asRead(holdAsk([CARD_ORDER], [{ ...CARDS_COUNTER, shadow: true, maxCount: 1 }]))), [
      { ...READ, b: { [CARDS_NAME]: { n: 2n, un: 2n, d: { 'other-card': 2n } } } },
    ]),
  'check-level': () => sentBy(hold(holdAsk([ORDER], [LEVEL_COUNTER]))),
  make: () => sentBy(hold({ ...holdAsk([ORDER]), isNew: true }), [], 'make'),
  'make-empty': () =>
    sentBy(hold({ ...holdAsk([{ ...ORDER, barred: true }]), isNew: true }), [], 'make'),

  // Settlements.
  confirm: () => sentBy(settle(homeAsk())),
  'confirm-smaller': () => sentBy(settle(homeAsk({ amountMinor: 1_000 }))),
  'confirm-larger': () =>
    sentBy(settle(homeAsk({ amountMinor: 2_000 })), [{ ...READ, ...heldIn([HOLD]) }]),
  'confirm-left-out': () => sentBy(settle(reservedWith({ leftOut: ['trial-rule~n'] }))),
  'confirm-as-read': () =>
    sentBy(settle({ id: ORDER.id, to: 'confirmed' }), [{ ...READ, ...heldIn([HOLD]) }]),
  'confirm-at-home': () => sentBy(settle(reservedWith({ others: [BESIDE] }))),
  'confirm-beside-home': () => sentBy(settleShare(shareAsk())),
  'confirm-late': () =>
    sentBy(settle({ id: ORDER.id, to: 'confirmed' }), [{ ...READ, expired: [LAPSED] }]),
  'confirm-late-expired': () =>
    sentBy(settle({ id: ORDER.id, to: 'confirmed' }), [
      { ...READ, expired: [{ ...LAPSED, b: `${DAY_NAME},${GONE_NAME}` }] },
    ]),
  'confirm-late-distinct': () =>
    sentBy(settle({ id: ORDER.id, to: 'confirmed' }), [{ ...READ, expired: [CARD_LAPSED] }]),
  'confirm-kept': () =>
    sentBy(settleShare({ id: ORDER.id, nonce: ORDER.nonce, to: 'confirmed' }), [
      { ...READ, kept: [SHARE] },
    ]),
  'drop-share': () =>
    sentBy(settleShare({ id: ORDER.id, nonce: ORDER.nonce, to: 'dropped' }), [
      { ...READ, ...heldIn([SHARE]) },
    ]),
  rollback: () => sentBy(settle(homeAsk({ to: 'rolledBack' }))),
  'rollback-beside-home': () => sentBy(settleShare(shareAsk({ to: 'rolledBack' }))),
  'rollback-distinct': () =>
    sentBy(settle({ ...reservedWith({ text: CARDS_NAME, values: CARD }), to: 'rolledBack' })),
  'settle-many': () => sentBy(settle(homeAsk(), SECOND_RESERVED)),

  // What tidies a document.
  tidy: () => sentBy(hold(asRead(holdAsk([SECOND]))), [{ ...READ, ...heldIn([LAPSED]) }]),
  'tidy-expired': () =>
    sentBy(hold(asRead(holdAsk([SECOND]))), [
      { ...READ, ...heldIn([{ ...LAPSED, b: `${DAY_NAME},${GONE_NAME}` }]) },
    ]),
  'tidy-beside-home': () =>
    sentBy(hold(asRead(holdAsk([SECOND])), BESIDE), [
      { ...READ, ...heldIn([{ ...LAPSED, home: HOME }]) },
    ]),
  'tidy-buckets': () =>
    sentBy(hold(asRead(holdAsk([ORDER]))), [
      { ...READ, b: { 'day-amount 0hl4yo': USED, ...crowd(950) } },
    ]),
  'tidy-values': () =>
    sentBy(hold(asRead(holdAsk([SECOND]))), [
      { ...READ, ...heldIn([CARD_LAPSED]), b: { [CARDS_NAME]: CARDS_USED } },
    ]),
  'tidy-outcomes': () =>
    sentBy(hold(asRead(holdAsk([SECOND]))), [
      { ...READ, ...heldIn([LAPSED]), settledCount: 151, expiredCount: 151 },
    ]),

  // Looks, terms, refunds and what the reconciliation mends.
  look: () => sentBy((counters) => counters.read([HOME, BESIDE], [ORDER.id], ESTIMATE), [], 'find'),
  'change-terms': () =>
    sentBy((counters) =>
      counters.changeTerms(
        HOME,
        {
          expected: 'version-1',
          terms: { version: 'version-2', overrides: [], freeze: FREEZE },
        },
        ESTIMATE,
      ),
    ),
  'first-terms': () => sentBy(getsFirstTerms),
  'make-with-terms': () => sentBy(getsFirstTerms, [], 'update', 1),
  'take-terms-away': () =>
    sentBy((counters) =>
      counters.changeTerms(HOME, { expected: 'version-1', terms: undefined }, ESTIMATE),
    ),
  shorten: () =>
    sentBy(
      (counters) => counters.shorten(HOME, ESTIMATE),
      [{ ...READ, expireAt: new Date('2027-03-02T06:00:00.000Z') }],
    ),
  'open-ledger': () =>
    asUpdate(
      openLedger(
        {
          id: 'shop:o-1',
          amountMinor: 1_234,
          keepUntil: new Date('2027-04-06T06:00:00.000Z'),
        },
        SERVER_NOW,
      ),
    ),
  refund: () => asUpdate(addRefund('shop:o-1', { id: 'refund-1', amount: 500, at: ESTIMATE })),
  'give-back': () =>
    asUpdate(
      giveBackUpdate(
        {
          document: HOME,
          amountMinor: 500,
          count: 1,
          buckets: [{ counter: DAY_COUNTER.key, until: new Date(1_772_467_200_000) }],
        },
        READ,
        ESTIMATE,
      ),
    ),
  'give-back-distinct': () =>
    asUpdate(
      giveBackUpdate(
        {
          ...{ document: HOME, amountMinor: 500, count: 1, values: { 'card-d': 'other-card' } },
          buckets: [{ counter: CARDS_COUNTER.key, until: new Date(1_772_467_200_000) }],
        },
        { ...READ, b: { [CARDS_NAME]: CARDS_USED } },
        ESTIMATE,
      ),
    ),
  mend: () =>
    asUpdate(
      mendUpdate(HOME, { now: ESTIMATE }, [
        { ...DIFFERENCE, sum: 'usedAmount', stored: 0, expected: 1_234 },
        { ...DIFFERENCE, sum: 'usedCount', stored: 0, expected: 1 },
      ]),
    ),
  'mend-open': () =>
    asUpdate(
      mendUpdate(HOME, { now: ESTIMATE }, [
        { kind: 'open', field: 'open', stored: 101, expected: 1 },
        { kind: 'open', field: 'p.sRJ-.n', stored: 0, expected: 1 },
      ]),
    ),
};
