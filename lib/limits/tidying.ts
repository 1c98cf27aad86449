import { UNTIDIED_MAX } from '../domain/bounds.ts';
import type { DocumentView } from '../domain/document.ts';
import { UndecidedError } from '../domain/errors.ts';
import type { Addition } from './addition.ts';
import type { Adding } from './statements.ts';
import { viewProjection } from './projection.ts';
import type { StoredDocument } from './stored.ts';
import { numberOf } from './stored.ts';
import type { Read } from './tidy.ts';
import { isCrowded, mayBeFull, overIn, tidy } from './tidy.ts';

const NONE: ReadonlySet<string> = new Set();

/** With fewer buckets that are over, a document is not worth a statement. */
const WORTH_BUCKETS = 8;

/**
 * Tidies a document that an add has just shown, if it is worth it. One add in eight shows all its
 * buckets and looks, so callers of a busy document do not all do the same. What goes wrong changes no
 * answer: the next one tidies.
 */
export async function tidyAfter(
  adding: Adding,
  documentId: string,
  stored: StoredDocument,
  { showsAll, now }: Addition,
  at: Date | undefined,
): Promise<void> {
  if (!showsAll) return;
  const read = { stored, databaseNow: now };
  const { lapsed, buckets } = overIn(read);
  if (lapsed.length === 0 && buckets.length < WORTH_BUCKETS) return;
  try {
    await tidyNow(adding, documentId, read, NONE, at);
  } catch (error) {
    if (!(error instanceof UndecidedError)) throw error;
  }
}

/** Tidies a document that was read, where what is over is in the way. Says whether it had to. */
export async function tidyIfNeeded(
  adding: Adding,
  documentId: string,
  stored: StoredDocument,
  { now }: DocumentView,
  asked: ReadonlySet<string>,
  at: Date | undefined,
): Promise<'tidied' | 'nothing'> {
  const read = { stored, databaseNow: stored.now ?? now };
  const { lapsed, buckets } = overIn(read);
  const isFull = numberOf(stored.untidied ?? 0) >= UNTIDIED_MAX;
  const mayDrop = buckets.length > 0 && (isFull || mayBeFull(stored));
  if (lapsed.length === 0 && !mayDrop && !(isFull && !isCrowded(stored))) return 'nothing';
  await tidyNow(adding, documentId, read, asked, at);
  return 'tidied';
}

async function tidyNow(
  { statements, outcomesMax }: Adding,
  documentId: string,
  read: Read,
  asked: ReadonlySet<string>,
  at: Date | undefined,
): Promise<void> {
  const needsKept = (read.stored.holds ?? []).some(({ home }) => home !== undefined);
  const whole = needsKept ? await readWhole(statements, documentId, [...asked], at) : read;
  if (whole === undefined) return;
  await statements.update(tidy(documentId, whole, { outcomesMax, asked, projection: { _id: 1 } }));
}

async function readWhole(
  statements: Adding['statements'],
  documentId: string,
  ids: readonly string[],
  at: Date | undefined,
): Promise<Read | undefined> {
  const [stored] = await statements.find([documentId], viewProjection(ids, 'all', at));
  const databaseNow = at ?? stored?.now;
  return stored === undefined || databaseNow === undefined ? undefined : { stored, databaseNow };
}
