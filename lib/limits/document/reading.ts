import { UndecidedError } from '../../shared/errors.ts';
import { close } from './add.ts';
import type { Addition } from './addition.ts';
import { askedIn, freshAddition } from './ask-additions.ts';
import { make } from './make.ts';
import { viewProjection } from './projection.ts';
import type { HoldCall } from './statements.ts';
import type { Projection } from './update.ts';
import type { StoredDocument } from './stored.ts';
import { readView } from './stored.ts';

/** A document as a call found it, or as it made it. */
export type FirstRead = {
  readonly stored: StoredDocument;
  /** What made the document, where this call did, with the orders in it. */
  readonly made?: Addition | undefined;
  readonly wasMade?: boolean;
};

/** Adds that a call has sent, and whether it may send another one. */
type Sent = { readonly adds: number; readonly mayMake: boolean };

/** What is read for an ask. A share is kept beside home alone. */
export function askProjection({ ask, at }: HoldCall): Projection {
  const isBeside = ask.orders.some(({ home }) => home !== undefined);
  return viewProjection(askedIn(ask), isBeside ? 'theirs' : 'none', at);
}

/**
 * Reads a document, and makes it where there is none. After an add that matched nothing the first
 * statement makes it, for a new subject is the likely cause; otherwise one that was told apart is read.
 */
export async function firstRead(call: HoldCall, sent: Sent): Promise<FirstRead> {
  return call.ask.isNew === true || (sent.adds > 0 && sent.mayMake)
    ? makeOrRead(call, sent)
    : readOrMake(call, sent);
}

/** Makes a document with what an empty one takes; one that is there is read. */
async function makeOrRead(call: HoldCall, { adds, mayMake }: Sent): Promise<FirstRead> {
  const { statements, documentId, ask, estimate, serverNow } = call;
  const ids = askedIn(ask);
  const addition = freshAddition(call, adds);
  const stored = await statements.make(
    documentId,
    make(mayMake ? addition : { ...addition, taken: [] }, serverNow),
    askProjection(call),
  );
  const own = new Set(addition.taken.map(({ nonce }) => nonce));
  const view = readView(stored, ids, estimate);
  const isMade =
    own.size > 0 && [...view.entries, ...view.shares].some(({ nonce }) => own.has(nonce));
  return { stored, made: isMade ? addition : undefined, wasMade: mayMake && own.size > 0 };
}

/** Closes the nonce of an add that matched nothing, and reads the document; where TTL took it, a new one. */
export async function closeAndRead(call: HoldCall): Promise<FirstRead> {
  const { statements, documentId, ask } = call;
  const closing = close(documentId, ask.orders, askProjection(call));
  let stored = await statements.update(closing);
  if (stored === undefined) {
    await readOrMake(call, { adds: 1, mayMake: false });
    stored = await statements.update(closing);
  }
  if (stored === undefined) throw new UndecidedError(`${documentId} kept being deleted`);
  return { stored };
}

/** Reads a document; where TTL took it meanwhile, it is new again. */
export async function readOrMake(call: HoldCall, sent: Sent): Promise<FirstRead> {
  const { statements, documentId } = call;
  const [stored] = await statements.find([documentId], askProjection(call));
  return stored === undefined ? makeOrRead(call, sent) : { stored };
}
