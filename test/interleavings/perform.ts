import { readDocument } from '../../lib/shared/subject.ts';
import type {
  CheckAnswer,
  ConfirmAnswer,
  RecordAnswer,
  RefundAnswer,
  RollbackAnswer,
} from '../../lib/limits/answer.ts';
import type { ManyResult } from '../../lib/limits/many.ts';
import type {
  CheckRequest,
  RecordRequest,
  RefundRequest,
  SettlementRequest,
  Whereabouts,
} from '../../lib/shared/request.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import { checkOf } from '../support/limits-fixture.ts';
import type {
  Naming,
  Scene,
  SceneCall,
  SceneMode,
  SceneOrder,
  SceneRefund,
  SceneSettlement,
} from './scene.ts';
import {
  HOLD_MS,
  WALLET,
  amountOf,
  finalAmountOf,
  homeSubjects,
  orderIn,
  otherSubjects,
} from './scene.ts';
import { appOf } from '../model/model-types.ts';
import { PROOF } from './scene-rules.ts';
import type { Caller, Running } from './moves.ts';
import type { TermsTold } from './support-terms.ts';
import { changeTerms } from './support-terms.ts';

export type Told = { readonly order: number } & (
  | { readonly kind: 'checked' | 'looked'; readonly answer: CheckAnswer }
  | { readonly kind: 'confirmed'; readonly answer: ConfirmAnswer }
  | { readonly kind: 'rolledBack'; readonly answer: RollbackAnswer }
  | { readonly kind: 'recorded'; readonly answer: RecordAnswer }
  | { readonly kind: 'refunded'; readonly answer: RefundAnswer }
  | { readonly kind: 'failed'; readonly error: unknown }
);

export type Heard = Told & { readonly running: Running };

export type Reservations = { readonly first: string; readonly newest: string };

/** Makes a call; what it was told of each order. It throws nothing. */
export async function perform(
  { limits, terms }: Pick<Caller, 'limits' | 'terms'>,
  scene: Scene,
  call: SceneCall,
  reservations: ReadonlyMap<number, Reservations>,
): Promise<readonly (Told | TermsTold)[]> {
  const settlementOf = (one: SceneSettlement): SettlementRequest =>
    settlementRequest(scene, one, reservations);
  switch (call.do) {
    case 'check':
      return [await told(call.order, () => checked(limits, scene, call))];
    case 'dryRun':
      return [
        await told(call.order, async () => {
          const request = { ...checkRequest(scene, call.order, call), dryRun: true };
          return { kind: 'looked', answer: await limits.check(request) };
        }),
      ];
    case 'checks': {
      const requests = call.orders.map((order) => checkRequest(scene, order, call));
      return toldOfMany(call.orders, async () => {
        const results = await limits.checkMany(requests, call.atomic);
        return results.map(ofMany((answer) => ({ kind: 'checked', answer })));
      });
    }
    case 'settle':
      return [await told(call.order, () => settled(limits, settlementOf(call)))];
    case 'settlements': {
      const orders = call.settlements.map(({ order }) => order);
      return toldOfMany(orders, async () => {
        const results = await limits.settleMany(call.settlements.map(settlementOf));
        return results.map(
          ofMany((answer) =>
            answer.state === 'rolledBack'
              ? { kind: 'rolledBack', answer }
              : { kind: 'confirmed', answer },
          ),
        );
      });
    }
    case 'record': {
      const requests = call.orders.map((order) => recordRequest(scene, order));
      return toldOfMany(call.orders, async () => {
        const results = await limits.recordMany(requests);
        return results.map(ofMany((answer) => ({ kind: 'recorded', answer })));
      });
    }
    case 'refund':
      return [
        await told(call.order, async () => {
          const answer = await limits.refund(refundRequest(scene, call, reservations));
          return { kind: 'refunded', answer };
        }),
      ];
    case 'sweep':
      await limits.check(sweepRequest(call.name, call.document)).catch(() => undefined);
      return [];
    case 'empty': {
      const request = emptyRequest(call.name, call.document);
      const { appId, orderId, subjects } = request;
      const whereabouts = { kind: 'subjects', subjects } as const;
      await limits
        .check(request)
        .then(() => limits.rollback({ appId, orderId, whereabouts }))
        .catch(() => undefined);
      return [];
    }
    case 'terms':
      return [await changeTerms(terms, call)];
    case 'rules':
      return [];
  }
}

type Untold<T = Told> = T extends unknown ? Omit<T, 'order'> : never;

async function told(order: number, ask: () => Promise<Untold>): Promise<Told> {
  try {
    return { order, ...(await ask()) };
  } catch (error) {
    return { order, kind: 'failed', error };
  }
}

async function toldOfMany(
  orders: readonly number[],
  ask: () => Promise<readonly Untold[]>,
): Promise<readonly Told[]> {
  try {
    const results = await ask();
    return orders.map((order, at) => ({ order, ...(results[at] ?? missing) }));
  } catch (error) {
    return orders.map((order) => ({ order, kind: 'failed', error }));
  }
}

