import type { CounterPlan } from '../../lib/limits/plan.ts';
import { addRefund, openLedger, giveBackUpdate } from '../../lib/audit/refunds/refund-documents.ts';
import { mendUpdate } from '../../lib/audit/reconcile/mend-documents.ts';
import { SERVER_NOW } from '../../lib/limits/document/update.ts';
import type { StoredDocument, StoredHold } from '../../lib/limits/document/stored.ts';
import type {
  CounterStore,
  HoldAsk,
  HomeSettleAsk,
  ShareSettleAsk,
} from '../../lib/limits/counter-store.ts';
import {
  AT_HOME,
  BESIDE,
  BESIDE_HOME,
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

export type StatementRow = {
  readonly file: string;
  readonly header: string;
  readonly statement: () => Promise<Sent>;
};

const WINDOWS = [DAY_COUNTER, COUNT_COUNTER];
/** A sum that its rows do not explain. */
const DIFFERENCE = {
  kind: 'sum',
  bucket: { counter: DAY_COUNTER.key, until: new Date(1_772_467_200_000) },
} as const;
/** At most three payments in any hour, to the millisecond. */
const EXACT_COUNTER: CounterPlan = {
  ...COUNT_COUNTER,
  key: 'last-three~n',
  bucket: { kind: 'stepped', stepMs: 1, keepMs: 3_600_000 },
};
const SHADOW_COUNTER: CounterPlan = { ...COUNT_COUNTER, shadow: true };

const TEN_MINUTES_AGO = new Date('2026-03-02T05:50:00.000Z');
const HOLD: StoredHold = {
  ...{ id: ORDER.id, nonce: ORDER.nonce, digest: ORDER.digest, a: 1_234n },
  ...{ until: UNTIL, b: [DAY_NAME] },
};
const SHARE = { ...HOLD, until: new Date(UNTIL.getTime() + 1_000), home: HOME };
/** Its time is over. */
const LAPSED = { ...HOLD, nonce: 'nonce-0', until: TEN_MINUTES_AGO };
const USED = { a: 5_000n, n: 3n, ua: 3_766n, un: 2n };
/** A document as it is read: a payment of 12.34 is held, and two of 37.66 are used. */
const READ: StoredDocument = {
  ...{ now: ESTIMATE, seen: TEN_MINUTES_AGO, b: { [DAY_NAME]: USED } },
  ...{ remembered: 2, closings: 3 },
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
  (ask: HoldAsk, document = HOME) =>
  (counters: CounterStore) =>
    counters.hold(document, ask);
const settle =
  (...asks: readonly HomeSettleAsk[]) =>
  (counters: CounterStore) =>
    counters.settle(HOME, asks, ESTIMATE);
const getsFirstTerms = (counters: CounterStore) =>
  counters.changeTerms(
    HOME,
    {
      expected: undefined,
      terms: {
        version: 'version-1',
        overrides: [
          {
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
const asRead = (ask: HoldAsk): HoldAsk => ({ ...ask, readsFirst: true });

const RESERVED_BESIDE = (): HomeSettleAsk => {
  const ask = homeAsk();
  const { reserved } = ask;
  return reserved === undefined ? ask : { ...ask, reserved: { ...reserved, others: [BESIDE] } };
};
const SECOND_RESERVED: HomeSettleAsk = {
  ...{ id: SECOND.id, to: 'rolledBack' },
  reserved: {
    ...{ nonce: SECOND.nonce, digest: SECOND.digest, amountMinor: 500, count: 2 },
    ...{ until: new Date('2026-03-02T06:10:00.000Z'), buckets: [DAY_NAME] },
  },
};

const ADDS: readonly StatementRow[] = [
  {
    file: 'check',
    header: `
      A check of one order in two windows, the first statement and most often the only one.

      A document that comes back proves: home did not know the order; both windows had room for it; there
      was a place for one more hold; the subject has no terms of its own; and the server's instant, and the
      document's time, lay within two seconds of the caller's estimate and in the windows that are named.
      The order is held. What lapsed comes back, so that the answer leaves it out of what is held.
      If none comes back, nothing is decided: the document is read.`,
    statement: () => sentBy(hold(holdAsk([ORDER], WINDOWS))),
  },
  {
    file: 'check-many',
    header: `
      A check of two orders.

      A document that comes back proves that home knew neither, and that both fit together. So each fitted
      after the ones before it, for sums only grow. Both are held.`,
    statement: () => sentBy(hold(holdAsk([ORDER, SECOND]))),
  },
  {
    file: 'check-capture',
    header: `
      A check that captures.

      It proves what a check proves, but for the place of a hold. The order is used at once, and home
      remembers it as confirmed.`,
    statement: () => sentBy(hold(holdAsk([{ ...ORDER, capture: true }]))),
  },
  {
    file: 'check-rolling',
    header: `
      A check in a rolling window of steps.

      Room is the maximum less the sum of the steps that have not ended. Names of steps are compared as
      texts: the counter, then the step's end in milliseconds. A step that ended within the last two
      seconds still counts, so the check can be refused early and never be admitted late.`,
    statement: () => sentBy(hold(holdAsk([ORDER], [ROLLING_COUNTER]))),
  },
  {
    file: 'check-beside-home',
    header: `
      A check over several documents, step 2: the share beside home.

      A document that comes back proves that there was room for the share, which names its home. Whether the
      order is known is for home to say. No share has the nonce, nor is one kept under it, so this is no
      late copy of the request.`,
    statement: () => sentBy(hold(holdAsk([BESIDE_HOME]), BESIDE)),
  },
  {
    file: 'check-at-home',
    header: `
      A check over several documents, step 3: at home. This is the decision.

      A document that comes back proves what a check's proves. It also proves that home has forgotten
      nothing since step 1, when it had 7 outcomes, and has not closed the nonce. The order is held, here
      and elsewhere.`,
    statement: () =>
      sentBy(hold({ ...holdAsk([AT_HOME]), rememberedBefore: 7, closingsBefore: 3 })),
  },
  {
    file: 'check-as-read',
    header: `
      A check of an order whose earlier hold expired, after the document was read.

      A document that comes back proves that of this order it still knows what was read, the expired hold of
      nonce-0, and nothing else. The expired hold goes, for the order is held again. Places of holds are
      counted by kind.`,
    statement: () =>
      sentBy(hold(asRead(holdAsk([ORDER]))), [{ ...READ, expired: [{ ...LAPSED }] }]),
  },
  {
    file: 'check-left-out',
    header: `
      A check under a rule on trial that has no room, after the document was read.

      The order does not enter the shadow counter. A document that comes back proves that this counter is
      as full as it was when it was read.`,
    statement: () =>
      sentBy(hold(asRead(holdAsk([ORDER], [DAY_COUNTER, SHADOW_COUNTER]))), [
        {
          ...READ,
          b: {
            [DAY_NAME]: USED,
            [`${SHADOW_COUNTER.key} 0mm9d7gg0`]: { n: 3n, un: 3n },
          },
        },
      ]),
  },
  {
    file: 'check-crowded',
    header: `
      A check of a document with nearly as many buckets as it may have, after it was read.

      A document that comes back proves that it has no more buckets than were read, so that there are
      no more than were counted.`,
    statement: () => sentBy(hold(asRead(holdAsk([ORDER]))), [{ ...READ, b: crowd(999) }]),
  },
  {
    file: 'check-exact',
    header: `
      A check in an exact rolling window, always after the document was read.

      Each payment is a step of its own. A document that comes back proves that fewer payments than the
      maximum lie in the span that ends at the instant that was read.`,
    statement: () => sentBy(hold(holdAsk([ORDER], [EXACT_COUNTER])), [READ]),
  },
  {
    file: 'make',
    header: `
      A check of a subject that has no document.

      The one update that is a pipeline. It makes the document with the order held in it, if the server's
      instant lies where it was worked out, and leaves a document that is there byte for byte as it is.`,
    statement: () => sentBy(hold({ ...holdAsk([ORDER]), isNew: true }), [], 'make'),
  },
  {
    file: 'make-empty',
    header: `
      A refused check of a subject that has no document.

      It makes a document that holds nothing and goes after a day. A document that is there stays.`,
    statement: () =>
      sentBy(hold({ ...holdAsk([{ ...ORDER, barred: true }]), isNew: true }), [], 'make'),
  },
  {
    file: 'close',
    header: `
      The nonce of an add at home that matched nothing is closed, in a check over several documents.

      The first copy of that add may still be on its way; it now matches nothing, whatever home knows of these
      orders. The document that comes back says why there was no room.`,
    statement: () =>
      sentBy(
        hold({ ...holdAsk([AT_HOME]), rememberedBefore: 7, closingsBefore: 3 }),
        [],
        'update',
        1,
      ),
  },
];

const TAKES: readonly StatementRow[] = [
  {
    file: 'confirm',
    header: `
      A confirm by reservation.

      A document that comes back, as it was before, proves that the hold was there to the letter of its
      reservation and that its time was not over. It is gone now, and what it held is used.
      If none comes back, nothing is decided: the document is read.`,
    statement: () => sentBy(settle(homeAsk())),
  },
  {
    file: 'confirm-smaller',
    header: `
      A confirm by reservation of less than was held.

      It proves what a confirm proves. The difference leaves the sum.`,
    statement: () => sentBy(settle(homeAsk({ amountMinor: 1_000 }))),
  },
  {
    file: 'confirm-larger',
    header: `
      A confirm of more than was held, after the document was read.

      It proves what a confirm proves. The payment happened, so the sum grows by the difference, over the
      maximum if it must.`,
    statement: () => sentBy(settle(homeAsk({ amountMinor: 2_000 })), [{ ...READ, holds: [HOLD] }]),
  },
  {
    file: 'confirm-as-read',
    header: `
      A confirm without a reservation, after the document was read: what was read is taken.

      It proves what a confirm by reservation proves.`,
    statement: () =>
      sentBy(settle({ id: ORDER.id, to: 'confirmed' }), [{ ...READ, holds: [HOLD] }]),
  },
  {
    file: 'confirm-at-home',
    header: `
      A confirm at home of an order with a share beside home. This is the decision.

      It proves what a confirm proves. The outcome remembers where the shares are and until when, so that a
      repeat finds them.`,
    statement: () => sentBy(settle(RESERVED_BESIDE())),
  },
  {
    file: 'confirm-beside-home',
    header: `
      A confirm of the share beside home, once home has decided.

      A document that comes back proves that the share of this very attempt was open. It is gone now, so a
      repeat finds nothing to count.`,
    statement: () => sentBy(settleShare(shareAsk())),
  },
  {
    file: 'confirm-late',
    header: `
      A confirm at home of a hold that expired, after the document was read.

      A document that comes back proves that the expired hold was still remembered. Its amount enters what
      is used, in the windows that are not over, and the document's time becomes the one that was read.`,
    statement: () =>
      sentBy(settle({ id: ORDER.id, to: 'confirmed' }), [{ ...READ, expired: [LAPSED] }]),
  },
  {
    file: 'confirm-kept',
    header: `
      A late confirm of a share beside home that was kept, after the document was read.

      A document that comes back proves that the share was still kept, so it was not counted before.`,
    statement: () =>
      sentBy(settleShare({ id: ORDER.id, nonce: ORDER.nonce, to: 'confirmed' }), [
        { ...READ, kept: [SHARE] },
      ]),
  },
  {
    file: 'drop-share',
    header: `
      Another attempt's share of the order is dropped, in the commit that holds the order everywhere.

      A document that comes back proves that the share was open, and that no share was kept beside those
      that were read. It leaves the sums and is kept for a late confirm.`,
    statement: () =>
      sentBy(settleShare({ id: ORDER.id, nonce: ORDER.nonce, to: 'dropped' }), [
        { ...READ, holds: [SHARE] },
      ]),
  },
  {
    file: 'rollback',
    header: `
      A rollback by reservation.

      It proves what a confirm proves. What was held leaves the sums.`,
    statement: () => sentBy(settle(homeAsk({ to: 'rolledBack' }))),
  },
  {
    file: 'rollback-beside-home',
    header: `
      A rollback of the share beside home, or what a refused check gives back there.

      It proves what a confirm of the share proves. What was held leaves the sums.`,
    statement: () => sentBy(settleShare(shareAsk({ to: 'rolledBack' }))),
  },
  {
    file: 'settle-many',
    header: `
      A confirm and a rollback in one call.

      A document that comes back proves that both holds were there and that the time of neither was over.`,
    statement: () => sentBy(settle(homeAsk(), SECOND_RESERVED)),
  },
];

const TIDYINGS: readonly StatementRow[] = [
  {
    file: 'tidy',
    header: `
      A hold of an order whose home this is has lapsed.

      A document that comes back proves that the hold was there, so it leaves the sums once. It is
      remembered as expired. The document's time becomes the one that was read.`,
    statement: () => sentBy(hold(asRead(holdAsk([SECOND]))), [{ ...READ, holds: [LAPSED] }]),
  },
  {
    file: 'tidy-beside-home',
    header: `
      A share of an order with another home has lapsed.

      A document that comes back proves that the share was there, and that no share was kept beside those
      that were read. It leaves the sums once, and is kept for a late confirm.`,
    statement: () =>
      sentBy(hold(asRead(holdAsk([SECOND])), BESIDE), [
        { ...READ, holds: [{ ...LAPSED, home: HOME }] },
      ]),
  },
  {
    file: 'tidy-buckets',
    header: `
      A bucket is over, in a document with nearly as many as it may have.

      A document that comes back proves that no hold names the bucket of yesterday. It is dropped, and the
      document's time becomes the one that was read: a clock that is set back does not open it again.`,
    statement: () =>
      sentBy(hold(asRead(holdAsk([ORDER]))), [
        { ...READ, b: { 'day-amount 0mm7xrls0': USED, ...crowd(950) } },
      ]),
  },
];

const FREEZE = {
  at: ESTIMATE,
  by: { kind: 'local', id: 'local' },
  reason: 'a lost card',
  until: new Date('2026-04-02T06:00:00.000Z'),
} as const;

const OTHERS: readonly StatementRow[] = [
  {
    file: 'look',
    header: `
      A look at all documents of an order in one round trip: step 1 of a check, a dry run, usage.

      What comes back says what home knows of the order, what is used and held, what lapsed, and the
      server's instant. After an add that matched nothing the document is read by this, too.`,
    statement: () =>
      sentBy((counters) => counters.read([HOME, BESIDE], [ORDER.id], ESTIMATE), [], 'find'),
  },
  {
    file: 'change-terms',
    header: `
      A subject is frozen up to an instant, in place of the terms that were read.

      A document that comes back proves that its terms were those that were expected.`,
    statement: () =>
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
  },
  {
    file: 'first-terms',
    header: `
      A subject without terms gets an override.

      A document that comes back proves that it had no terms.`,
    statement: () => sentBy(getsFirstTerms),
  },
  {
    file: 'make-with-terms',
    header: `
      A subject without a document gets an override.

      A document that is there stays as it is. What comes back says whose terms are in force.`,
    statement: () => sentBy(getsFirstTerms, [], 'update', 1),
  },
  {
    file: 'take-terms-away',
    header: `
      A subject's terms are taken away.

      A document that comes back proves that its terms were those that were expected.`,
    statement: () =>
      sentBy((counters) =>
        counters.changeTerms(HOME, { expected: 'version-1', terms: undefined }, ESTIMATE),
      ),
  },
  {
    file: 'shorten',
    header: `
      A document may go sooner, once the terms that kept it alive are gone.

      A document that comes back proves that nobody wrote it since it was read, so nothing in it needs the
      longer life.`,
    statement: () =>
      sentBy(
        (counters) => counters.shorten(HOME, ESTIMATE),
        [{ ...READ, expireAt: new Date('2027-03-02T06:00:00.000Z') }],
      ),
  },
  {
    file: 'open-ledger',
    header: `
      The ledger of the refunds of an order that counted 12.34, read as part of a commit.

      It is made before the first refund, and stays as long as the rows of the order.`,
    statement: () =>
      Promise.resolve({
        kind: 'update',
        parts: {
          ...openLedger(
            {
              id: 'shop:o-1',
              amountMinor: 1_234,
              keepUntil: new Date('2027-04-06T06:00:00.000Z'),
            },
            SERVER_NOW,
          ),
        },
      }),
  },
  {
    file: 'refund',
    header: `
      A refund of 5.00 in the ledger of its order, part of a commit that has read the ledger.

      It asks nothing, for the commit ends where somebody else wrote the ledger meanwhile.`,
    statement: () =>
      Promise.resolve({
        kind: 'update',
        parts: { ...addRefund('shop:o-1', { id: 'refund-1', amount: 500, at: ESTIMATE }) },
      }),
  },
  {
    file: 'give-back',
    header: `
      What a refund gives back in one document, in the windows of its check that are still there.

      A document that comes back proves that so much was used: what is used never falls below zero.`,
    statement: () =>
      Promise.resolve({
        kind: 'update',
        parts: {
          ...giveBackUpdate(
            {
              document: HOME,
              amountMinor: 500,
              count: 1,
              buckets: [{ counter: DAY_COUNTER.key, until: new Date(1_772_467_200_000) }],
            },
            READ,
            ESTIMATE,
          ),
        },
      }),
  },
  {
    file: 'mend',
    header: `
      What the reconciliation adds to a document whose sums are not what its rows say.

      A document that comes back proves that nobody mended it since it was compared. What checks did
      meanwhile stays.`,
    statement: () =>
      Promise.resolve({
        kind: 'update',
        parts: mendUpdate(HOME, { now: ESTIMATE }, [
          { ...DIFFERENCE, sum: 'usedAmount', stored: 0, expected: 1_234 },
          { ...DIFFERENCE, sum: 'usedCount', stored: 0, expected: 1 },
        ]),
      }),
  },
];

/** As many buckets as call for a count before one is added. */
function crowd(size: number): NonNullable<StoredDocument['b']> {
  const one = { n: 1n, un: 1n };
  const names = Array.from({ length: size }, (_, index) => `many-of-${index}~n 0mm9d7gg0`);
  return { [DAY_NAME]: USED, ...Object.fromEntries(names.map((name) => [name, one])) };
}

export const STATEMENTS: readonly StatementRow[] = [...ADDS, ...TAKES, ...TIDYINGS, ...OTHERS];
