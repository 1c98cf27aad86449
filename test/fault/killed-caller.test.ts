import { beforeAll, describe, expect, inject, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { someOf } from '../support/extent.ts';
import { checkOf, limitsOver } from '../support/limits-fixture.ts';
import { killCaller } from '../support/kill-caller.ts';
import type { Fault } from '../support/tcp-proxy.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import type { Act, Maxima, Sums } from '../support/broken-orders.ts';
import {
  CAPTURE,
  CHECK,
  CONFIRM,
  copySubject,
  counted,
  HELD,
  lastOf,
  NOTHING,
  perform,
  prepareTemplate,
  ROLLBACK,
  rulesOf,
  subjectsOf,
  USED,
  withShares,
} from '../support/broken-orders.ts';

/** Where the caller is killed: before a step reaches the database, or once it has happened there. */
const MOMENTS: readonly Fault[] = ['request-late', 'answer-swallowed'];

/** After every hold of the template has been taken; holds last 15 minutes. */
const KILLED_AT = new Date('2026-03-02T10:00:00.000Z');
const NEXT_SECOND = new Date('2026-03-02T10:00:01.000Z');
/** A share beside home outlives home's hold by a second. */
const EXPIRED_AT = new Date('2026-03-02T10:15:02.000Z');

const EXPIRED = lastOf(NOTHING);
const COUNTED = lastOf(USED);

const BACK = { state: 'rolledBack', repeated: false };
const BACK_AGAIN = { ...BACK, repeated: true };
const GONE = [EXPIRED, EXPIRED] as const;

/**
 * What callers do, step by step. `left` is what both documents count once holds are over, `leaves` after
 * how many steps the merchant's holds a share that home does not know, and `rollback` what a rollback is
 * answered in place of the repeat, each by the steps that were done.
 */
const ROWS: readonly {
  readonly what: string;
  readonly before: readonly Act[];
  readonly act: Act;
  readonly max: Maxima;
  readonly steps: readonly string[];
  readonly moments: readonly Fault[];
  readonly answer: object;
  readonly after: Sums;
  readonly left: readonly (readonly [Sums, Sums])[];
  readonly leaves?: number;
  readonly rollback: readonly (string | object)[];
}[] = [
  {
    what: 'a check that fits',
    before: [],
    act: CHECK,
    max: {},
    steps: ['hold in the merchant’s', 'hold in the user’s'],
    moments: MOMENTS,
    answer: { kind: 'allowed' },
    after: HELD,
    left: [GONE, GONE, GONE],
    leaves: 1,
    rollback: ['NOT_FOUND', 'NOT_FOUND', BACK],
  },
  {
    what: "a check that the merchant's rule refuses",
    before: [],
    act: CHECK,
    max: { merchant: 449 },
    steps: ['ask the merchant’s plainly', 'ask it to decide', 'look at both'],
    moments: MOMENTS,
    answer: { kind: 'refused' },
    after: NOTHING,
    left: [GONE, GONE, GONE, GONE],
    rollback: ['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND'],
  },
  {
    what: 'a check that counts at once',
    before: [],
    act: CAPTURE,
    max: {},
    steps: [
      ...['hold in the merchant’s', 'count in the user’s'],
      ...['read the merchant’s', 'count in the merchant’s'],
    ],
    moments: ['answer-swallowed'],
    answer: { kind: 'allowed', state: 'confirmed' },
    after: USED,
    left: [GONE, GONE, [COUNTED, EXPIRED], [COUNTED, EXPIRED], [COUNTED, COUNTED]],
    leaves: 1,
    rollback: [
      ...['NOT_FOUND', 'NOT_FOUND'],
      ...['ALREADY_CONFIRMED', 'ALREADY_CONFIRMED', 'ALREADY_CONFIRMED'],
    ],
  },
  {
    what: 'a confirm',
    before: [CHECK],
    act: CONFIRM,
    max: {},
    steps: [
      ...['read the user’s document', 'count in the user’s document'],
      ...['read the merchant’s', 'count in the merchant’s'],
    ],
    moments: ['answer-swallowed'],
    answer: { amount: 300, late: false },
    after: USED,
    left: [GONE, GONE, [COUNTED, EXPIRED], [COUNTED, EXPIRED], [COUNTED, COUNTED]],
    rollback: [BACK, BACK, 'ALREADY_CONFIRMED', 'ALREADY_CONFIRMED', 'ALREADY_CONFIRMED'],
  },
  {
    what: 'a rollback',
    before: [CHECK],
    act: ROLLBACK,
    max: {},
    steps: [
      ...['read the user’s document', 'give back in the user’s document'],
      ...['read the merchant’s', 'give back in the merchant’s'],
    ],
    moments: ['answer-swallowed'],
    answer: {},
    after: NOTHING,
    left: [GONE, GONE, GONE, GONE, GONE],
    rollback: [BACK, BACK, BACK_AGAIN, BACK_AGAIN, BACK_AGAIN],
  },
];

type Row = (typeof ROWS)[number];

const CASES = ROWS.flatMap((row, index) =>
  row.steps.flatMap((step, after) =>
    row.moments.map((fault) => ({
      row,
      what: row.what,
      step,
      after,
      fault,
      moment: fault === 'request-late' ? 'before' : 'after',
      done: fault === 'request-late' ? after : after + 1,
      name: `killed-${index}-${after}-${fault}`,
    })),
  ),
);

const database = useDatabase();
beforeAll(() => prepareTemplate(database.db, true, KILLED_AT));

/** Starts a caller and kills it at a step of its call, before it is answered. */
async function kill(name: string, row: Row, after: number, fault: Fault): Promise<void> {
  const rules = JSON.stringify(rulesOf(row.max, true));
  const killed = await killCaller({
    databaseUri: inject('mongodbUri'),
    program: 'kill-caller',
    args: [
      ...[database.db.databaseName, rules, name, KILLED_AT.toISOString()],
      JSON.stringify(row.act),
    ],
    after,
    fault,
  });
  expect(killed).toEqual({ isMet: true, output: '' });
}

/** Rolls back in place of a repeat; where the order was counted already, a confirm completes that. */
async function rollBackInstead(limits: Limits, name: string, row: Row, done: number) {
  const subjects = subjectsOf(name, true);
  const answer = await perform(limits, ROLLBACK, subjects, NEXT_SECOND);
  expect(answer).toEqual(row.rollback[done]);
  const isCounted = answer === 'ALREADY_CONFIRMED';
  if (isCounted) await perform(limits, CONFIRM, subjects, NEXT_SECOND);
  expect(await counted(limits, subjects, NEXT_SECOND)).toEqual(
    bothWith(isCounted ? USED : NOTHING, row.leaves === done),
  );
}

/** What both documents count where the merchant's may hold a share beside that. */
function bothWith(sums: Sums, isShareLeft: boolean): readonly Sums[] {
  return [sums, withShares(sums, isShareLeft ? 1 : 0)];
}

describe('a caller killed in the middle of a call over two documents', () => {
  it.concurrent.each(someOf('killedCallers', CASES))(
    '$what, $moment "$step": the rest expires by itself, never admits too much, and a repeat or a rollback ends it',
    async ({ name, row, after, done, fault }) => {
      const subjects = subjectsOf(name, true);
      const limits = limitsOver(database.db, rulesOf(row.max, true));
      await copySubject(database.db, 'template', name);
      for (const act of row.before) await perform(limits, act, subjects, KILLED_AT);
      await kill(name, row, after, fault);
      await copySubject(database.db, name, `${name}-back`);

      // Left alone, nothing of it is held once its time is over.
      expect(await counted(limits, subjects, EXPIRED_AT)).toEqual(row.left[done]);

      // Meanwhile others get what is free, and no more.
      const room = Math.min(row.max.merchant ?? 999, 999) - 150;
      const greedy = checkOf({ orderId: 'greedy', subjects, amountMinor: room + 1 });
      expect(await limits.check(greedy, NEXT_SECOND)).toMatchObject({ kind: 'refused' });

      // Another caller that repeats the call finds it, begins again or is refused.
      const repeat = await perform(limits, row.act, subjects, NEXT_SECOND);
      expect(repeat).toMatchObject(row.answer);
      const isShareLeft = row.leaves === done;
      expect(await counted(limits, subjects, NEXT_SECOND)).toEqual(
        bothWith(row.after, isShareLeft),
      );
      const left = room - (row.after === NOTHING ? 0 : 300) - (isShareLeft ? 300 : 0);
      const modest = checkOf({ orderId: 'modest', subjects, amountMinor: left });
      expect(await limits.check(modest, NEXT_SECOND)).toMatchObject({ kind: 'allowed' });
      const more = checkOf({ orderId: 'more', subjects, amountMinor: 1 });
      expect(await limits.check(more, NEXT_SECOND)).toMatchObject({ kind: 'refused' });

      await rollBackInstead(limits, `${name}-back`, row, done);
    },
  );
});
