import { decide } from '../domain/decision.ts';
import type { DocumentView } from '../domain/document.ts';
import { emptyView } from '../domain/document.ts';
import { planFor } from '../domain/plan.ts';
import type { Attempt, Attempted } from './check.ts';
import type { Context } from './context.ts';

/** Reads documents without touching them; one that is not there is empty. */
export async function readDocuments(
  context: Context,
  attempt: Attempt,
  documents: readonly string[],
): Promise<ReadonlyMap<string, DocumentView>> {
  const keysOf = (document: string): readonly string[] =>
    attempt.plan.plans.flatMap((plan) =>
      (plan.counters.get(document) ?? []).map((counter) => counter.key),
    );
  const read = async (document: string): Promise<[string, DocumentView]> => {
    const view = await context.counters.read(document, attempt.id, keysOf(document), context.at);
    if (view !== undefined) context.clock.observe(view.databaseNow);
    return [document, view ?? emptyView(attempt.estimate)];
  };
  return new Map(await Promise.all(documents.map(read)));
}

/** A dry run: decides from what is stored, by the same function that explains refusals. */
export async function lookOnly(context: Context, attempt: Attempt): Promise<Attempted> {
  const { request, digest, plan: checkPlan } = attempt;
  const [home] = checkPlan.documents;
  const views = await readDocuments(context, attempt, checkPlan.documents);
  let begun: Attempted | undefined;
  for (const [document, view] of views) {
    const plan = planFor(checkPlan, view.now);
    if (plan === undefined) return { kind: 'skewed', now: view.now };
    const counters = plan.counters.get(document) ?? [];
    const said = decide(view, plan, counters, request, digest, context.openHoldsMax);
    if (said.kind === 'refused') return { kind: 'refused', views };
    if (said.kind === 'full') return said;
    if (said.kind !== 'known' || (document !== home && said.sameContent)) continue;
    // What an earlier call left incomplete is completed only where the other documents have room.
    const isPending = said.entry.state === 'open' && said.entry.pending;
    if (!said.sameContent || !isPending) return { ...said, views };
    begun = { ...said, views };
  }
  return begun ?? { kind: 'would-hold', views };
}
