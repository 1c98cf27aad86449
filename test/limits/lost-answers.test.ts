/** What becomes of a call one of whose statements lost its answer: the table of docs/internals/design.md, row by row. */
import { isTake } from '../support/statement-operators.ts';
import { describe, expect, it } from 'vitest';
import type { Db } from 'mongodb';
import type { CounterStore } from '../../lib/document/counter-store.ts';
import { countersOver } from '../../lib/document/counters.ts';
import type { Statements } from '../../lib/document/statements.ts';
import type { Update } from '../../lib/document/update.ts';
import type { CounterDocument } from '../../lib/document/mongo-counter-store.ts';
import { mongoStatements } from '../../lib/document/mongo-counter-store.ts';
import { mongoCounters } from '../../lib/document/mongo-commit.ts';
import { HeadroomError, LostAnswerError, UndecidedError } from '../../lib/shared/errors.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import { useDatabase } from '../support/database.ts';
import { PLAIN_OFF, PLAIN_ON } from '../support/lanes.ts';
import { USER_DAY, checkOf, orderOf, recordOf, limitsOver } from '../support/limits-fixture.ts';
import type { Documents } from '../support/mingo-store.ts';
import { countersWithoutCommits, mingoStatements } from '../support/mingo-store.ts';
import { ESTIMATE, ORDER, SECOND, UNTIL, holdAsk } from '../support/statement-asks.ts';
import type { ModelRule } from '../model/model-types.ts';
import { PATIENCE_MS } from '../support/patient-counters.ts';

const database = useDatabase();

const AT = new Date('2026-03-02T06:00:00.000Z');
const ONE = { user: 'u' };
const TWO = { user: 'u', merchant: 'm' };
const RULES = (['user', 'merchant'] as const).map((kind): ModelRule => ({
  ...USER_DAY,
  id: kind,
  per: [kind],
  window: 'lifetime',
  max: { count: 2 },
}));

/** Of a lost statement: it is done, it arrives once the call is over, or never. */
type Fate = 'done' | 'late' | 'never';
type Target = { readonly document: string; readonly kind: 'add' | 'make' | 'take' | 'tidy' };

const kindOf = (update: Update): Target['kind'] => {
  if (isTake(update)) return 'take';
  return update.returns === undefined ? 'tidy' : 'add';
};

type Losing = Statements & { readonly arrive: () => Promise<unknown>; readonly lost: () => number };

/** Statements of which one loses its answer, once; others do something before its call goes on. */
function losing(
  statements: Statements,
  { target, fate, meanwhile, overtaken }: Row,
  others: Limits,
): Losing {
  const { document, kind } = target;
  let lost = 0;
  let isOvertaken = false;
  let late: () => Promise<unknown> = () => Promise.resolve();
  const sent = async <T>(isIt: boolean, send: () => Promise<T>): Promise<T> => {
    if (!isIt || lost > 0) return send();
    lost += 1;
    if (fate === 'done') await send();
    if (fate === 'late') late = send;
    await meanwhile?.(others);
    throw new LostAnswerError('the answer was lost', performance.now() + PATIENCE_MS);
  };
  return {
    ...statements,
    async update(update) {
      const isAtHome = update.filter._id === HOME.document && !isOvertaken;
      isOvertaken ||= isAtHome;
      if (isAtHome) await overtaken?.(others);
      return sent(update.filter._id === document && kindOf(update) === kind, () =>
        statements.update(update),
      );
    },
    make: (id, pipeline, projection) =>
      sent(id === document && kind === 'make', () => statements.make(id, pipeline, projection)),
    arrive: () => late(),
    lost: () => lost,
  };
}

type Told = Readonly<Record<string, unknown>> | string;
type Act = (limits: Limits) => Promise<unknown>;

const check =
  (orderId: string, subjects: object, more: object = {}, at = AT): Act =>
  (limits) =>
    limits.check(checkOf({ orderId, subjects: { ...subjects }, ...more }), at);
