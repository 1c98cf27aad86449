import { expect } from 'vitest';
import { countsOutcome } from '../../lib/rule/counter-key.ts';
import { groupedBy } from '../../lib/shared/grouped.ts';
import { namesInText } from '../../lib/document/document.ts';
import { readBucketName } from '../../lib/counter/name.ts';
import { HeadroomError } from '../../lib/shared/errors.ts';
import type { ManyResult } from '../../lib/limits/many.ts';
import type { CheckRequest } from '../../lib/shared/request.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import type { Step, Walk } from '../model/walk.ts';
import type { ServiceUnderTest } from '../support/service-under-test.ts';
import { libCheck, libOrder } from '../support/service-under-test.ts';
import type { StoredPastHold } from '../../lib/document/stored.ts';
import { openHoldsOf } from '../support/held.ts';

export type Settlement = Parameters<Limits['settleMany']>[0][number];

/** A story told in calls of many orders, with the time at which each is made. */
export type Round = {
  readonly now: Date;
  readonly checks: readonly CheckRequest[];
  readonly settlements: readonly Settlement[];
  readonly scale?: number;
};

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
    // The orders of one call are of one application.
    for (const ofApp of groupedBy([...checks.values()], ({ appId }) => appId).values())
      rounds.push({ now, checks: ofApp, settlements: [] });
    rounds.push({ now, checks: [], settlements: [...settlements.values()] });
    now = next;
  }
  return rounds;
}

function lengthOf(step: Step): number {
  if (step.do === 'advance') return step.ms;
  if (step.do !== 'jump') return 0;
  return ([1_000, 3_000, 60_000, 900_000][step.pick % 4] ?? 0) + step.offsetMs;
}

