import { currentEntry } from './document/document.ts';
import type { Attempt, Outcome } from './attempt.ts';
import type { Context } from './context.ts';
import { homeView } from './look.ts';
import { countShares } from './shares.ts';

/**
 * Counts in the other documents what home has counted at once. A repeat does so too: the call that was
 * first may have ended in between, and its answer says that the order is counted.
 *
 * @param kinds outcomes that may have to be counted yet
 */
export async function countCaptured(
  context: Context,
  attempts: readonly Attempt[],
  outcomes: Map<string, Outcome>,
  kinds: readonly ('held' | 'known')[],
): Promise<void> {
  for (const attempt of attempts) {
    const outcome = outcomes.get(attempt.id);
    if (!attempt.request.capture || (outcome?.kind !== 'held' && outcome?.kind !== 'known'))
      continue;
    const entry = currentEntry(homeView(attempt, outcome.views));
    const isElsewhere = entry?.state === 'confirmed' && entry.others !== undefined;
    if (!isElsewhere || !kinds.includes(outcome.kind)) continue;
    // Under another order's id: an error changes nothing.
    if (outcome.kind === 'known' && !outcome.sameContent) continue;
    try {
      const counted = await countShares(context, entry, outcome.views);
      outcomes.set(attempt.id, { ...outcome, ...counted });
    } catch (error) {
      outcomes.set(attempt.id, { kind: 'failed', error });
    }
  }
}
