/**
 * Stories in which things go wrong: callers that die between two steps, calls and events that are
 * delivered again and out of order. Few orders, subjects and rooms, so that they meet.
 */
import fc from 'fast-check';
import type { Crash } from '../support/crashing-store.ts';

/** An order; what it asks for stays the same all along. */
export type StoryOrder = {
  readonly orderId: string;
  readonly subjects: Readonly<Record<string, string>>;
  /** What its settlements name of them: all, or home alone. */
  readonly settledBy: Readonly<Record<string, string>>;
  readonly amount: number;
  readonly capture: boolean;
};

/** A message that tells how a transaction ended, as a queue delivers it. */
export type StoryMessage = {
  readonly order: number;
  readonly status: 'SUCCESS' | 'FAIL';
  readonly amount?: number;
};

/** A call that can be delivered again. Orders are named by their place in the story. */
export type StoryCall =
  | { readonly do: 'check'; readonly order: number }
  | { readonly do: 'rollback'; readonly order: number }
  | { readonly do: 'confirm'; readonly order: number; readonly amount?: number }
  | {
      readonly do: 'refund';
      readonly order: number;
      readonly refundId: string;
      readonly amount?: number;
    }
  | { readonly do: 'checks'; readonly orders: readonly number[]; readonly atomic: boolean }
  | { readonly do: 'events'; readonly messages: readonly StoryMessage[] };

/** One step. A crash ends its caller there, if it comes so far; `again` delivers an earlier call. */
export type StoryStep =
  | { readonly do: 'call'; readonly call: StoryCall; readonly crash?: Crash }
  | { readonly do: 'again'; readonly pick: number; readonly crash?: Crash }
  | { readonly do: 'advance'; readonly ms: number };

/** A whole story. */
export type Story = {
  readonly orders: readonly StoryOrder[];
  readonly steps: readonly StoryStep[];
};

/** Of all orders of a user, of all of the merchant, and of a user there, that are used and held together. */
export const MAX = { user: 18, merchant: 25, pair: 14 } as const;

/** How long a hold lasts here. */
export const HOLD_MS = 60_000;

/** What a story is made of. */
export type StoryKind = {
  /** 5 or more. */
  readonly orders: number;
  /** How many of all calls are refunds, where 13 are others. They need an audit. */
  readonly refunds: number;
};

/** Ten orders, so that they get into each other's way. */
export const WITHOUT_REFUNDS: StoryKind = { orders: 10, refunds: 0 };

/** Fewer orders, so that more of them are paid and have several refunds. */
export const WITH_REFUNDS: StoryKind = { orders: 5, refunds: 7 };

/**
 * Every third order is the user's alone; the others are the merchant's, too. Every second order is
 * settled by its user alone.
 */
function orderArbitrary(index: number): fc.Arbitrary<StoryOrder> {
  const user = `u-${Math.floor(index / 2) % 2}`;
  const subjects = index % 3 === 0 ? { user } : { user, merchant: 'm' };
  return fc.record({
    orderId: fc.constant(`o-${index}`),
    subjects: fc.constant(subjects),
    settledBy: fc.constant(index % 2 === 0 ? subjects : { user }),
    amount: fc.integer({ min: 1, max: 12 }),
    capture: fc.constantFrom(false, false, false, true),
  });
}

const less = fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined, freq: 3 });

function messageArbitrary(order: fc.Arbitrary<number>): fc.Arbitrary<StoryMessage> {
  return fc
    .record({ order, status: fc.constantFrom('SUCCESS', 'SUCCESS', 'FAIL'), amount: less })
    .map(({ amount, ...end }) =>
      end.status === 'FAIL' || amount === undefined ? end : { ...end, amount },
    );
}

function callArbitrary({ orders, refunds }: StoryKind): fc.Arbitrary<StoryCall> {
  const order = fc.nat(orders - 1);
  return fc.oneof(
    { weight: 5, arbitrary: fc.record({ do: fc.constant('check' as const), order }) },
    {
      weight: 2,
      arbitrary: fc
        .record({ order, amount: less })
        .map((one) => ({ do: 'confirm' as const, order: one.order, ...finalOf(one.amount) })),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('rollback' as const), order }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('checks' as const),
        orders: fc.uniqueArray(order, { minLength: 2, maxLength: 5 }),
        atomic: fc.constantFrom(false, false, true),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('events' as const),
        messages: fc.array(messageArbitrary(order), { minLength: 1, maxLength: 6 }),
      }),
    },
    { weight: refunds, arbitrary: refundArbitrary(order) },
  );
}

/** Few ids, so that they repeat, and amounts that are soon more than is left. */
function refundArbitrary(order: fc.Arbitrary<number>): fc.Arbitrary<StoryCall> {
  return fc
    .record({
      order,
      refundId: fc.constantFrom('r-0', 'r-1', 'r-2'),
      amount: fc.option(fc.constantFrom(1, 1, 2, 3, 5, 9), { nil: undefined, freq: 4 }),
    })
    .map(({ amount, ...one }) => ({ do: 'refund' as const, ...one, ...finalOf(amount) }));
}

function finalOf(amount: number | undefined): { readonly amount?: number } {
  return amount === undefined ? {} : { amount };
}

/** A call of two documents has two to five steps, one of many a few more. */
const crash: fc.Arbitrary<Crash | undefined> = fc.option(
  fc.record({
    at: fc.constantFrom(0, 0, 1, 1, 2, 3, 4, 5),
    moment: fc.constantFrom('before', 'after'),
  }),
  { nil: undefined, freq: 2 },
);

function stepArbitrary(call: fc.Arbitrary<StoryCall>): fc.Arbitrary<StoryStep> {
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .record({ call, crash })
        .map((one) => ({ do: 'call' as const, call: one.call, ...crashOf(one.crash) })),
    },
    {
      weight: 3,
      arbitrary: fc
        .record({ pick: fc.nat(), crash })
        .map((one) => ({ do: 'again' as const, pick: one.pick, ...crashOf(one.crash) })),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(1, 20_000, HOLD_MS - 1, HOLD_MS, 3 * HOLD_MS)
        .map((ms) => ({ do: 'advance' as const, ms })),
    },
  );
}

function crashOf(where: Crash | undefined): { readonly crash?: Crash } {
  return where === undefined ? {} : { crash: where };
}

/** An order that is checked, whose confirm is cut, and that is refunded before anybody asks again. */
function cutConfirmArbitrary({ orders }: StoryKind): fc.Arbitrary<readonly StoryStep[]> {
  return fc
    .record({ order: fc.nat(orders - 1), at: fc.constantFrom(0, 1, 2) })
    .chain(({ order, at }) =>
      refundArbitrary(fc.constant(order)).map((refund) => [
        { do: 'call', call: { do: 'check', order } },
        { do: 'call', call: { do: 'confirm', order }, crash: { at, moment: 'after' } },
        { do: 'call', call: refund },
      ]),
    );
}

/** Stories of so many steps, or a few more. */
export function storyArbitrary(
  kind: StoryKind,
  minLength: number,
  maxLength: number,
): fc.Arbitrary<Story> {
  const one = stepArbitrary(callArbitrary(kind)).map((step) => [step]);
  const part =
    kind.refunds === 0
      ? one
      : fc.oneof(
          { weight: 20, arbitrary: one },
          { weight: 1, arbitrary: cutConfirmArbitrary(kind) },
        );
  return fc.record({
    orders: fc.tuple(...Array.from({ length: kind.orders }, (_, index) => orderArbitrary(index))),
    steps: fc.array(part, { minLength, maxLength, size: 'max' }).map((parts) => parts.flat()),
  });
}
