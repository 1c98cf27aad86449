import { DOCUMENTS_PER_COMMIT_MAX } from '../shared/bounds.ts';
import { UndecidedError } from '../shared/errors.ts';
import type { Attempt, Outcome } from '../limits/attempt.ts';
import { tooManyRules } from '../limits/attempt.ts';
import { holdBySteps } from '../limits/by-steps.ts';
import type { Context } from '../limits/context.ts';
import { holdInOneCommit } from '../limits/in-one-commit.ts';

type Outcomes = Map<string, Outcome>;

/**
 * Counts records, each in all its documents or in none: orders of several documents in multi-document
 * commits, the others by one update a document.
 *
 * A commit keeps every check away from its documents for as long as it runs. So an order of one document
 * takes part in it only where an order of several meets it there: among them the order given decides.
 */
export async function countAll(context: Context, attempts: readonly Attempt[]): Promise<Outcomes> {
  const outcomes: Outcomes = new Map();
  const asked = attempts.filter((attempt) => {
    const error = tooManyRules(attempt);
    if (error !== undefined) outcomes.set(attempt.id, { kind: 'failed', error });
    return error === undefined;
  });
  if (context.counters.isOneCommit && asked.length > 0) {
    // What goes wrong ends the commit: a part of an order may be written by then.
    for (const [id, outcome] of await holdInOneCommit(context, asked, false))
      outcomes.set(id, outcome);
    return outcomes;
  }
  if (context.inOneCommit) {
    await countIn(outcomes, asked, () => holdInOneCommit(context, asked, false));
    return outcomes;
  }
  const { alone, together } = parted(asked);
  await countIn(outcomes, alone, () => holdBySteps(context, alone));
  await countByCommits(context, commitsOf(together), outcomes);
  return outcomes;
}

/** Orders that one update counts, and those that commits do. */
function parted(attempts: readonly Attempt[]): {
  readonly alone: readonly Attempt[];
  readonly together: readonly Attempt[];
} {
  const shared = new Set(
    attempts.flatMap(({ plan: { documents } }) => (documents.length > 1 ? documents : [])),
  );
  const isShared = ({ plan }: Attempt): boolean => shared.has(plan.documents[0]);
  return {
    alone: attempts.filter((attempt) => !isShared(attempt)),
    together: attempts.filter(isShared),
  };
}

/** One after the other in the order given, as many in a commit as its documents allow. */
function commitsOf(attempts: readonly Attempt[]): readonly (readonly Attempt[])[] {
  const commits: Attempt[][] = [];
  let documents = new Set<string>();
  for (const attempt of attempts) {
    const all = new Set([...documents, ...attempt.plan.documents]);
    const last = commits.at(-1);
    if (last === undefined || all.size > DOCUMENTS_PER_COMMIT_MAX) {
      commits.push([attempt]);
      documents = new Set(attempt.plan.documents);
    } else {
      last.push(attempt);
      documents = all;
    }
  }
  return commits;
}

/** Where one could not be committed in its time, those after it are not asked: nor could they be. */
async function countByCommits(
  context: Context,
  commits: readonly (readonly Attempt[])[],
  outcomes: Outcomes,
): Promise<void> {
  let undecided: UndecidedError | undefined;
  for (const attempts of commits)
    await countIn(outcomes, attempts, async () => {
      if (undecided !== undefined) throw undecided;
      try {
        return await holdInOneCommit(context, attempts, false);
      } catch (error) {
        if (error instanceof UndecidedError) undecided = error;
        throw error;
      }
    });
}

async function countIn(
  outcomes: Outcomes,
  attempts: readonly Attempt[],
  count: () => Promise<ReadonlyMap<string, Outcome>>,
): Promise<void> {
  if (attempts.length === 0) return;
  try {
    for (const [id, outcome] of await count()) outcomes.set(id, outcome);
  } catch (error) {
    for (const { id } of attempts) outcomes.set(id, { kind: 'failed', error });
  }
}
