import { describe, expect, it } from 'vitest';
import { OUTCOMES_DEFAULT } from '../../lib/domain/bounds.ts';
import { mendPipeline } from '../../lib/pipeline/mend-pipeline.ts';
import { crossingPipeline, nearFilter, scanPipeline } from '../../lib/pipeline/near-pipeline.ts';
import { giveBackPipeline, refundPipeline } from '../../lib/pipeline/refund-pipeline.ts';
import { amongIds } from '../../lib/pipeline/view-projection.ts';
import { SERVER_NOW } from '../../lib/pipeline/expression.ts';
import { bucketName } from '../../lib/domain/document.ts';
import type { CounterPlan } from '../../lib/domain/plan.ts';
import type { HoldAsk, HomeSettleAsk, ShareSettleAsk } from '../../lib/store/counter-store.ts';
import type { Known } from '../../lib/store/known-buckets.ts';
import { plainHold } from '../../lib/store/plain-hold.ts';
import { plainSettlement } from '../../lib/store/plain-settlement.ts';
import {
  holdUpdate,
  lookProjection,
  settleSharesUpdate,
  settleUpdate,
  termsUpdate,
} from '../../lib/store/statements.ts';
import {
  AT_HOME,
  BESIDE,
  BESIDE_HOME,
  COUNT_COUNTER,
  DAY_COUNTER,
  ESTIMATE,
  HOME,
  ORDER,
  ROLLING_COUNTER,
  SECOND,
  holdAsk,
  homeAsk,
  shareAsk,
} from '../support/statement-asks.ts';
import { statementText } from '../support/statement-text.ts';

/**
 * Every statement on counters that is sent to the database, whole, in `statements/`: one file each,
 * under what a document proves that comes back. Whoever changes a statement sees here what changes.
 */

/** A statement under its header, as its file has it. */
function page(header: string, statement: object): string {
  const fields = Object.entries(statement).map(
    ([name, value]) => `${name}: ${statementText(value)}\n`,
  );
  return `${header.replaceAll(/^ +/gm, '').trim()}\n\n${fields.join('\n')}`;
}

const plainCheck = (ask: HoldAsk, document = HOME): object =>
  plainHold(document, ask, OUTCOMES_DEFAULT)?.update ?? {};
const plainSettle = (asks: readonly (HomeSettleAsk | ShareSettleAsk)[], document = HOME): object =>
  plainSettlement(document, asks, OUTCOMES_DEFAULT, ESTIMATE)?.update ?? {};

const UNRESERVED: HomeSettleAsk = { id: ORDER.id, to: 'confirmed', amountMinor: 1_500 };
const UNRESERVED_SHARE: ShareSettleAsk = { id: ORDER.id, nonce: ORDER.nonce, to: 'confirmed' };

const WINDOWS = [DAY_COUNTER, COUNT_COUNTER];
/** Of a process that has met a document: its buckets, with no large sum. */
const known = (counters: readonly CounterPlan[]): Known =>
  new Map(
    counters.flatMap(({ key, bucket }) =>
      bucket.kind === 'fixed'
        ? [[bucketName({ counter: key, ...bucket }), { isLarge: false }]]
        : [],
    ),
  );

const CHECKS = [
  {
    file: 'check',
    header: `
      A check of one order with two fixed windows, in the plain lane.

      A document that comes back proves: the order was unknown here; both windows had room for it; there
      was room for one more hold; nothing had lapsed that should have been released first; and the
      server's instant, and the document's time, lay within a second of the caller's estimate and in the
      windows that are named. The order is held.
      None decides nothing: the general lane is asked.`,
    statement: () => plainCheck(holdAsk([ORDER], WINDOWS)),
  },
  {
    file: 'check-known',
    header: `
      A check of one order with two fixed windows, in the plain lane, of a document that this process has
      met before: it knows the buckets.

      A document that comes back proves what every check's proves, and that the buckets are there: none is
      made, so nothing need be tidied. A sum without a maximum, far from the largest there may be when it
      was last seen, is not asked about.`,
    statement: () =>
      plainHold(HOME, holdAsk([ORDER], WINDOWS), OUTCOMES_DEFAULT, undefined, known(WINDOWS))
        ?.update ?? {},
  },
  {
    file: 'check-rolling',
    header: `
      A check of one order with a rolling window, in the plain lane.

      The same as a fixed window, but what counts is the sum of its steps: those of the last hour, and one
      that may have just ended, so that it can only refuse too early and never admit too much. Names are
      compared as texts: the counter, then the step's start in milliseconds.`,
    statement: () => plainCheck(holdAsk([ORDER], [ROLLING_COUNTER])),
  },
  {
    file: 'check-capture',
    header: `
      A check that captures, in the plain lane.

      A document that comes back proves the same as a check's, but for the number of holds: the order is
      counted at once, and home remembers it as confirmed.`,
    statement: () => plainCheck(holdAsk([{ ...ORDER, capture: true }])),
  },
  {
    file: 'check-many',
    header: `
      A check of two orders, in the plain lane.

      A document that comes back proves that both were unknown and fit together, so that each fitted after
      the ones before it, for sums only grow. Both are held.`,
    statement: () => plainCheck(holdAsk([ORDER, SECOND])),
  },
  {
    file: 'check-beside-home',
    header: `
      A check of one order, step 2: its share beside home, in the plain lane.

      A document that comes back proves that there was room, until a second after home's hold. Whether the
      order is known is home's to say: it is not asked here. The share names its home.`,
    statement: () => plainCheck(holdAsk([BESIDE_HOME]), BESIDE),
  },
  {
    file: 'check-at-home',
    header: `
      A check of one order, step 3: at home, in the plain lane. The moment of the decision.

      A document that comes back proves what every check's proves, and that home has forgotten nothing
      since it was read in step 1, when it had 7 outcomes. The order is held, here and elsewhere.`,
    statement: () => plainCheck({ ...holdAsk([AT_HOME]), rememberedBefore: 7 }),
  },
];