const missing: Untold = { kind: 'failed', error: new Error('one of many orders has no result') };

function ofMany<Answer>(read: (answer: Answer) => Untold): (result: ManyResult<Answer>) => Untold {
  return (result) =>
    result.kind === 'failed' ? { kind: 'failed', error: result.error } : read(result.answer);
}

async function checked(
  limits: Limits,
  scene: Scene,
  call: Extract<SceneCall, { readonly do: 'check' }>,
): Promise<Untold> {
  return { kind: 'checked', answer: await limits.check(checkRequest(scene, call.order, call)) };
}

async function settled(limits: Limits, request: SettlementRequest): Promise<Untold> {
  return request.to === 'confirmed'
    ? { kind: 'confirmed', answer: await limits.confirm(request) }
    : { kind: 'rolledBack', answer: await limits.rollback(request) };
}

function checkRequest(
  scene: Scene,
  order: number,
  { isProven = false }: SceneMode = {},
): CheckRequest {
  const { orderId, subjects, capture, isPayout = false, ...known } = orderIn(scene, order);
  const { isPartial, card } = known;
  const amount =
    isPartial === true
      ? { amountMinor: finalAmountOf(order), leastMinor: amountOf(order) }
      : { amountMinor: amountOf(order) };
  const proofs = isProven ? { proofs: [PROOF] } : {};
  const attributes = card === undefined ? {} : { attributes: { pan: card } };
  const appId = appOf(orderId);
  const part = appId === WALLET ? { openPercent: scene.openMax?.walletPercent } : {};
  const asked = { appId, orderId, subjects, capture, ...amount, ...proofs, ...attributes, ...part };
  return checkOf({ ...asked, type: isPayout ? 'PAYOUT' : 'PAYMENT', holdMs: HOLD_MS });
}

/** An hour before every story: its minute is over, and its life is not. */
export const HAPPENED_AT = new Date('2026-03-02T09:00:00.000Z');

function recordRequest(scene: Scene, order: number): RecordRequest {
  const { appId, orderId, type, subjects, ...rest } = checkRequest(scene, order);
  const { currency, count, attributes } = rest;
  const amountMinor = amountOf(order);
  const { failed } = orderIn(scene, order);
  return {
    ...{ appId, orderId, subjects, amountMinor, currency, count, attributes },
    ...(type === undefined ? {} : { type }),
    ...(failed === undefined ? {} : { ending: { to: 'rolledBack', ...failed } }),
    happenedAt: HAPPENED_AT,
  };
}

function settlementRequest(
  scene: Scene,
  { order, to, by, isFinal = false, reasonCode }: SceneSettlement,
  reservations: ReadonlyMap<number, Reservations>,
): SettlementRequest {
  const known = orderIn(scene, order);
  const whereabouts = whereaboutsOf(known, by, reservations.get(order));
  const amount = isFinal ? { amountMinor: finalAmountOf(order) } : {};
  const { orderId } = known;
  return { appId: appOf(orderId), orderId, to, whereabouts, ...amount, reasonCode };
}

function refundRequest(
  scene: Scene,
  { order, refundId, tenths, by }: SceneRefund,
  reservations: ReadonlyMap<number, Reservations>,
): RefundRequest {
  const known = orderIn(scene, order);
  const whereabouts = whereaboutsOf(known, by, reservations.get(order));
  const amount = tenths === undefined ? {} : { amountMinor: tenths * amountOf(order) };
  const { orderId } = known;
  return { appId: appOf(orderId), orderId, refundId, whereabouts, ...amount };
}

function whereaboutsOf(
  order: SceneOrder,
  by: Naming,
  reservations: Reservations | undefined,
): Whereabouts {
  const subjects = { kind: 'subjects', subjects: order.subjects } as const;
  switch (by) {
    case 'reservation':
      return reservations ? { kind: 'reservation', token: reservations.newest } : subjects;
    case 'first':
      return reservations ? { kind: 'reservation', token: reservations.first } : subjects;
    case 'subjects':
      return subjects;
    case 'home':
      return { kind: 'subjects', subjects: homeSubjects(order) };
    case 'recorded':
      return { kind: 'recorded' };
    case 'others':
      return { kind: 'subjects', subjects: otherSubjects(order) };
  }
}

function sweepRequest(name: string, document: string): CheckRequest {
  const sweep = {
    orderId: name,
    subjects: readDocument(document).subjects,
    currency: 'USD',
    type: 'SWEEP',
  };
  return checkOf({ ...sweep, amountMinor: 1, capture: true });
}

function emptyRequest(name: string, document: string): CheckRequest {
  const emptied = {
    orderId: name,
    subjects: readDocument(document).subjects,
    currency: 'USD',
    type: 'EMPTY',
  };
  return checkOf({ ...emptied, amountMinor: 1, holdMs: HOLD_MS });
}
