import { expect } from 'vitest';
import { HeadroomError } from '../../lib/domain/errors.ts';
import type { ManyResult } from '../../lib/domain/many.ts';
import type { CheckRequest } from '../../lib/domain/request.ts';
import type { CounterStore } from '../../lib/store/counter-store.ts';
import type { Limits } from '../../lib/limits.ts';
import type { Step, Walk } from '../model/walk.ts';
import type { ServiceUnderTest } from '../support/service-under-test.ts';
import { libCheck, libOrder } from '../support/service-under-test.ts';

/** One of many settlements, in the words of the library. */
export type Settlement = Parameters<Limits['settleMany']>[0][number];

/** A story told in calls of many orders, with the time at which each is made. */
export type Round = {
  readonly now: Date;
  readonly checks: readonly CheckRequest[];
  readonly settlements: readonly Settlement[];
  readonly scale?: number;
};

/** Steps that are put together in one round, at most. */
const STEPS_OF_A_ROUND = 14;

/** Puts the steps of a walk together: many checks at an instant, then many settlements. */
export function roundsOf(walk: Walk): readonly Round[] {
  const rounds: Round[] = [];
  let now = walk.startsAt;
  for (let from = 0; from < walk.steps.length; from += STEPS_OF_A_ROUND) {
    const steps = walk.steps.slice(from, from + STEPS_OF_A_ROUND);
    const checks = new Map<string, CheckRequest>();
    const settlements = new Map<string, Settlement>();
    let next = now;
    for (const step of steps) {
      if (step.do === 'check') checks.set(step.request.orderId, libCheck(step.request));
      else if (step.do === 'confirm' || step.do === 'rollback')
        settlements.set(step.request.orderId, {
          ...libOrder(step.request),
          to: step.do === 'confirm' ? 'confirmed' : 'rolledBack',
        });
      else next = new Date(next.getTime() + lengthOf(step));
    }
    rounds.push({ now, checks: [...checks.values()], settlements: [...settlements.values()] });
    now = next;
  }
  return rounds;
}

function lengthOf(step: Step): number {
  if (step.do === 'advance') return step.ms;
  if (step.do !== 'jump') return 0;
  return ([1_000, 3_000, 60_000, 900_000][step.pick % 4] ?? 0) + step.offsetMs;
}

/** What a call ended with, as a value. */
export async function resultOf<T>(call: Promise<T>): Promise<ManyResult<T>> {
  try {
    return { kind: 'answered', answer: await call };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

/** The same settlement as a call of its own. */
export async function settleOne(limits: Limits, one: Settlement, now: Date): Promise<object> {
  const { to, ...request } = one;
  return to === 'confirmed'
    ? { kind: to, ...(await limits.confirm(request, now)) }
    : { kind: to, ...(await limits.rollback(request, now)) };
}

/** An answer without what no two calls have in common, the nonce in the reservation. */
export function comparable(result: ManyResult<object> | undefined): unknown {
  if (result?.kind !== 'answered') {
    const error = result?.error;
    return error instanceof HeadroomError ? { code: error.code } : error;
  }
  const { reservation, ...answer } = result.answer as { readonly reservation?: string }; // or none
  return { ...answer, reserved: reservation !== undefined };
}

/** Only what was decided. */
export function decided(result: ManyResult<object> | undefined): unknown {
  const told = comparable(result) as Readonly<Record<string, unknown>>; // of an error, its code
  const { code, kind, repeated, state } = told;
  return { code, kind, repeated, state };
}

type Stored = Readonly<Record<string, unknown>>;

/** Stored documents without nonces, the memory and the buckets in an order of their own. */
export function comparableDocuments(documents: Iterable<Stored>): unknown {
  return [...documents]
    .map((document) => ({
      ...document,
      ...sorted(document, 'holds'),
      ...sorted(document, 'settled'),
      ...sorted(document, 'buckets'),
    }))
    .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

function sorted(document: Stored, field: string): object {
  const list = document[field] ?? []; // an empty list says the same as none
  if (!Array.isArray(list)) return {};
  const plain = list.map((item: Stored) => {
    const { nonce, leftOut, ...rest } = item;
    expect(nonce === undefined || typeof nonce === 'string').toBe(true);
    return Array.isArray(leftOut) && leftOut.length > 0 ? { ...rest, leftOut } : rest;
  });
  const text = (item: unknown): string => JSON.stringify(item);
  return { [field]: plain.sort((one, other) => (text(one) < text(other) ? -1 : 1)) };
}

/**
 * Only what counts: a share that was given back leaves an empty bucket, an empty document and an
 * earlier `due`, which of them depends on who was asked first.
 */
export function whatCounts(documents: Iterable<Stored>): readonly Stored[] {
  const isEmpty = (list: unknown): boolean => !Array.isArray(list) || list.length === 0;
  return [...documents]
    .map(({ due, expireAt, buckets, ...document }) => {
      expect([due, expireAt]).toHaveLength(2);
      const list = Array.isArray(buckets) ? (buckets as readonly Stored[]) : []; // as stored
      return {
        ...document,
        buckets: list.filter((one) => Number(one.usedCount) + Number(one.heldCount) > 0),
      };
    })
    .filter((document) => {
      const { buckets, holds, settled }: Stored = document;
      return ![buckets, holds, settled].every(isEmpty);
    });
}

/** The order in which calls one by one say the same as a call of many. */
export type InTurn = (
  checks: readonly CheckRequest[],
  results: readonly ManyResult<object>[],
  /** Ids of holds that were asked by themselves at the end, in that order. */
  askedAlone: ReadonlySet<string>,
) => CheckRequest[];

/** The same documents; the ids of holds that are asked one by one are noted. */
export function notingSingles(counters: CounterStore, ids: Set<string>): CounterStore {
  return {
    ...counters,
    hold(document, ask, at) {
      ids.add(ask.id);
      return counters.hold(document, ask, at);
    },
  };
}

/** Plays a story by calls of many, and one by one at the same instants; fails where they differ. */
export async function expectSame(
  walk: Walk,
  many: ServiceUnderTest,
  one: ServiceUnderTest,
  stored: () => Promise<{ readonly many: Iterable<Stored>; readonly one: Iterable<Stored> }>,
  compare: (result: ManyResult<object> | undefined) => unknown,
  inTurn: InTurn,
  askedAlone: Set<string>,
): Promise<number> {
  await many.useRules(walk.rules);
  await one.useRules(walk.rules);
  let taken = 0;
  for (const { now, checks, settlements } of roundsOf(walk)) {
    if (checks.length > 0) {
      askedAlone.clear();
      const results = await many.limits.checkMany(checks, false, now);
      taken += results.filter(({ kind }) => kind === 'answered').length;
      const expected = new Map<string, unknown>();
      for (const request of inTurn(checks, results, askedAlone))
        expected.set(request.orderId, compare(await resultOf(one.limits.check(request, now))));
      for (const [index, { orderId }] of checks.entries())
        expect(compare(results[index]), `check of ${orderId}`).toEqual(expected.get(orderId));
    }
    if (settlements.length > 0) {
      const results = await many.limits.settleMany(settlements, now);
      for (const [index, settlement] of settlements.entries()) {
        const expected = await resultOf(settleOne(one.limits, settlement, now));
        expect(compare(results[index]), settlement.orderId).toEqual(compare(expected));
      }
    }
    const documents = await stored();
    expect(comparableDocuments(documents.many)).toEqual(comparableDocuments(documents.one));
  }
  return taken;
}
