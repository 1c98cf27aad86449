import { HOLD_SECONDS_MAX, KEPT_BEYOND_MS, MEMORY_MS, NEVER } from '../shared/bounds.ts';
import { documentTime, namesInText } from './document.ts';
import { readBucketName } from '../counter/name.ts';
import type { Terms } from '../rule/own-terms.ts';
import { endOfTerms } from '../rule/terms.ts';
import type { TermsChange } from './counter-store.ts';
import type { Statements } from './statements.ts';
import { hasTerms } from './conditions.ts';
import { heldAt } from './written.ts';
import { readTerms, storedTerms } from './stored-terms.ts';
import type { StoredDocument } from './stored.ts';
import { readHolds } from './stored.ts';
import type { Filter, Update } from './update.ts';

/** Statements on a document that others keep writing, or that comes and goes. */
const TRIES_MAX = 3;

/**
 * The update that gives a subject other terms, or takes them away. When the document comes back, it is
 * proven that the terms were those that were expected. It stays at least as long as they are in force.
 */
function termsUpdate(documentId: string, { expected, terms }: TermsChange, now: Date): Update {
  return {
    filter: { _id: documentId, ...hasTerms(expected) },
    update: {
      ...(terms === undefined
        ? { $unset: { terms: true } }
        : { $set: { terms: storedTerms(terms) } }),
      $max: { expireAt: keptUntil(terms, now) },
    },
  };
}

function keptUntil(terms: Terms | undefined, now: Date): Date {
  const until = surelyOver(terms && endOfTerms(terms));
  return new Date(Math.max(now.getTime() + HOLD_SECONDS_MAX * 1_000 + MEMORY_MS, until));
}

/** Whether a subject's terms were those that are expected; then they are changed. */
export async function changeTerms(
  { find, update }: Statements,
  documentId: string,
  change: TermsChange,
  now: Date,
): Promise<boolean> {
  const { expected, terms } = change;
  const statement = termsUpdate(documentId, change, now);
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    if ((await update(statement)) !== undefined) return true;
    if (expected !== undefined) return false;
    if (terms === undefined) {
      const [stored] = await find([documentId], { 'terms.version': 1 });
      return stored?.terms === undefined; // nothing to take away, of a subject without a document too
    }
    const found = await update(madeWith(documentId, terms, now));
    const inForce = found?.terms?.version;
    if (inForce !== undefined) return inForce === terms.version;
  }
  return false;
}

/** A document that is there stays as it is, and shows its terms. */
function madeWith(documentId: string, terms: Terms, madeAt: Date): Update {
  const fields = { madeAt, terms: storedTerms(terms), expireAt: keptUntil(terms, madeAt) };
  return {
    filter: { _id: documentId },
    update: { $setOnInsert: fields },
    returns: { document: 'after', projection: { 'terms.version': 1 } },
    upsert: true,
  };
}

/** Lets a document go that terms kept alive. One that others keep writing stays for longer, which harms nothing. */
export async function letGoSooner(
  { find, update }: Statements,
  documentId: string,
  now: Date,
): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const [stored] = await find([documentId], {
      _id: 1,
      seen: 1,
      b: 1,
      h: 1,
      open: 1,
      shares: 1,
      p: 1,
      kept: 1,
      terms: 1,
      forgotUntil: 1,
      remembered: 1,
      mendedAt: 1,
      expireAt: 1,
    });
    const over = stored && overAt(stored, now);
    if (stored?.expireAt === undefined || over === undefined || over >= stored.expireAt) return;
    const found = await update({
      filter: { _id: documentId, ...hasTerms(stored.terms?.version), ...isAsRead(stored) },
      update: { $set: { expireAt: over } },
    });
    if (found !== undefined) return;
  }
}

/** Nobody has added, settled or dated anything since a document was read. */
function isAsRead(stored: StoredDocument): Filter {
  const { open = null, shares = null, seen = null, remembered = null, mendedAt = null } = stored;
  const { expireAt } = stored;
  const filter: Record<string, unknown> = { open, shares, seen, remembered, mendedAt, expireAt };
  for (const hold of readHolds(stored)) filter[`${heldAt(hold)}.nonce`] = hold.nonce;
  return filter;
}

/** When all in a document is over; undefined with shares that had to go: nobody knows their ends. */
function overAt(stored: StoredDocument, machineNow: Date): Date | undefined {
  const { b = {}, h, kept, terms, forgotUntil } = stored;
  if (forgotUntil !== undefined) return undefined;
  const now = documentTime(machineNow, stored.seen);
  const names = [
    ...Object.keys(b),
    ...(kept ?? []).flatMap(({ b: text = '' }) => namesInText(text)),
  ];
  return new Date(
    Math.max(
      now.getTime() + HOLD_SECONDS_MAX * 1_000 + MEMORY_MS,
      surelyOver(terms && endOfTerms(readTerms(terms))),
      ...names.map((name) => surelyOver(readBucketName(name).until)),
      ...Object.values(h ?? {}).map((hold) => hold.until.getTime() + MEMORY_MS),
    ),
  );
}

/** When a window is over by every clock: the TTL index goes by another one than decisions do. */
function surelyOver(until: Date | undefined): number {
  return until === undefined ? 0 : Math.min(NEVER.getTime(), until.getTime() + KEPT_BEYOND_MS);
}
