/**
 * Random walks for fast-check, small on purpose: few orders and few subjects, so that repeats,
 * reuse and hot subjects are the rule and not the exception.
 */
import fc from 'fast-check';
import type { ModelCheck, ModelNoRule } from './model-types.ts';
import type { WalkDocuments } from './rule-arbitraries.ts';
import { rulesArbitrary, SEASONS } from './rule-arbitraries.ts';
import type { Step, Walk } from './walk.ts';

const HOUR_MS = 3_600_000;

/** Every third order is one of an application that may have half of the open holds. */
const OF_WALLET = { openPercent: 50 };

/** An order always belongs to one user; the last two have none and live at their merchant. */
function orderArbitrary(index: number, startsAt: number): fc.Arbitrary<ModelCheck> {
  const owner = index >= 14 ? {} : { user: index % 4 === 3 ? 'u-2' : 'u-1' };
  const merchant =
    index >= 14 ? fc.constant('m-1') : fc.constantFrom('m-1', 'm-1', 'm-2', undefined);
  const whole = fc.record(
    {
      orderId: fc.constant(index % 3 === 1 ? `wallet/o-${index}` : `o-${index}`),
      type: fc.constantFrom('PAYMENT', 'TRANSFER', 'WITHDRAWAL'),
      subjects: merchant.map((id) => (id === undefined ? owner : { ...owner, merchant: id })),
      amount: fc.integer({ min: 0, max: 12 }),
      currency: fc.constantFrom('CNY', 'CNY', 'CNY', 'USD'),
      count: fc.constantFrom(1, 1, 1, 2, 3),
      attributes: fc
        .tuple(
          fc.constantFrom({}, { channel: 'app' }, { channel: 'app' }, { channel: 'web' }),
          joinedArbitrary(startsAt),
          fc.constantFrom({}, { card: 'a' }, { card: 'a' }, { card: 'b' }, { card: 'c' }),
        )
        .map(([channel, joined, card]) => ({ ...channel, ...joined, ...card })),
      holdMs: fc.constantFrom(1_000, 3_000, 60_000, 900_000, 24 * HOUR_MS, 168 * HOUR_MS),
      capture: fc.constantFrom(false, false, false, false, true),
    },
    {
      requiredKeys: [
        'orderId',
        'subjects',
        'amount',
        'currency',
        'count',
        'attributes',
        'holdMs',
        'capture',
      ],
    },
  );
  // Some take what fits.
  return fc
    .tuple(whole, fc.constantFrom(0, 0, 1, 1, 4))
    .map(([order, min]) =>
      min === 0 || min > order.amount ? order : { ...order, partial: { min } },
    )
    .map((order) => (index % 3 === 1 ? { ...order, ...OF_WALLET } : order));
}

/** Most orders have an instant, and few have one that others do not have. Some are still to come. */
function joinedArbitrary(startsAt: number): fc.Arbitrary<{ readonly joined?: string }> {
  return fc
    .constantFrom(undefined, -40 * 24, -25, -1, -1, -1, 0.01, 30)
    .map((hours) =>
      hours === undefined ? {} : { joined: new Date(startsAt + hours * HOUR_MS).toISOString() },
    );
}

/** What may follow from one order: phrases of steps, so that what is settled was often checked. */
const PHRASES = [
  ['check'],
  ['check'],
  ['check'],
  ['check'],
  ['check', 'check'],
  ['check', 'reuse'],
  ['check', 'time', 'check'],
  ['check', 'decide', 'check'],
  ['check', 'decide', 'check'],
  ['check', 'decide', 'check'],
  ['check', 'decide', 'check'],
  ['check', 'decide', 'check', 'check'],
  ['check', 'decide', 'time', 'check'],
  ['check', 'confirm'],
  ['check', 'confirmAmount'],
  ['check', 'time', 'confirm'],
  ['check', 'confirmAmount', 'confirmAmount'],
  ['check', 'rollback', 'check'],
  ['check', 'time', 'rollback', 'rollback'],
  ['check', 'confirm', 'rollback'],
  ['check', 'rollback', 'confirm'],
  ['confirmAmount', 'time'],
  ['time'],
  ['time'],
  ['time'],
  ['scale'],
  ['terms'],
  ['terms', 'check', 'time', 'check'],
  ['check', 'terms', 'confirm'],
  ['record'],
  ['record', 'time', 'check'],
  ['record', 'confirm', 'time'],
  ['check', 'record', 'time', 'record'],
] as const;

type Word = (typeof PHRASES)[number][number];

function phraseArbitrary(orders: readonly ModelCheck[]): fc.Arbitrary<readonly Step[]> {
  return fc
    .tuple(fc.constantFrom(...orders), fc.constantFrom(...PHRASES))
    .chain(([order, phrase]) => fc.tuple(...phrase.map((word) => stepArbitrary(word, order))));
}