const settle =
  (to: 'confirm' | 'rollback', orderId: string, subjects: object, at = AT): Act =>
  (limits) =>
    limits[to](orderOf(orderId, { ...subjects }), at);
const record: Act = async (limits) => {
  const [result] = await limits.recordMany(
    [recordOf({ orderId: 'o', subjects: ONE, happenedAt: AT })],
    AT,
  );
  if (result?.kind !== 'answered') throw result?.error;
  return result.answer;
};
const all =
  (...acts: readonly Act[]): Act =>
  async (limits) => {
    for (const act of acts) await act(limits);
  };

/** Fills the last places of a user, or of a merchant. */
const fill = (subjects: object): Act => all(check('x', subjects), check('y', subjects));
const empty = (subjects: object): Act =>
  all(settle('rollback', 'x', subjects), settle('rollback', 'y', subjects));
const HOME = { document: 'user:u', kind: 'add' } as const;
const BESIDE = { document: 'merchant:m', kind: 'add' } as const;
const MAKE = { document: 'user:u', kind: 'make' } as const;
const AGAIN = { kind: 'allowed', repeated: true };
const HELD = { kind: 'allowed', repeated: false, state: 'held' };
const COUNTED = { kind: 'allowed', repeated: false, state: 'confirmed' };
const SECONDS_LATER = new Date(AT.getTime() + 3_000);
const short = { holdMs: 1_000 };
const capture = { capture: true };

type Row = {
  readonly lost: string;
  readonly shows: string;
  readonly target: Target;
  readonly fate: Fate;
  readonly before?: Act;
  readonly call: Act;
  readonly meanwhile?: Act;
  /** Before the first add at home. */
  readonly overtaken?: Act;
  /** Its documents are not there yet. */
  readonly isNew?: true;
  readonly told: Told;
  /** Before what was lost arrives. */
  readonly then?: Act;
  /** Used and held at the user, and at the merchant, once it has arrived; and once every hold is over. */
  readonly user: readonly [number, number];
  readonly merchant?: readonly [number, number];
  readonly again?: Told;
};

