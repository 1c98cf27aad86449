import type { Db } from 'mongodb';
import { HeadroomError, UndecidedError } from '../../lib/shared/errors.ts';
import type { ConfirmAnswer, CheckAnswer, RollbackAnswer } from '../../lib/limits/answer.ts';
import type { Subjects } from '../../lib/shared/request.ts';
import type { Quantity } from '../../lib/rule/own-terms.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import { COUNTERS } from '../../lib/document/mongo-counter-store.ts';
import type { CounterDocument } from '../../lib/document/mongo-counter-store.ts';
import type { ModelRule } from '../model/model-types.ts';
import { USER_DAY, checkOf, limitsOver, orderOf } from './limits-fixture.ts';
import { storedCounters } from './stored-buckets.ts';

/** The steps of a caller with order `o-1` of 3.00 CNY. */
export type Act =
  | { readonly call: 'check'; readonly capture?: true }
  | { readonly call: 'confirm'; readonly amountMinor?: number }
  | { readonly call: 'rollback'; readonly reservation?: string };

export type Sums = {
  readonly used: { readonly amountMinor: number; readonly count: number };
  readonly held: { readonly amountMinor: number; readonly count: number };
};

const sumsOf = (used: number, usedCount: number, held: number, heldCount: number): Sums => ({
  used: { amountMinor: used, count: usedCount },
  held: { amountMinor: held, count: heldCount },
});

/** The past of every subject, by an order each; and so with order `o-1` of 3.00 held, or counted. */
export const NOTHING = sumsOf(100, 1, 50, 1);
export const HELD = sumsOf(100, 1, 350, 2);
export const USED = sumsOf(400, 2, 50, 1);

/** Sums with what so many shares of orders of 3.00 hold. */
export function withShares({ used, held }: Sums, shares: number): Sums {
  const { amountMinor, count } = held;
  return { used, held: { amountMinor: amountMinor + 300 * shares, count: count + shares } };
}

/** What is left of sums once every hold is over. */
export function lastOf({ used }: Sums): Sums {
  return { used, held: { amountMinor: 0, count: 0 } };
}

export const CHECK = { call: 'check' } as const;
export const CAPTURE = { call: 'check', capture: true } as const;
export const CONFIRM = { call: 'confirm' } as const;
export const ROLLBACK = { call: 'rollback' } as const;

/** The largest sums of a user and of a merchant, in minor units. Default: 9.99. */
export type Maxima = { readonly user?: number; readonly merchant?: number };

/** A rule per user, and one per merchant where two documents are wanted. */
export function rulesOf(max: Maxima, isTwo: boolean): readonly ModelRule[] {
  const user = { ...USER_DAY, window: 'lifetime', max: { amount: max.user ?? 999 } } as const;
  const merchant = { ...user, id: 'merchant', per: ['merchant'] } as const;
  return isTwo ? [user, { ...merchant, max: { amount: max.merchant ?? 999 } }] : [user];
}

/** A user, and a merchant where two documents are wanted, of one name. */
export function subjectsOf(name: string, isTwo: boolean): Subjects {
  return isTwo ? { user: name, merchant: name } : { user: name };
}

/** Does what a caller does with order `o-1` of 3.00 CNY; an error of ours is answered by its code. */
export async function perform(
  limits: Limits,
  act: Act,
  subjects: Subjects,
  at?: Date,
): Promise<CheckAnswer | ConfirmAnswer | RollbackAnswer | string> {
  try {
    switch (act.call) {
      case 'check': {
        const order = { orderId: 'o-1', subjects, amountMinor: 300 };
        return await limits.check(checkOf({ ...order, capture: act.capture ?? false }), at);
      }
      case 'confirm': {
        const { amountMinor } = act;
        const amount = amountMinor === undefined ? {} : { amountMinor };
        return await limits.confirm({ ...orderOf('o-1', subjects), ...amount }, at);
      }
      case 'rollback': {
        const whereabouts =
          act.reservation === undefined
            ? ({ kind: 'subjects', subjects } as const)
            : ({ kind: 'reservation', token: act.reservation } as const);
        return await limits.rollback({ appId: 'default', orderId: 'o-1', whereabouts }, at);
      }
    }
  } catch (error) {
    if (!(error instanceof HeadroomError) || error instanceof UndecidedError) throw error;
    return error.code;
  }
}

/** The past of every subject: 1.00 is used and 0.50 is held, see `NOTHING`. */
export async function prepareTemplate(db: Db, isTwo: boolean, at?: Date): Promise<void> {
  await db.collection(COUNTERS).deleteMany({});
  const limits = limitsOver(db, rulesOf({}, isTwo));
  const subjects = subjectsOf('template', isTwo);
  await limits.check(checkOf({ orderId: 'used', subjects, amountMinor: 100, capture: true }), at);
  await limits.check(checkOf({ orderId: 'open', subjects, amountMinor: 50 }), at);
}

/** Makes a case's subjects from the template. */
export async function copyTemplate(db: Db, name: string): Promise<void> {
  await copySubject(db, 'template', name);
}

/** Makes subjects of another name that have lived through the same. */
export async function copySubject(db: Db, from: string, name: string): Promise<void> {
  const documents = storedCounters(db);
  const nameOf = (id: string): string => (id.endsWith(`:${from}`) ? id.replace(from, name) : id);
  for (const kind of ['user', 'merchant']) {
    // Values stay as the server has them: 64-bit integers stay 64-bit integers.
    const found = await documents.findOne({ _id: `${kind}:${from}` }, { promoteValues: false });
    if (found !== null)
      await documents.insertOne({ ...renamed(found, nameOf), _id: `${kind}:${name}` });
  }
}

/** A document in which what it says of other documents is said of others. */
function renamed(document: CounterDocument, nameOf: (id: string) => string): CounterDocument {
  type Named = { readonly others?: readonly string[]; readonly home?: string };
  const renamedIn = (list: readonly Named[] = []): readonly Named[] =>
    // As fields of their own place: a hold is compared as a whole.
    list.map((one) => ({
      ...one,
      ...(one.others === undefined ? {} : { others: one.others.map(nameOf) }),
      ...(one.home === undefined ? {} : { home: nameOf(one.home) }),
    }));
  // Lists of what bears such names, as `stored.ts` tells.
  const lists = ['settled', 'kept'].flatMap((field) =>
    field in document ? [[field, renamedIn(document[field] as readonly Named[])] as const] : [],
  );
  const h = Object.entries((document.h ?? {}) as Readonly<Record<string, Named>>).map(
    ([key, hold]) => [key, ...renamedIn([hold])] as const,
  );
  return { ...document, ...Object.fromEntries(lists), h: Object.fromEntries(h) };
}

export async function counted(
  limits: Limits,
  subjects: Subjects,
  at?: Date,
): Promise<readonly { readonly used?: Quantity; readonly held?: Quantity }[]> {
  const look = await limits.check(checkOf({ orderId: 'look', subjects, dryRun: true }), at);
  if (look.kind === 'undecided') throw new Error('the database answers');
  return look.rules.map(({ used = {}, held = {} }) => ({ used, held }));
}