function stepArbitrary(word: Word, order: ModelCheck): fc.Arbitrary<Step> {
  const { orderId, subjects } = order;
  switch (word) {
    case 'check':
      return fc
        .constantFrom<readonly string[]>([], [], [], ['sca'], ['otp', 'sca'])
        .map((proofs) => ({
          do: 'check',
          request: proofs.length === 0 ? order : { ...order, proofs },
        }));
    case 'record': {
      const ms = [0, 1, 1_000, 60_000, HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS];
      const ago = fc.oneof(fc.constantFrom(...ms), fc.integer({ min: 0, max: 72 * HOUR_MS }));
      const failed = fc.constantFrom<object>(
        ...[{}, {}, { failed: {} }, { failed: { reasonCode: 'wrong-pin' } }],
      );
      const { partial: _, openPercent: __, ...payment } = order;
      return fc
        .tuple(ago, failed)
        .map(([agoMs, how]) => ({ do: 'record', request: { ...payment, ...how }, agoMs }));
    }
    case 'reuse': {
      const { partial, ...whole } = order;
      const other = partial === undefined ? { ...order, partial: { min: 1 } } : whole;
      return fc
        .constantFrom<ModelCheck[]>({ ...order, amount: order.amount + 1 }, other)
        .map((request) => ({ do: 'check', request }));
    }
    case 'confirm':
      return fc.constant({ do: 'confirm', request: { orderId, subjects } });
    case 'confirmAmount':
      return fc
        .oneof(fc.integer({ min: 0, max: 50 }), fc.constant(order.amount))
        .map((amount) => ({ do: 'confirm', request: { orderId, subjects, amount } }));
    case 'rollback':
      return fc
        .constantFrom<object>({}, { reasonCode: 'wrong-pin' }, { reasonCode: 'no-funds' })
        .map((why) => ({ do: 'rollback', request: { orderId, subjects, ...why } }));
    case 'decide':
      return fc
        .record({
          decision: fc.constantFrom(
            ...(['approved', 'approved', 'approved', 'rejected', 'withdrawn'] as const),
          ),
          forMs: fc.constantFrom(1_000, HOUR_MS, 24 * HOUR_MS),
        })
        .map((said) => ({ do: 'decide', request: { orderId, ...said } }));
    case 'time':
      return timeArbitrary();
    case 'terms':
      return termsArbitrary(order);
    case 'scale':
      return fc.record({
        do: fc.constant('scale'),
        rule: fc.nat(5),
        factor: fc.constantFrom(0, 0.5, 2, 2),
      });
  }
}

/** Half of them for the order's own subjects; a freeze is short. */
function termsArbitrary({ subjects }: ModelCheck): fc.Arbitrary<Step> {
  const own = Object.entries(subjects);
  const maximum = fc.oneof(fc.constant(null), fc.nat(60));
  return fc.record(
    {
      do: fc.constant('terms' as const),
      subject: fc.constantFrom<readonly [string, string]>(
        ...own,
        ['user', 'u-1'],
        ['merchant', 'm-1'],
      ),
      frozenMs: fc.constantFrom(1, 1_000, 60_000),
      rule: fc.nat(5),
      layers: fc.array(
        fc.record({
          max: fc.record({ amount: maximum, count: maximum }, { requiredKeys: [] }),
          inMs: fc.constantFrom(0, 0, 0, 1_000, HOUR_MS),
          forMs: fc.constantFrom(null, 1_000, 900_000, 24 * HOUR_MS),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    },
    { requiredKeys: ['do', 'subject', 'layers'] },
  );
}

function timeArbitrary(): fc.Arbitrary<Step> {
  const ms = fc.oneof(
    fc.constantFrom(1, 999, 1_000, 3_000, 60_000, 900_000, HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS),
    fc.integer({ min: 1, max: 5_000 }),
    fc.integer({ min: 1, max: 72 * HOUR_MS }),
  );
  const jump = fc.record({
    do: fc.constant('jump' as const),
    pick: fc.nat(5),
    offsetMs: fc.constantFrom(-1, 0, 0, 1),
  });
  return fc.oneof(
    { arbitrary: fc.record({ do: fc.constant('advance' as const), ms }), weight: 1 },
    { arbitrary: jump, weight: 2 },
  );
}

/**
 * Whole walks of 16 orders and `phrasesMin` to `phrasesMax` phrases of one to three steps.
 *
 * The bound on open holds is small in some walks over one document. Over several it never is: which
 * of two documents objects first is not for the model to say.
 */
export function walkArbitrary(
  documents: WalkDocuments,
  phrasesMin = 5,
  phrasesMax = 40,
): fc.Arbitrary<Walk> {
  return fc.constantFrom(...SEASONS).chain((season) =>
    fc
      .tuple(
        rulesArbitrary(season, documents),
        fc.tuple(
          ...Array.from({ length: 16 }, (_, index) =>
            orderArbitrary(index, Date.parse(season.startsAt)),
          ),
        ),
        fc.constantFrom(undefined, undefined, 1, 2, 3),
        fc.constantFrom<ModelNoRule[]>('refuse', 'refuse-unlimited', 'allow'),
      )
      .chain(([rules, orders, bound, onNoRule]) =>
        fc
          .array(phraseArbitrary(orders), {
            minLength: phrasesMin,
            maxLength: phrasesMax,
            size: 'max',
          })
          .map((phrases) => ({
            startsAt: new Date(season.startsAt),
            rules,
            onNoRule,
            ...(bound === undefined || documents === 'several' ? {} : { openHoldsMax: bound }),
            steps: phrases.flat(),
          })),
      ),
  );
}