export async function resultOf<T>(call: Promise<T>): Promise<ManyResult<T>> {
  try {
    return { kind: 'answered', answer: await call };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

export async function settleOne(limits: Limits, one: Settlement, now: Date): Promise<object> {
  const { to, ...request } = one;
  return to === 'confirmed' ? limits.confirm(request, now) : limits.rollback(request, now);
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

export function decided(result: ManyResult<object> | undefined): unknown {
  const told = comparable(result) as Readonly<Record<string, unknown>>; // of an error, its code
  const { code, kind, repeated, state, part } = told;
  return { code, kind, repeated, state, part };
}

/** A refusal whole, as all that it says is of the order's turn; of other answers what was decided. */
export function decidedInTurn(result: ManyResult<object> | undefined): unknown {
  const told = comparable(result) as { readonly kind?: string }; // or an error's code
  return told.kind === 'refused' ? told : decided(result);
}

type Stored = Readonly<Record<string, unknown>>;

type Sums = Readonly<Partial<Record<'a' | 'n' | 'ua' | 'un', unknown>>>;

/**
 * Stored documents without nonces, and without what only says how they were written: buckets that
 * nothing needs any more go at another time, what expired is remembered when somebody tidies, and a refusal
 * may make the document of a new subject.
 */
export function comparableDocuments(documents: Iterable<Stored>, now: Date): unknown {
  return (
    [...documents]
      .map((stored) => {
        const released = withoutLapsed(stored, now);
        const { b, holds, settled, expired, kept, remembered, seen, madeAt, ...document } =
          released;
        expect(['number', 'object', 'undefined']).toContain(typeof remembered);
        for (const at of [seen, madeAt]) expect(at === undefined || at instanceof Date).toBe(true);
        return {
          ...document,
          b: neededBuckets(b, now),
          holds: withoutNonces(holds),
          settled: withoutNonces(settled),
          expired: withoutNonces(expired),
          kept: withoutNonces(kept),
        };
      })
      // A refusal of a new subject may leave a document that holds nothing.
      .filter(({ b, holds, settled, kept }) =>
        [b, holds, settled, kept].some((each) => Object.keys(each).length > 0),
      )
      .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
  );
}

/**
 * Buckets by name in order, but for those that are over, or empty, and that no hold names. Of one that is
 * over, what is held: a late confirm counts there only where nobody has tidied before.
 */
function neededBuckets(buckets: unknown, now: Date): object {
  const entries = Object.entries((buckets ?? {}) as Readonly<Record<string, Sums>>); // as stored
  const isOver = (name: string): boolean => readBucketName(name).until <= now;
  const needed = entries.filter(
    ([name, { n = 0, un = 0 }]) => Number(n) > Number(un) || (!isOver(name) && Number(n) > 0),
  );
  const plain = needed.map(([name, sums]): [string, object] => {
    const [amount = 0, count = 0, usedAmount = 0, usedCount = 0] = [
      ...[sums.a, sums.n, sums.ua, sums.un],
    ].map((sum) => Number(sum ?? 0));
    const held = { heldAmount: amount - usedAmount, heldCount: count - usedCount };
    return [name, isOver(name) ? held : { ...held, usedAmount, usedCount }];
  });
  return Object.fromEntries(plain.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function withoutNonces(list: unknown): readonly unknown[] {
  if (!Array.isArray(list)) return []; // no list says the same as an empty one
  const plain = list.map((item: Stored) => {
    const { nonce, is, count = 1, leftOut = [], ...rest } = item;
    expect(typeof (nonce ?? is)).toBe('string');
    const outcome = typeof is === 'string' ? { is: is.slice(0, 1) + is.slice(-16) } : {};
    return { ...rest, ...outcome, count: Number(count), leftOut };
  });
  const text = (item: unknown): string => JSON.stringify(item);
  return plain.sort((one, other) => (text(one) < text(other) ? -1 : 1));
}

/**
 * Only what counts: an empty document, its end and its time may be another, and so may whether what
 * lapsed is released yet, which depends on who was asked first.
 */
export function whatCounts(documents: Iterable<Stored>, now: Date): readonly Stored[] {
  const isEmpty = (list: unknown): boolean =>
    list === undefined || Object.keys(list as object).length === 0; // a list or a map
  return [...documents]
    .map(({ expireAt, madeAt, seen, remembered, ...document }) => {
      expect([expireAt, madeAt, seen, remembered]).toHaveLength(4);
      const released = withoutLapsed(document, now);
      return { ...released, b: neededBuckets(released.b, now) };
    })
    .filter(({ b, holds, settled }: Stored) => ![b, holds, settled].every(isEmpty));
}

/** A document once what lapsed is released, and remembered or kept, as the next write would. */
function withoutLapsed({ h, p, q, open, shares, ...document }: Stored, now: Date): Stored {
  const list = (field: string): readonly StoredPastHold[] =>
    (document[field] ?? []) as readonly StoredPastHold[]; // as stored
  expect(['number', 'object', 'undefined']).toContain(typeof q); // as many as there were statements
  const holds = openHoldsOf({ h, p });
  const isBeside = ({ home }: StoredPastHold): boolean => home !== undefined;
  expect(Number(open ?? 0)).toBe(holds.filter((hold) => !isBeside(hold)).length);
  expect(Number(shares ?? 0)).toBe(holds.filter(isBeside).length);
  const lapsed = holds.filter(({ until }) => until <= now);
  const sums = Object.entries((document.b ?? {}) as Readonly<Record<string, Stored>>).map(
    ([name, bucket]) => {
      const gone = lapsed.filter(({ b = '' }) => namesInText(b).includes(name));
      // An expiry that counts uses what was held.
      const used = countsOutcome(readBucketName(name).counter, 'expired') ? 1 : 0;
      const sumOf = (field: 'a' | 'n' | 'ua' | 'un', of: 'a' | 'n', sign: number): object =>
        sign === 0 || bucket[of] === undefined || bucket[of] === null
          ? {}
          : {
              [field]: gone.reduce(
                (sum, hold) => sum + sign * Number(hold[of] ?? 1),
                Number(bucket[field] ?? 0),
              ),
            };
      // `a` and `n` have what is used, too.
      return [
        name,
        {
          ...bucket,
          ...sumOf('a', 'a', used - 1),
          ...sumOf('n', 'n', used - 1),
          ...sumOf('ua', 'a', used),
          ...sumOf('un', 'n', used),
        },
      ];
    },
  );
  const ofHome = lapsed.filter((hold) => !isBeside(hold));
  const kept = lapsed.filter(isBeside);
  return {
    ...document,
    holds: holds.filter(({ until }) => until > now),
    expired: [...list('expired'), ...ofHome],
    kept: [
      ...list('kept'),
      ...kept.map(({ digest: _digest, leftOut: _leftOut, others: _others, ...share }) => share),
    ],
    b: Object.fromEntries(sums) as unknown,
  };
}

/** Plays a story by calls of many, and one by one at the same instants; fails where they differ. */
export async function expectSame(
  walk: Walk,
  many: ServiceUnderTest,
  one: ServiceUnderTest,
  stored: (
    now: Date,
  ) => Promise<{ readonly many: Iterable<Stored>; readonly one: Iterable<Stored> }>,
  compare: (result: ManyResult<object> | undefined) => unknown,
): Promise<number> {
  await many.useRules(walk.rules);
  await one.useRules(walk.rules);
  let taken = 0;
  for (const { now, checks, settlements } of roundsOf(walk)) {
    if (checks.length > 0) {
      const results = await many.limits.checkMany(checks, false, now);
      taken += results.filter(({ kind }) => kind === 'answered').length;
      const expected = new Map<string, unknown>();
      for (const request of checks)
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
    const documents = await stored(now);
    expect(comparableDocuments(documents.many, now)).toEqual(
      comparableDocuments(documents.one, now),
    );
  }
  return taken;
}