// prettier-ignore
const ROWS: readonly Row[] = [
  // One document, a hold.
  { lost: 'a check of one document', shows: 'its own nonce',              target: HOME, fate: 'done',  call: check('o', ONE), told: HELD, user: [0, 1], again: AGAIN },
  { lost: 'a check of one document', shows: 'its own nonce, confirmed',   target: HOME, fate: 'done',  call: check('o', ONE), meanwhile: settle('confirm', 'o', ONE), told: { ...AGAIN, state: 'confirmed' }, user: [1, 0] },
  { lost: 'a check of one document', shows: 'its own nonce, rolled back', target: HOME, fate: 'done',  call: check('o', ONE), meanwhile: settle('rollback', 'o', ONE), told: 'ALREADY_ROLLED_BACK', user: [0, 0] },
  { lost: 'a check of one document', shows: 'its own nonce, expired',     target: HOME, fate: 'done',  call: check('o', ONE, short), meanwhile: check('x', ONE, {}, SECONDS_LATER), told: HELD, user: [0, 2] },
  { lost: 'a check of one document', shows: 'another nonce',              target: HOME, fate: 'late',  call: check('o', ONE), meanwhile: check('o', ONE), told: AGAIN, user: [0, 1] },
  { lost: 'a check of one document', shows: 'nothing',                    target: HOME, fate: 'late',  call: check('o', ONE), told: HELD, user: [0, 1], again: AGAIN },
  { lost: 'a check of one document', shows: 'nothing',                    target: HOME, fate: 'never', call: check('o', ONE), told: HELD, user: [0, 1], again: AGAIN },
  { lost: 'a check of one document', shows: 'nothing, and no room',       target: HOME, fate: 'late',  call: check('o', ONE), meanwhile: fill(ONE), told: { kind: 'refused' }, then: empty(ONE), user: [0, 1] },
  // One document, counted at once.
  { lost: 'a capture of one document', shows: 'its own nonce',        target: HOME, fate: 'done',  call: check('o', ONE, capture), told: COUNTED, user: [1, 0], again: AGAIN },
  { lost: 'a capture of one document', shows: 'another nonce',        target: HOME, fate: 'late',  call: check('o', ONE, capture), meanwhile: check('o', ONE, capture), told: AGAIN, user: [1, 0] },
  { lost: 'a capture of one document', shows: 'nothing',              target: HOME, fate: 'late',  call: check('o', ONE, capture), told: 'UNDECIDED', user: [1, 0], again: AGAIN },
  { lost: 'a capture of one document', shows: 'nothing',              target: HOME, fate: 'never', call: check('o', ONE, capture), told: 'UNDECIDED', user: [0, 0], again: COUNTED },
  { lost: 'a capture of one document', shows: 'nothing, and no room', target: HOME, fate: 'late',  call: check('o', ONE, capture), meanwhile: fill(ONE), told: 'UNDECIDED', then: empty(ONE), user: [1, 0] },
  { lost: 'a record', shows: 'its own nonce', target: HOME, fate: 'done', call: record, told: { state: 'confirmed', repeated: false }, user: [1, 0] },
  { lost: 'a record', shows: 'nothing',       target: HOME, fate: 'late', call: record, told: 'UNDECIDED', user: [1, 0], again: { state: 'confirmed', repeated: true } },
  // Shares beside home.
  { lost: 'a share beside home', shows: 'its own nonce',        target: BESIDE, fate: 'done',  call: check('o', TWO), told: HELD, user: [0, 1], merchant: [0, 1], again: AGAIN },
  { lost: 'a share beside home', shows: 'nothing',              target: BESIDE, fate: 'late',  call: check('o', TWO), told: HELD, user: [0, 1], merchant: [0, 2], again: AGAIN },
  { lost: 'a share beside home', shows: 'nothing',              target: BESIDE, fate: 'never', call: check('o', TWO), told: HELD, user: [0, 1], merchant: [0, 1], again: AGAIN },
  { lost: 'a share beside home', shows: 'nothing, and no room', target: BESIDE, fate: 'late',  call: check('o', TWO), meanwhile: fill({ merchant: 'm' }), told: { kind: 'refused' }, then: empty({ merchant: 'm' }), user: [0, 0], merchant: [0, 1] },
  // Home, of an order of several documents.
  { lost: 'home of several', shows: 'its own nonce',              target: HOME, fate: 'done', call: check('o', TWO), told: HELD, user: [0, 1], merchant: [0, 1], again: AGAIN },
  { lost: 'home of several', shows: 'its own nonce, captured',    target: HOME, fate: 'done', call: check('o', TWO, capture), told: COUNTED, user: [1, 0], merchant: [1, 0], again: AGAIN },
  { lost: 'home of several', shows: 'its own nonce, confirmed',   target: HOME, fate: 'done', call: check('o', TWO), meanwhile: settle('confirm', 'o', TWO), told: { ...AGAIN, state: 'confirmed' }, user: [1, 0], merchant: [1, 0] },
  { lost: 'home of several', shows: 'its own nonce, rolled back', target: HOME, fate: 'done', call: check('o', TWO), meanwhile: settle('rollback', 'o', TWO), told: 'ALREADY_ROLLED_BACK', user: [0, 0], merchant: [0, 0] },
  { lost: 'home of several', shows: 'its own nonce, expired',     target: HOME, fate: 'done', call: check('o', TWO, short), meanwhile: check('x', ONE, {}, SECONDS_LATER), told: 'UNDECIDED', user: [0, 1], merchant: [0, 0] },
  { lost: 'home of several', shows: 'another nonce',              target: HOME, fate: 'late', call: check('o', TWO), meanwhile: check('o', TWO), told: AGAIN, user: [0, 1], merchant: [0, 2] },
  { lost: 'home of several', shows: 'nothing',                    target: HOME, fate: 'late', call: check('o', TWO), told: 'UNDECIDED', user: [0, 1], merchant: [0, 1], again: AGAIN },
  { lost: 'home of several', shows: 'nothing, and no room',       target: HOME, fate: 'late', call: check('o', TWO), meanwhile: fill(ONE), told: 'UNDECIDED', then: empty(ONE), user: [0, 1], merchant: [0, 1], again: AGAIN },
  // Settlements at home.
  ...(['confirm', 'rollback'] as const).flatMap((to): readonly Row[] => {
    const target = { document: 'user:u', kind: 'take' } as const;
    const row = { target, before: check('o', TWO), call: settle(to, 'o', TWO) };
    const after = to === 'confirm' ? ([1, 0] as const) : ([0, 0] as const);
    const other = to === 'confirm' ? 'rollback' : 'confirm';
    const others = to === 'confirm' ? ([0, 0] as const) : ([1, 0] as const);
    return [
      { lost: `a ${to} at home`, shows: 'that it ended as asked', ...row, fate: 'done',  told: { repeated: true }, user: after, merchant: after },
      { lost: `a ${to} at home`, shows: 'that it is open still',  ...row, fate: 'late',  told: { repeated: false }, user: after, merchant: after },
      { lost: `a ${to} at home`, shows: 'that it is open still',  ...row, fate: 'never', told: { repeated: false }, user: after, merchant: after },
      { lost: `a ${to} at home`, shows: 'that it ended otherwise', ...row, fate: 'late', meanwhile: settle(other, 'o', TWO), told: to === 'confirm' ? 'ALREADY_ROLLED_BACK' : 'ALREADY_CONFIRMED', user: others, merchant: others },
    ];
  }),
  { lost: 'a late confirm at home', shows: 'that it expired', target: { document: 'user:u', kind: 'take' }, fate: 'late', before: check('o', TWO, short), call: settle('confirm', 'o', TWO, SECONDS_LATER), told: { late: true, repeated: false }, user: [1, 0], merchant: [1, 0] },
  { lost: 'a late confirm at home', shows: 'that it ended as asked', target: { document: 'user:u', kind: 'take' }, fate: 'done', before: check('o', TWO, short), call: settle('confirm', 'o', TWO, SECONDS_LATER), told: { late: true, repeated: true }, user: [1, 0], merchant: [1, 0] },
  // Shares that follow home.
  { lost: 'a share that follows home', shows: 'that it is there still', target: { document: 'merchant:m', kind: 'take' }, fate: 'late', before: check('o', TWO), call: settle('confirm', 'o', TWO), told: { repeated: false }, user: [1, 0], merchant: [1, 0] },
  { lost: 'a share that follows home', shows: 'that it is gone',        target: { document: 'merchant:m', kind: 'take' }, fate: 'done', before: check('o', TWO), call: settle('confirm', 'o', TWO), told: { repeated: false, late: false }, user: [1, 0], merchant: [1, 0] },
  { lost: 'a share that follows home', shows: 'that it is kept',        target: { document: 'merchant:m', kind: 'take' }, fate: 'late', before: check('o', TWO, short), call: settle('confirm', 'o', TWO), meanwhile: all(check('x', { merchant: 'm' }, {}, SECONDS_LATER), check('y', { merchant: 'm' }, {}, SECONDS_LATER)), told: { repeated: false }, user: [1, 0], merchant: [1, 2] },
  // What ends by itself.
  { lost: 'a tidy', shows: 'that it was done',   target: { document: 'user:u', kind: 'tidy' }, fate: 'done',  before: fill(ONE), call: check('o', ONE, {}, new Date(AT.getTime() + 900_000)), told: HELD, user: [0, 1] },
  { lost: 'a tidy', shows: 'that it is not done', target: { document: 'user:u', kind: 'tidy' }, fate: 'late', before: fill(ONE), call: check('o', ONE, {}, new Date(AT.getTime() + 900_000)), told: HELD, user: [0, 1] },
  { lost: 'what is given back', shows: 'that it is there still', target: { document: 'merchant:m', kind: 'take' }, fate: 'late', call: check('o', TWO), overtaken: fill(ONE), told: { kind: 'refused' }, user: [0, 2], merchant: [0, 0] },
  { lost: 'what is given back', shows: 'that it is gone',        target: { document: 'merchant:m', kind: 'take' }, fate: 'done', call: check('o', TWO), overtaken: fill(ONE), told: { kind: 'refused' }, user: [0, 2], merchant: [0, 0] },
  // A new subject.
  { lost: 'a check that makes its document', shows: 'its own nonce', target: MAKE, fate: 'done',  isNew: true, call: check('o', ONE), told: HELD, user: [0, 1], again: AGAIN },
  { lost: 'a check that makes its document', shows: 'nothing',       target: MAKE, fate: 'late',  isNew: true, call: check('o', ONE), told: HELD, user: [0, 1], again: AGAIN },
  { lost: 'a capture that makes its document', shows: 'nothing',     target: MAKE, fate: 'late',  isNew: true, call: check('o', ONE, capture), told: 'UNDECIDED', user: [1, 0], again: AGAIN },
  { lost: 'a share that makes its document', shows: 'nothing',       target: { document: 'merchant:m', kind: 'make' }, fate: 'never', isNew: true, call: check('o', TWO), told: HELD, user: [0, 1], merchant: [0, 1], again: AGAIN },
  { lost: 'home of several that is made', shows: 'nothing',          target: MAKE, fate: 'late',  isNew: true, call: check('o', TWO), told: 'UNDECIDED', user: [0, 1], merchant: [0, 1], again: AGAIN },
];

