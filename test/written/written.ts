import { setTimeout } from 'node:timers/promises';
import type { Collection, Db, Document, FindOneAndUpdateOptions } from 'mongodb';
import { OUTCOMES_DEFAULT } from '../../lib/shared/bounds.ts';
import type { CheckRequest } from '../../lib/shared/request.ts';
import { COUNTERS } from '../../lib/document/mongo-counter-store.ts';
import { createClient } from '../../lib/mongo/client.ts';
import { documentId } from '../../lib/shared/subject.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import type { Write, WrittenBytes } from './mongod-writes.ts';
import { isEffective, writtenBy } from './mongod-writes.ts';
import {
  calendarRule,
  checkOf,
  FIVE_RULES,
  hold,
  limitsOver,
  MERCHANT_RULES,
  orderOf,
} from '../../bench/workload.ts';

/** The bytes of one statement of one call, in a document with so many open holds. */
export type WrittenRow = WrittenBytes & {
  /** `check`, `confirm`, `rollback`, `tidy`. */
  readonly call: string;
  readonly place: 'home' | 'beside home';
  readonly open: number;
};

/** Whether the library's own client has writes repeated by the driver. */
export const RETRY_WRITES = createClient('mongodb://127.0.0.1/', 1_000).options.retryWrites;

const AT_ONCE = 100;
const HOLD_MS = 900_000;
const SHORT_HOLD_MS = 1_000;
/** A share ends a second or two after its hold. */
const LAPSED_MS = 4_000;
const NEVER_PLAIN = { learn: () => undefined, note: () => undefined, takesPlain: () => false };

/** The writes of a database's counters, with the documents around them. Calls must come one at a time. */
export function watchWrites(db: Db): { readonly db: Db; readonly writes: Write[] } {
  const writes: Write[] = [];
  const plain = db.collection<Document & { readonly _id: string }>(COUNTERS);
  const read = (_id: string) => plain.findOne({ _id }, { promoteValues: false });
  let isNumbered = false;
  db.client.on('commandStarted', ({ command }) => {
    if (command.findAndModify === COUNTERS || command.update === COUNTERS)
      isNumbered = command.txnNumber !== undefined;
  });
  const watched =
    <Given extends readonly unknown[], Result>(
      send: (...given: Given) => Promise<Result>,
      isImaged: boolean,
    ) =>
    async (...given: Given): Promise<Result> => {
      // As the driver takes them: a filter that names one document, the update, and options.
      const [{ _id }, update, options] = given as unknown as [
        { readonly _id: string },
        Document,
        FindOneAndUpdateOptions,
      ];
      const before = await read(_id);
      const result = await send(...given);
      const after = await read(_id);
      if (before === null || after === null || Array.isArray(update)) return result;
      const image = isImaged && isNumbered ? options.returnDocument : undefined;
      const write = { update, before, after, isNumbered, image };
      if (isEffective(write)) writes.push(write);
      return result;
    };
  const collectionOf = (collection: Collection): Collection =>
    new Proxy(collection, {
      get(target, name) {
        if (name === 'findOneAndUpdate') return watched(target.findOneAndUpdate.bind(target), true);
        if (name === 'updateOne') return watched(target.updateOne.bind(target), false);
        return Reflect.get(target, name, target) as unknown;
      },
    });
  const watchedDb = new Proxy(db, {
    get(target, name) {
      if (name === 'collection') return (called: string) => collectionOf(target.collection(called));
      return Reflect.get(target, name, target) as unknown;
    },
  });
  return { db: watchedDb, writes };
}

/** Measures the bytes that a check, its confirm, a rollback and a tidy leave on a mongod, by the number of open holds. */
export async function measureWritten(db: Db, sizes: readonly number[]) {
  const rows: WrittenRow[] = [];
  for (const open of sizes) {
    rows.push(...(await writtenAt('home', db, FIVE_RULES, open)));
    rows.push(...(await writtenAt('beside home', db, [ONE_RULE, ...MERCHANT_RULES], open)));
  }
  return rows;
}

/** So that a payer beside the merchant is a home with a document of its own. */
const ONE_RULE: Rule = calendarRule('day');

async function writtenAt(
  place: WrittenRow['place'],
  db: Db,
  rules: readonly Rule[],
  open: number,
): Promise<readonly WrittenRow[]> {
  const { db: watched, writes } = watchWrites(db);
  const plain = limitsOver(db, rules);
  const limits = limitsOver(watched, rules);
  const name = `written-${open}`;
  const isHome = place === 'home';
  const document = isHome ? documentId('user', name) : documentId('merchant', name);
  const orderFor = (orderId: string, holdMs = HOLD_MS) => {
    const subjects = isHome ? { user: name } : { user: `${name}-${orderId}`, merchant: name };
    return { ...checkOf(orderId, subjects), holdMs };
  };
  const holdMany = async (count: number): Promise<void> => {
    for (let from = 0; from < count; from += AT_ONCE) {
      const many = Array.from(
        { length: Math.min(AT_ONCE, count - from) },
        (_, index) => from + index,
      );
      await plain.checkMany(
        many.map((index) => orderFor(`open-${index}`)),
        false,
      );
    }
  };
  const rows: WrittenRow[] = [];
  const measured = async <Result>(call: string, run: () => Promise<Result>): Promise<Result> => {
    writes.length = 0;
    const result = await run();
    const [first] = writes.filter(({ before }) => before._id === document);
    if (first === undefined) throw new Error(`${call} wrote nothing in ${document}`);
    rows.push({ call, place, open, ...writtenBy(first) });
    return result;
  };
  await remember(plain, orderFor);
  // The oldest ones are settled: payments take about the same time.
  const [oldest, second] =
    open < 3 ? [] : [await hold(plain, orderFor('a')), await hold(plain, orderFor('b'))];
  await holdMany(open < 3 ? open - 1 : open - 3);
  const last = await measured('check', () => hold(limits, orderFor('c')));
  await measured('confirm', () => limits.confirm(orderOf(oldest ?? last)));
  const next = await hold(plain, orderFor('d'));
  await measured('rollback', () => limits.rollback(orderOf(second ?? next)));
  await hold(plain, orderFor('e', SHORT_HOLD_MS));
  await setTimeout(LAPSED_MS);
  await measured('tidy', () => limitsOver(watched, rules, NEVER_PLAIN).check(orderFor('f')));
  return rows;
}

/** As many outcomes as a document remembers, so that the next one pushes the oldest out. */
async function remember(
  limits: Limits,
  orderFor: (orderId: string) => CheckRequest,
): Promise<void> {
  const orders = Array.from({ length: OUTCOMES_DEFAULT }, (_, index) => orderFor(`first-${index}`));
  await limits.checkMany(orders, false);
  for (const { appId, orderId, subjects } of orders)
    await limits.confirm({ appId, orderId, whereabouts: { kind: 'subjects', subjects } });
}