const SETTLEMENTS = [
  {
    file: 'confirm',
    header: `
      A confirm by reservation, in the plain lane.

      A document that comes back, as it was before, proves that the hold was there to the letter of its
      reservation and that its time was not over. It is gone now; what it held is counted.
      None decides nothing: the general lane is asked.`,
    statement: () => plainSettle([homeAsk()]),
  },
  {
    file: 'confirm-smaller',
    header: `
      A confirm by reservation of less than was held, in the plain lane.

      It proves the same. The difference is given back.`,
    statement: () => plainSettle([homeAsk({ amountMinor: 1_000 })]),
  },
  {
    file: 'rollback',
    header: `
      A rollback by reservation, in the plain lane.

      It proves the same as a confirm. What was held is given back.`,
    statement: () => plainSettle([homeAsk({ to: 'rolledBack' })]),
  },
  {
    file: 'confirm-at-home',
    header: `
      A confirm of an order with a share beside home, at home, in the plain lane.

      It proves the same. The outcome remembers where the shares are and until when, so that a repeat finds
      them.`,
    statement: () => {
      const { reserved } = homeAsk();
      return plainSettle([
        homeAsk(reserved === undefined ? {} : { reserved: { ...reserved, others: [BESIDE] } }),
      ]);
    },
  },
  {
    file: 'confirm-beside-home',
    header: `
      A confirm of the share beside home, in the plain lane, once home has decided.

      A document that comes back proves that the share of this very attempt was open. It is gone now, so
      that a repeat finds nothing to count.`,
    statement: () => plainSettle([shareAsk()], BESIDE),
  },
  {
    file: 'settle-many',
    header: `
      A confirm and a rollback in one call, in the plain lane.

      A document that comes back proves that both holds were there and their time was not over.`,
    statement: () => {
      const reserved = {
        nonce: SECOND.nonce,
        digest: SECOND.digest,
        amountMinor: 500,
        count: 2,
        until: new Date('2026-03-02T06:10:00.000Z'),
        buckets: homeAsk().reserved?.buckets ?? [],
      };
      return plainSettle([homeAsk(), homeAsk({ id: SECOND.id, to: 'rolledBack', reserved })]);
    },
  },
];

const GENERAL = [
  {
    file: 'general-check',
    header: `
      A check in the general lane, of one order or of many: everything but the literal is the same for all.

      The document that comes back, as it is after, says what was decided: an order with its own nonce is
      held or counted, another is known, and where there is neither there was no room. A refusal changes
      nothing.`,
    statement: () => holdUpdate(holdAsk([ORDER], [DAY_COUNTER, ROLLING_COUNTER]), OUTCOMES_DEFAULT),
  },
  {
    file: 'general-settle',
    header: `
      A confirm in the general lane, at home: everything but the literal is the same for all settlements.

      The document that comes back, as it was before, says what was decided: an open or expired hold of the
      order is settled now; an outcome is what it was.`,
    statement: () => settleUpdate([UNRESERVED], OUTCOMES_DEFAULT),
  },
  {
    file: 'general-settle-beside-home',
    header: `
      A confirm of a share beside home in the general lane: the same update, by nonce alone.

      The document that comes back, as it was before, says whether the share was there, open or kept; and
      where it was not, whether it may have had to go uncounted (forgotUntil).`,
    statement: () => settleSharesUpdate([UNRESERVED_SHARE], OUTCOMES_DEFAULT),
  },
  {
    file: 'look',
    header: `
      A look at all documents of an order, in one round trip: step 1 of a check, and a dry run.

      What comes back says what home knows of the order, what counts, and the server's instant.`,
    statement: () => ({
      filter: amongIds([HOME, BESIDE]),
      projection: lookProjection([ORDER.id], [DAY_COUNTER.key]),
    }),
  },
];

