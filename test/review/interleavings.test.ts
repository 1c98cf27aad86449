import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createLimits } from '../../lib/edge/limits.ts';
import type { Proposal } from '../../lib/four-eyes/proposal.ts';
import { proposalNumber } from '../../lib/four-eyes/proposal.ts';
import type { CheckAnswer } from '../../lib/limits/answer.ts';
import { orderName } from '../../lib/review/reviewed-order.ts';
import type { CheckRequest } from '../../lib/shared/request.ts';
import { requestDigest } from '../../lib/shared/digest.ts';
import { SEED, times } from '../support/extent.ts';
import { memoryProposals } from '../support/memory-proposals.ts';
import { mingoStore } from '../support/mingo-store.ts';
import { libRule } from '../support/service-under-test.ts';

/*
 * Checks of few orders and decisions about them, in every order of their steps: each call of a store waits until
 * chance lets it through, before it takes effect and once more before its answer arrives.
 */

const NOW = new Date('2026-03-02T04:00:00Z');
const MAX = 100;
const DAY = libRule({
  ...{ id: 'day', per: ['user'], currency: 'CNY', window: 'lifetime', max: { amount: MAX } },
  ...{ mode: 'enforce', onExceed: 'review' },
});
const by = { kind: 'local', id: 'local' } as const;

const order = (orderId: string, amountMinor: number): CheckRequest => ({
  ...{ appId: 'shop', orderId, amountMinor, subjects: { user: 'u-1' }, currency: 'CNY', count: 1 },
  ...{ type: undefined, attributes: {}, holdMs: 900_000, capture: false, dryRun: false },
});

type Act =
  | { readonly do: 'check'; readonly request: CheckRequest }
  | { readonly do: 'decide'; readonly orderId: string; readonly outcome: 'approved' | 'rejected' };

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom('A', 'A', 'B'), fc.constantFrom(60, 60, 60, 110))
      .map(([id, amount]) => ({ do: 'check' as const, request: order(id, amount) })),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('decide' as const),
      orderId: fc.constantFrom('A', 'A', 'B'),
      outcome: fc.constantFrom('approved', 'approved', 'rejected'),
    }),
  },
);

/** A store each of whose calls waits for its turn. */
function inTurn<Store extends object>(store: Store, scheduler: fc.Scheduler): Store {
  return new Proxy(store, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name);
      if (typeof found !== 'function' || name === 'last') return found;
      return async (...given: unknown[]) => {
        await scheduler.schedule(Promise.resolve(), `${String(name)} is sent`);
        const answer: unknown = await Reflect.apply(found, target, given);
        await scheduler.schedule(Promise.resolve(), `${String(name)} is answered`);
        return answer;
      };
    },
  });
}

const stories = { approvals: 0, again: 0 };

async function play(scheduler: fc.Scheduler, lines: readonly (readonly Act[])[]): Promise<void> {
  const proposals = memoryProposals();
  const counters = mingoStore();
  const limitsOver = (wait: <Store extends object>(store: Store) => Store) =>
    createLimits({
      ...{ counters: wait(counters), reviews: wait(proposals) },
      rules: () => Promise.resolve([DAY]),
    });
  const slow = limitsOver((store) => inTurn(store, scheduler));
  const reviewed = new Map<string, Proposal>();
  const passed: { readonly request: CheckRequest; readonly answer: CheckAnswer }[] = [];
  const perform = async (one: Act): Promise<void> => {
    if (one.do === 'check') {
      const { request } = one;
      const answer = await slow.check(request, NOW).catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'ORDER_REUSED' });
      });
      if (answer) passed.push({ request, answer });
      return;
    }
    const store = inTurn(proposals, scheduler);
    const found = store.last(orderName({ appId: 'shop', orderId: one.orderId }));
    if (found === undefined) return;
    const passesUntil = new Date(NOW.getTime() + 1_000);
    const said = { outcome: one.outcome, at: NOW, by, reason: 'r', passesUntil };
    if (await store.decide(found.id, said))
      reviewed.set(found.id, { ...found, state: one.outcome });
  };
  const running = Promise.all(
    lines.map(async (line) => {
      for (const one of line) await perform(one);
    }),
  );
  await scheduler.waitFor(running);
  for (const { request, answer } of passed) expectRight(request, answer, reviewed);
  const end = await limitsOver((store) => store).usage(
    { appId: 'shop', subjects: { user: 'u-1' } },
    NOW,
  );
  const [{ held } = {}] = end.rules;
  const approved = [...reviewed.values()].filter(({ state }) => state === 'approved');
  const most = approved.map((one) => upToOf(one));
  expect(held?.amountMinor ?? 0).toBeLessThanOrEqual(Math.max(MAX, ...most));
}

function upToOf({ change }: Proposal): number {
  if (change.about !== 'order') throw new TypeError('the proposals of this file are about orders');
  const { payment, refusals } = change;
  const [{ used = {}, held = {} } = {}] = refusals;
  return payment.amountMinor + (used.amountMinor ?? 0) + (held.amountMinor ?? 0);
}

/** What passes by an approval is what was approved, and its sum is not above what was seen. */
function expectRight(
  request: CheckRequest,
  answer: CheckAnswer,
  reviewed: ReadonlyMap<string, Proposal>,
): void {
  if (answer.kind === 'undecided') throw new TypeError('a store in memory decides');
  const [{ used = {}, held = {} } = {}] = answer.rules;
  const sum = (used.amountMinor ?? 0) + (held.amountMinor ?? 0);
  if (answer.kind === 'refused') {
    expect(['review', 'rejected']).toContain(answer.reason);
    expect(sum + request.amountMinor).toBeGreaterThan(MAX);
    if (answer.reason === 'rejected')
      expect(reviewed.get(answer.review?.proposal ?? '')).toMatchObject({ state: 'rejected' });
    return;
  }
  if (answer.repeated) return;
  if (answer.approval === undefined) {
    expect(sum).toBeLessThanOrEqual(MAX);
    return;
  }
  stories.approvals++;
  const review = reviewed.get(answer.approval.proposal);
  expect(review).toMatchObject({
    state: 'approved',
    change: { order: { orderId: request.orderId }, digest: requestDigest(request) },
  });
  if (review === undefined) return;
  if (proposalNumber(review) > 1) stories.again++;
  expect(sum).toBeLessThanOrEqual(upToOf(review));
  const name = orderName({ appId: 'shop', orderId: request.orderId });
  for (const one of reviewed.values())
    if (one.id.startsWith(`${name}-`) && one.state === 'rejected')
      expect(one.change).not.toMatchObject({ digest: requestDigest(request) });
}

it('what passes by an approval is what was approved, whatever runs beside it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.array(act, { minLength: 3, maxLength: 8 }), { minLength: 2, maxLength: 4 }),
      play,
    ),
    { numRuns: times('reviewStories'), seed: SEED },
  );
  // Scenes in which nobody passes would prove nothing.
  expect(stories.approvals).toBeGreaterThan(times('reviewStories') / 10);
  expect(stories.again).toBeGreaterThan(0);
}, 300_000);
