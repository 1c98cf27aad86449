import { UndecidedError } from '../../shared/errors.ts';
import type { HoldAsk } from '../counter-store.ts';
import { close } from './add.ts';
import type { Addition } from './addition.ts';
import { askedIn, freshAddition } from './ask-additions.ts';
import { make } from './make.ts';
import { viewProjection } from './projection.ts';
import type { Adding } from './statements.ts';
import type { StoredDocument } from './stored.ts';
import { readView } from './stored.ts';
import { SERVER_NOW } from './update.ts';

/** A document as a call found it, or as it made it. */
export type FirstRead = {
  readonly stored: StoredDocument;
  /** What made the document, where this call did, with the orders in it. */
  readonly made?: Addition | undefined;
  readonly wasMade?: boolean;
};

async function readOnce(
  { statements }: Adding,
  documentId: string,
  ids: readonly string[],
  at: Date | undefined,
): Promise<FirstRead | undefined> {
  const [stored] = await statements.find([documentId], viewProjection(ids, 'theirs', at));
  return stored === undefined ? undefined : { stored };
}

/** Adds that a call has sent, and whether it may send another one. */
type Sent = { readonly adds: number; readonly mayMake: boolean };

/**
 * Reads a document, and makes it where there is none. After an add that matched nothing the first
 * statement makes it, for a new subject is the likely cause; otherwise one that was told apart is read.
 */
export async function firstRead(
  adding: Adding,
  documentId: string,
  ask: HoldAsk,
  at: Date | undefined,
  sent: Sent,
): Promise<FirstRead> {
  return ask.isNew === true || (sent.adds > 0 && sent.mayMake)
    ? makeOrRead(adding, documentId, ask, at, sent)
    : readOrMake(adding, documentId, ask, at, sent);
}

/** Makes a document with what an empty one takes; one that is there is read. */
async function makeOrRead(
  adding: Adding,
  documentId: string,
  ask: HoldAsk,
  at: Date | undefined,
  { adds, mayMake }: Sent,
): Promise<FirstRead> {
  const ids = askedIn(ask);
  const addition = freshAddition(adding, documentId, ask, at, adds);
  const stored = await adding.statements.make(
    documentId,
    make(mayMake ? addition : { ...addition, taken: [] }, at ?? SERVER_NOW),
    viewProjection(ids, 'theirs', at),
  );
  const own = new Set(addition.taken.map(({ nonce }) => nonce));
  const view = readView(stored, ids, at ?? ask.estimate);
  const isMade =
    own.size > 0 && [...view.entries, ...view.shares].some(({ nonce }) => own.has(nonce));
  return { stored, made: isMade ? addition : undefined, wasMade: mayMake && own.size > 0 };
}

/** Closes the nonce of an add that matched nothing, and reads the document; where TTL took it, a new one. */
export async function closeAndRead(
  adding: Adding,
  documentId: string,
  ask: HoldAsk,
  at: Date | undefined,
): Promise<FirstRead> {
  const ids = askedIn(ask);
  const projection = viewProjection(ids, 'theirs', at);
  const closing = close(documentId, ask.orders, projection);
  let stored = await adding.statements.update(closing);
  if (stored === undefined) {
    await readOrMake(adding, documentId, ask, at, { adds: 1, mayMake: false });
    stored = await adding.statements.update(closing);
  }
  if (stored === undefined) throw new UndecidedError(`${documentId} kept being deleted`);
  return { stored };
}

/** Reads a document; where TTL took it meanwhile, it is new again. */
export async function readOrMake(
  adding: Adding,
  documentId: string,
  ask: HoldAsk,
  at: Date | undefined,
  sent: Sent,
): Promise<FirstRead> {
  const known = await readOnce(adding, documentId, askedIn(ask), at);
  return known ?? makeOrRead(adding, documentId, ask, at, sent);
}