const ENGINES = [
  { engine: 'mingo', statementsFor: () => mingoStatements(new Map(), () => AT) },
  {
    engine: 'the database',
    statementsFor: (db: Db, name: string) =>
      mongoStatements(db.collection<CounterDocument>(name), PATIENCE_MS, {}),
  },
];
const LANES = [
  { lane: 'plain', lanes: PLAIN_ON },
  { lane: 'general', lanes: PLAIN_OFF },
];
const WAYS = ENGINES.flatMap((engine) => LANES.map((lane) => ({ ...engine, ...lane })));

const answerOf = (call: Promise<unknown>): Promise<unknown> =>
  call.catch((error: unknown) => {
    if (error instanceof HeadroomError) return error.code;
    throw error;
  });

const told = (expected: Told): unknown =>
  typeof expected === 'string' ? expected : expect.objectContaining(expected);

function serviceOver(statements: Statements, lanes: typeof PLAIN_ON, name: string): Limits {
  let nonces = 0;
  const counters: CounterStore = countersOver(statements, {
    ...{ outcomesMax: 64, lanes, isOneCommit: false },
    together: () => Promise.reject(new Error('no commit is asked for')),
  });
  return limitsOver(counters, RULES, { nonce: () => `${name}-${nonces++}` });
}

async function sumsOf(limits: Limits, subjects: object, at: Date) {
  const { rules } = await limits.usage({ appId: 'default', subjects: { ...subjects } }, at);
  return rules.map(({ used, held }) => [used?.count, held?.count]);
}

