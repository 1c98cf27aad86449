import { currentEntry } from '../domain/document.ts';
import { groupedBy } from '../domain/many.ts';
import { atOnce } from './at-once.ts';
import type { Attempt } from './check.ts';
import type { Context } from './context.ts';
import type { Visited } from './hold-many.ts';
import type { Verdict } from './verdict.ts';

type Verdicts = Map<string, Verdict>;

function homeOf({ plan }: Attempt): string {
  return plan.documents[0];
}

/** Completes the pending holds of home documents; a hold that is another call's by now is asked again. */
export async function completeHomes(
  context: Context,
  attempts: readonly Attempt[],
  verdicts: Verdicts,
): Promise<void> {
  await atOnce(groupedBy(attempts, homeOf), async ([home, ofHome]) => {
    try {
      const holds = ofHome.map(({ id, nonce }) => ({ id, nonce }));
      const complete = await context.counters.completeMany(home, holds);
      for (const { id } of ofHome) if (!complete.has(id)) verdicts.set(id, { kind: 'again' });
    } catch (error) {
      for (const { id } of ofHome) verdicts.set(id, { kind: 'failed', error });
    }
  });
}

/**
 * Gives back what these orders hold, home first. Where home is another call's by now, the shares in
 * the other documents are too, and stay.
 */
export async function withdrawMany(
  context: Context,
  attempts: readonly Attempt[],
  visited: Visited,
  verdicts: Verdicts,
): Promise<void> {
  const theirs = new Set<string>();
  const withdraw = async (document: string, those: readonly Attempt[]): Promise<void> => {
    try {
      const asks = those.map(({ id, nonce }) => ({ id, nonce, to: 'withdrawn' as const }));
      const before = await context.counters.settleMany(document, asks, false, context.at);
      for (const { id, nonce, plan } of those) {
        const entries = before?.entries.filter((entry) => entry.id === id) ?? [];
        const entry = before && currentEntry({ ...before, entries });
        const isTheirs = entry && entry.nonce !== nonce && entry.state !== 'rolledBack';
        if (isTheirs && document === plan.documents[0]) theirs.add(id);
      }
    } catch (error) {
      // It expires by itself; whoever repeats the call completes it or gives it back.
      for (const { id } of those)
        if (verdicts.get(id)?.kind !== 'failed') verdicts.set(id, { kind: 'failed', error });
      for (const { id } of those) theirs.add(id);
    }
  };
  await atOnce(groupedBy(attempts, homeOf), ([home, ofHome]) => withdraw(home, ofHome));
  const shares = attempts
    .filter(({ id }) => !theirs.has(id))
    .flatMap((attempt) =>
      attempt.plan.documents
        .slice(1)
        .filter((document) => visited.mayHold(document, attempt.id))
        .map((document) => ({ attempt, document })),
    );
  await atOnce(
    groupedBy(shares, ({ document }) => document),
    ([document, ofDocument]) =>
      withdraw(
        document,
        ofDocument.map(({ attempt }) => attempt),
      ),
  );
}
