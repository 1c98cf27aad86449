import type { DocumentView } from './document.ts';
import { UndecidedError } from '../../shared/errors.ts';
import type { Addition } from './addition.ts';
import { isChosen } from './addition.ts';
import type { HoldCall } from './statements.ts';
import { viewProjection } from './projection.ts';
import type { StoredDocument } from './stored.ts';
import type { Read } from './tidy.ts';
import { WORTH_BUCKETS, mayBeFull, overIn, tidy } from './tidy.ts';

const NONE: ReadonlySet<string> = new Set();

/**
 * Tidies a document that an add has just shown, if it is worth it. One add in eight shows all its
 * buckets and looks, so callers of a busy document do not all do the same. What goes wrong changes no
 * answer: the next one tidies.
 */
export async function tidyAfter(
  call: HoldCall,
  stored: StoredDocument,
  { taken, now }: Addition,
): Promise<void> {
  if (!isChosen(taken)) return;
  const read = { stored, databaseNow: now };
  const { lapsed, buckets, emptied } = overIn(read);
  if (lapsed.length === 0 && emptied.size === 0 && buckets.length < WORTH_BUCKETS) return;
  try {
    await tidyNow(call, read, NONE);
  } catch (error) {
    if (!(error instanceof UndecidedError)) throw error;
  }
}

/** Tidies a document that was read, where what is over is in the way. Says whether it had to. */
export async function tidyIfNeeded(
  call: HoldCall,
  stored: StoredDocument,
  { now }: DocumentView,
  asked: ReadonlySet<string>,
): Promise<boolean> {
  const read = { stored, databaseNow: stored.now ?? now };
  const { lapsed, buckets, emptied } = overIn(read);
  const mayDrop = mayBeFull(stored) && buckets.length + emptied.size > 0;
  if (lapsed.length === 0 && !mayDrop) return false;
  await tidyNow(call, read, asked);
  return true;
}

/**
 * Tidies by what was read; where that matches nothing, once more by the whole document. A hold that was
 * not read may outlast a window that it names: its bucket stays, and must not keep the rest from going.
 */
async function tidyNow(call: HoldCall, read: Read, asked: ReadonlySet<string>): Promise<void> {
  const { statements, documentId, outcomesMax } = call;
  const tidies = async (found: Read): Promise<boolean> => {
    const tidying = { outcomesMax, asked, projection: { _id: 1 } };
    return (await statements.update(tidy(documentId, found, tidying))) !== undefined;
  };
  const needsKept = (read.stored.holds ?? []).some(({ home }) => home !== undefined);
  if (!needsKept && (await tidies(read))) return;
  const whole = await readWhole(call, [...asked]);
  if (whole !== undefined && isAnythingOver(whole)) await tidies(whole);
}

function isAnythingOver(read: Read): boolean {
  const { lapsed, buckets, emptied } = overIn(read);
  return lapsed.length + buckets.length + emptied.size > 0;
}

async function readWhole(
  { statements, documentId, at }: HoldCall,
  ids: readonly string[],
): Promise<Read | undefined> {
  const projection = { ...viewProjection(ids, 'all', at), holds: 1 };
  const [stored] = await statements.find([documentId], projection);
  const databaseNow = at ?? stored?.now;
  return stored === undefined || databaseNow === undefined ? undefined : { stored, databaseNow };
}