const BUCKET = 'day-counter 1772380800000 1772467200000';

const FREEZE = {
  at: ESTIMATE,
  by: { kind: 'local', id: 'local' },
  reason: 'a lost card',
  until: new Date('2026-04-02T06:00:00.000Z'),
} as const;

/** A merchant of whose day 80 % are taken. */
const NEAR_ROW = {
  ...{ rule: 'merchant-day', mode: 'enforce', kind: 'merchant', document: 'merchant:m-1' },
  ...{ subjects: { merchant: 'm-1' }, counter: 'day-counter', currency: 'CNY' },
  start: new Date('2026-03-01T16:00:00.000Z'),
  until: new Date('2026-03-02T16:00:00.000Z'),
  ...{ percent: 80, max: { amount: 5_000n }, isOverride: false, taken: { amount: 4_100n } },
  at: ESTIMATE,
};

const OTHERS = [
  {
    file: 'near',
    header: `
      What a call notes of a maximum of which it took the half, and 80 %.

      The document before it says which of these parts somebody has told in this window already: those
      that it does not have are this call's to tell. Of calls at once, each part is one call's.`,
    statement: () => ({
      pipeline: crossingPipeline({
        ...NEAR_ROW,
        told: [50, 80].map((percent) => ({ percent, until: NEAR_ROW.until })),
      }),
    }),
  },
  {
    file: 'near-scan',
    header: `
      What a scan sets a row to, from the counters as they were at an instant.

      It changes nothing where a call wrote the row after that instant. What was told stays told.`,
    statement: () => ({ pipeline: scanPipeline(NEAR_ROW) }),
  },
  {
    file: 'near-page',
    header: `
      Who has taken 80 % of a rule's maximum: the page after a row.

      Rows come nearest first, and of the same part in the order of their ids.`,
    statement: () => ({
      filter: nearFilter(
        {
          rule: 'merchant-day',
          percent: 80,
          after: { percent: 95, id: 'merchant-day day-counter 1772380800000 merchant:m-1' },
        },
        ESTIMATE,
      ),
    }),
  },
  {
    file: 'change-terms',
    header: `
      A subject is frozen up to an instant, in place of the terms that were read.

      They are taken where the document before the update has the version that is expected; otherwise
      nothing is changed, and a document that was made by it goes with the commit.`,
    statement: () =>
      termsUpdate({
        expected: 'version-1',
        terms: { version: 'version-2', overrides: [], freeze: FREEZE },
      }),
  },
  {
    file: 'mend',
    header: `
      What the reconciliation adds to a document whose sums are not what its rows say.

      It changes nothing where another mending came first since the document was read.`,
    statement: () => ({
      pipeline: mendPipeline(
        {
          mendedAt: null,
          mends: [
            {
              k: BUCKET,
              until: new Date('2026-03-02T16:00:00.000Z'),
              v: { amount: 1_234n, count: 1n, heldAmount: 0n, heldCount: 0n },
            },
          ],
        },
        SERVER_NOW,
      ),
    }),
  },
  {
    file: 'refund',
    header: `
      A refund of 5.00, in the ledger of its order.

      It is added where its id is new and no more is given back than was counted.`,
    statement: () => ({
      pipeline: refundPipeline(
        {
          counted: 1_234n,
          id: 'refund-1',
          nonce: 'nonce-3',
          amount: 500n,
          keepUntil: new Date('2027-04-06T06:00:00.000Z'),
        },
        SERVER_NOW,
      ),
    }),
  },
  {
    file: 'give-back',
    header: `
      What a refund gives back in one document, in the windows of its check that are still there.

      What is used never falls below nothing.`,
    statement: () => ({
      pipeline: giveBackPipeline(
        { amount: 500n, amountIn: [BUCKET], count: 1n, countIn: [BUCKET], names: [BUCKET] },
        SERVER_NOW,
      ),
    }),
  },
];

describe('the statement', () => {
  it.each([...CHECKS, ...SETTLEMENTS, ...GENERAL, ...OTHERS])(
    '$file stands whole, under what it proves',
    async ({ file, header, statement }) => {
      const text = page(header, statement());
      expect(text.split('\n').length).toBeGreaterThan(10); // there is a statement
      await expect(text).toMatchFileSnapshot(`./statements/${file}.txt`);
    },
  );
});