describe.each(WAYS)('on $engine, $lane lane', ({ engine, lane, lanes, statementsFor }) => {
  it.each(ROWS.map((row, index) => ({ ...row, index })))(
    '$lost, and the document shows $shows ($fate)',
    async (row) => {
      const name = `${engine}-${lane}-${row.index}`.replaceAll(' ', '-');
      const statements = statementsFor(database.db, name);
      const others = serviceOver(statements, lanes, 'other');
      if (row.isNew !== true) await all(check('w', TWO), settle('rollback', 'w', TWO))(others);
      await row.before?.(others);
      const lossy = losing(statements, row, others);
      const limits = serviceOver(lossy, lanes, 'own');
      expect(await answerOf(row.call(limits))).toEqual(told(row.told));
      expect(lossy.lost()).toBe(1);
      await row.then?.(others);
      await lossy.arrive();
      const subjects = row.merchant === undefined ? ONE : TWO;
      const sums = [row.user, ...(row.merchant === undefined ? [] : [row.merchant])];
      expect(await sumsOf(others, subjects, SECONDS_LATER)).toEqual(sums);
      if (row.again !== undefined)
        expect(await answerOf(row.call(others))).toEqual(told(row.again));
    },
  );
});

describe('what follows a lost answer', () => {
  it.each([
    {
      what: 'an add',
      isOfCall: (one: Update) => one.returns?.document === 'after',
      call: check('o', ONE),
    },
    {
      what: 'a take',
      isOfCall: isTake,
      call: all(check('o', ONE), settle('confirm', 'o', ONE)),
    },
  ])('ends within the time of $what', async ({ call, isOfCall }) => {
    const statements = mingoStatements(new Map(), () => AT);
    await all(
      check('w', ONE),
      settle('rollback', 'w', ONE),
    )(serviceOver(statements, PLAIN_ON, 'w'));
    const endsAtMs = 1_234;
    let told: [string, number | undefined][] = [];
    let isLost = false;
    const lossy: Statements = {
      ...statements,
      update(update, until) {
        told.push(['update', until]);
        const isIt = !isLost && isOfCall(update);
        isLost ||= isIt;
        if (!isIt) return statements.update(update);
        told = [];
        return Promise.reject(new LostAnswerError('the answer was lost', endsAtMs));
      },
      find(documents, projection, until) {
        told.push(['find', until]);
        return statements.find(documents, projection);
      },
    };
    await call(serviceOver(lossy, PLAIN_ON, 'own'));
    const sends = ['find', 'update'];
    expect(told).toEqual(sends.map((statement) => [statement, endsAtMs]));
  });
});

