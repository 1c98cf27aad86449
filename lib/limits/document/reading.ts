import { UndecidedError } from '../../shared/errors.ts';
import type { Addition } from './addition.ts';
import { expireAt } from './addition.ts';
import { freshAddition, idsIn } from './ask-additions.ts';
import { viewProjection } from './projection.ts';
import type { HoldCall } from './statements.ts';
import type { Projection, Update, Value } from './update.ts';
import { pushing } from './update.ts';
import type { StoredDocument } from './stored.ts';
import { readView } from './stored.ts';
import { storedHold, storedOutcome } from './written.ts';
import { CLOSED_MAX, EMPTY_DOCUMENT_MS } from '../../shared/bounds.ts';
import { isWithin } from './conditions.ts';
import { enteredBy } from './room.ts';

/** A document as a call found it, or as its addition made it. */
export type FirstRead = {
  readonly stored: StoredDocument;
  readonly made?: Addition | undefined;
  readonly wasMade?: boolean;
};

/** A share is kept beside home alone. */
export function askProjection({ ask, at }: HoldCall): Projection {
  const isBeside = ask.orders.some(({ home }) => home !== undefined);
  return viewProjection(idsIn(ask), isBeside ? 'theirs' : 'none', at);
}

/** Makes a document, or reads the one that is there. */
export async function makeOrRead(call: HoldCall, adds: number, mayMake: boolean) {
  const { statements, documentId, ask, estimate, serverNow } = call;
  const addition = freshAddition(call, adds);
  const stored = await statements.make(
    documentId,
    make(mayMake ? addition : { ...addition, taken: [] }, serverNow),
    askProjection(call),
  );
  const own = new Set(addition.taken.map(({ nonce }) => nonce));
  const { entries, shares } = readView(stored, idsIn(ask), estimate);
  const isMade = [...entries, ...shares].some(({ nonce }) => own.has(nonce));
  return { stored, made: isMade ? addition : undefined, wasMade: mayMake && own.size > 0 };
}

/** Closes the nonce of an add that matched nothing, and reads the document; where TTL took it, a new one. */
export async function closeAndRead(call: HoldCall): Promise<FirstRead> {
  const { statements, documentId } = call;
  const closing = close(call);
  let stored = await statements.update(closing);
  if (stored === undefined) {
    await readOrMake(call, 1, false);
    stored = await statements.update(closing);
  }
  if (stored === undefined) throw new UndecidedError(`${documentId} kept being deleted`);
  return { stored };
}

/**
 * The update that closes the nonce of an add which matched nothing, for a first copy that is still on its
 * way: see `HoldAsk.closingsBefore`. It asks nothing of the document: what is known of the orders there,
 * a hold that expired or one of many orders, may let the copy pass.
 */
function close(call: HoldCall): Update {
  const nonces = call.ask.orders.slice(0, 1).map(({ nonce }) => nonce);
  return {
    filter: { _id: call.documentId },
    update: {
      ...pushing({ closed: { items: nonces, keeps: CLOSED_MAX } }),
      $inc: { closings: 1n },
    },
    returnDocument: 'after',
    projection: askProjection(call),
  };
}

/** Reads a document; where TTL took it meanwhile, it is new again. */
export async function readOrMake(call: HoldCall, adds: number, mayMake: boolean) {
  const [stored] = await call.statements.find([call.documentId], askProjection(call));
  return stored === undefined ? makeOrRead(call, adds, mayMake) : { stored };
}

/**
 * The one update that is a pipeline: it makes a document where there is none, and leaves one that is
 * there byte for byte as it is. (A filter on the server's clock cannot stand beside `upsert`.)
 *
 * 1. A document that is there has `expireAt`, and stays what it is.
 * 2. A new one gets what orders enter, if the server's instant lies where it was worked out;
 * 3. otherwise only the date at which it may go.
 *
 * @param addition orders that an empty document has room for; none where it has room for none
 */
function make(addition: Addition, serverNow: Date | string): readonly Value[] {
  const isNew = { $eq: [{ $type: '$expireAt' }, 'missing'] };
  const agrees = { $and: isWithin(serverNow, addition.stretch) as readonly Value[] };
  const empty = { expireAt: { $add: [serverNow, EMPTY_DOCUMENT_MS] } };
  const fresh =
    addition.taken.length === 0
      ? empty
      : { $cond: [agrees, { $literal: madeDocument(addition) }, empty] };
  return [{ $replaceWith: { $cond: [isNew, { $mergeObjects: ['$$ROOT', fresh] }, '$$ROOT'] } }];
}

function madeDocument(addition: Addition): Value {
  const { now, holds } = addition;
  const buckets: Record<string, Record<string, bigint>> = {};
  for (const [path, sum] of Object.entries(enteredBy(addition).sums)) {
    const [, name = '', field = ''] = path.split('.');
    buckets[name] = { ...buckets[name], [field]: sum };
  }
  const outcomes = addition.outcomes.map(storedOutcome);
  return {
    b: buckets,
    holds: holds.map(storedHold),
    ...(outcomes.length === 0 ? {} : { settled: outcomes, remembered: BigInt(outcomes.length) }),
    seen: now,
    expireAt: expireAt(addition),
  };
}
