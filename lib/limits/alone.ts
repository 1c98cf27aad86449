import type { Attempt, AttemptResult, Views } from './attempt.ts';
import { countCaptured } from './shares.ts';
import type { Context } from './context.ts';
import { viewOfOrder } from './document/document.ts';
import { outcomeOf } from './tell-failed.ts';
import { holdIn, readSaid } from './visits.ts';

/** Attempts at the check of one order in its one document: by one statement in the ordinary case. */
export async function holdAlone(context: Context, attempt: Attempt): Promise<AttemptResult> {
  const [document] = attempt.plan.documents;
  const visit = { attempt, document };
  try {
    const { view: read, held } = await holdIn(context, document, [visit]);
    // Of a call of many the document shows its other orders, too.
    const view = viewOfOrder(read, attempt.id);
    const views: Views = new Map([[document, view]]);
    const outcome: AttemptResult = held.has(attempt.id)
      ? { kind: 'held', views }
      : outcomeOf(context, attempt, readSaid(context, visit, view), views, undefined);
    if (!attempt.request.capture) return outcome;
    const outcomes = new Map([[attempt.id, outcome]]);
    await countCaptured(context, [attempt], outcomes, ['held', 'known']);
    return outcomes.get(attempt.id) ?? outcome;
  } catch (error) {
    return { kind: 'failed', error };
  }
}