describe('a commit whose answer is lost', () => {
  const rows = [
    { shows: 'its orders', isDone: true, told: AGAIN, sums: [0, 1] },
    { shows: 'nothing', isDone: false, told: 'UNDECIDED', sums: [0, 0] },
  ];

  it.each(rows)('and home shows $shows', async ({ isDone, told: expected, sums }) => {
    const collection = database.db.collection<CounterDocument>(`commit-${isDone}`);
    const inner = mongoCounters(collection, { timeoutMs: PATIENCE_MS });
    const counters: CounterStore = {
      ...inner,
      async together(work) {
        if (isDone) await inner.together(work);
        throw new LostAnswerError('the answer was lost', performance.now() + PATIENCE_MS);
      },
    };
    const limits = limitsOver(counters, RULES, { inOneCommit: true });
    expect(await answerOf(check('o', TWO)(limits))).toEqual(told(expected));
    const others = limitsOver(inner, RULES);
    expect(await sumsOf(others, TWO, AT)).toEqual([sums, sums]);
  });
});

it('is undecided where home shows one captured order of an add, and has forgotten the other since', async () => {
  const documents: Documents = new Map([[HOME.document, { _id: HOME.document, expireAt: UNTIL }]]);
  const statements = mingoStatements(documents, () => ESTIMATE);
  let isFirst = true;
  const counters = countersWithoutCommits({
    ...statements,
    async update(update) {
      const found = await statements.update(update);
      if (!isFirst) return found;
      isFirst = false;
      const { settled = [], ...document } = documents.get(HOME.document) ?? {};
      documents.set(HOME.document, { ...document, settled: (settled as unknown[]).slice(1) });
      throw new LostAnswerError('the answer was lost', performance.now() + PATIENCE_MS);
    },
  });
  const ask = holdAsk([ORDER, SECOND].map((order) => ({ ...order, capture: true })));
  await expect(counters.hold({ ...ask, document: HOME.document }, ESTIMATE)).rejects.toThrow(
    UndecidedError,
  );
  expect(documents.get(HOME.document)?.remembered).toBe(2);
});
