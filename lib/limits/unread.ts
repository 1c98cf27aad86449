import { SLACK_MS } from '../shared/bounds.ts';
import type { Attempt } from './attempt.ts';
import type { Context } from './context.ts';
import { holdEnd } from '../counter/effect.ts';
import { planFor } from '../document/document-plan.ts';
import { mostIn } from '../plan/plan.ts';
import { shareUntil } from './shares.ts';
import type { OpenMaxima } from './look.ts';
import { askOf } from './look.ts';
import type { Ask } from '../document/counter-store.ts';

/**
 * Whether an order of several documents is asked for unread: not where the answer is likely to be no, nor where a
 * document would read itself first.
 */
export function mayAskUnread(
  { counters, inOneCommit }: Context,
  { isAgain, plan, request }: Attempt,
): boolean {
  const [home, ...others] = plan.documents;
  return (
    others.length > 0 &&
    !isAgain &&
    !inOneCommit &&
    !counters.isOneCommit &&
    plan.barred.length === 0 &&
    request.holdMs > SLACK_MS &&
    counters.lanes.takesPlain(home, 'hold')
  );
}

/**
 * What an order asks of several documents that nobody read before. All of them are for the instant of the
 * attempt, so its end is known. A commit may drop a share before home is asked, and home may hold the order of that
 * commit, end it and forget it. So home asks whether a share was dropped that ends so late.
 *
 * Where home does not hold it, the attempt begins again with a read.
 */
export function unreadAsks(context: OpenMaxima, attempt: Attempt): readonly Ask[] {
  const [home, ...others] = attempt.plan.documents;
  const until = holdEnd(attempt.estimate, attempt.request.holdMs);
  const unread = { sharesUntil: shareUntil(until) };
  const plan = planFor(attempt.plan.plans, attempt.estimate);
  if (plan === undefined) throw new TypeError('a plan is made for its own instant');
  const amountMinor = mostIn(plan, attempt.request);
  const share = { until: unread.sharesUntil, amountMinor, home };
  const hold = { until, amountMinor, others };
  return [
    ...others.map((document) => askOf(context, attempt, document, share, { unread })),
    askOf(context, attempt, home, hold, { unread }),
  ];
}
