import { requestDigest } from '../domain/digest.ts';
import { planCheck } from '../domain/plan.ts';
import type { CheckRequest } from '../domain/request.ts';
import { holdId } from '../domain/subject.ts';
import { refuseTooManyRules } from './check.ts';
import type { Context } from './context.ts';
import { Visited, visitAll } from './hold-many.ts';
import type { Run } from './tell-many.ts';
import type { Verdict } from './verdict.ts';
import { isAllowed, verdictAtHome, verdictOf } from './verdict.ts';

/** Asks all documents; nothing is completed or given back yet. */
export async function visitedRun(
  context: Context,
  requests: readonly CheckRequest[],
  atomic: boolean,
): Promise<Run> {
  const rules = await context.rules();
  const estimate = context.clock.estimate();
  const attempts = requests.map((request) => ({
    request,
    id: holdId(request),
    nonce: context.nonce(),
    digest: requestDigest(request),
    plan: planCheck(rules, request, context.homeKinds, estimate),
    estimate,
  }));
  const run = { attempts, visited: new Visited(), verdicts: new Map<string, Verdict>() };
  await visitHomes(context, run, atomic);
  await visitOthers(context, run, atomic);
  return run;
}

async function visitHomes(context: Context, run: Run, atomic: boolean): Promise<void> {
  const { attempts, visited, verdicts } = run;
  for (const attempt of attempts) {
    const several = attempt.plan.documents.length > 1;
    try {
      refuseTooManyRules(attempt.plan);
      if (several && attempt.request.capture) verdicts.set(attempt.id, { kind: 'again' });
    } catch (error) {
      verdicts.set(attempt.id, { kind: 'failed', error });
    }
  }
  const visits = attempts
    .filter(({ id }) => !verdicts.has(id))
    .map((attempt) => {
      const [document, ...others] = attempt.plan.documents;
      return { attempt, document, pending: atomic || others.length > 0, looks: false };
    });
  await visitAll(context, visits, visited);
  for (const { attempt } of visits) verdicts.set(attempt.id, verdictAtHome(visited, attempt));
}

async function visitOthers(context: Context, run: Run, atomic: boolean): Promise<void> {
  const { attempts, visited, verdicts } = run;
  const holdsAny = !atomic || [...verdicts.values()].every(isAllowed);
  const visits = attempts.flatMap((attempt) => {
    const verdict = verdicts.get(attempt.id);
    const holds = verdict?.kind === 'held' && holdsAny;
    const looks = verdict?.kind === 'refused' || verdict?.kind === 'known';
    if (!holds && !looks) return [];
    const [, ...others] = attempt.plan.documents;
    return others.map((document) => ({ attempt, document, pending: true, looks }));
  });
  await visitAll(context, visits, visited);
  for (const attempt of attempts) {
    const verdict = verdicts.get(attempt.id);
    if (verdict !== undefined) verdicts.set(attempt.id, verdictOf(visited, attempt, verdict));
  }
}
