import { BUCKETS_MAX, COUNTER_SUM_MAX, RULES_PER_CHECK_MAX } from '../domain/bounds.ts';
import type { CheckAnswer } from '../domain/answer.ts';
import type { DocumentView, Entry } from '../domain/document.ts';
import { currentEntry, leftOutOf } from '../domain/document.ts';
import { countingBuckets } from '../domain/decision.ts';
import type { FullBound } from '../domain/decision.ts';
import { digestOf, requestDigest } from '../domain/digest.ts';
import {
  AlreadyRolledBackError,
  ClockSkewError,
  OrderReusedError,
  SubjectFullError,
} from '../domain/errors.ts';
import type { CheckPlan } from '../domain/plan.ts';
import { planCheck, planFor, rulesIn } from '../domain/plan.ts';
import type { Report } from '../domain/report.ts';
import { reportOn } from '../domain/report.ts';
import type { CheckRequest } from '../domain/request.ts';
import { reservationToken } from '../domain/reservation.ts';
import { holdId } from '../domain/subject.ts';
import type { Context } from './context.ts';
import { holdInOne } from './hold-one.ts';
import { holdInSeveral } from './hold-several.ts';
import { lookOnly } from './look-only.ts';

/** One attempt at a check: what is asked, and what is proposed to the database. */
export type Attempt = {
  readonly request: CheckRequest;
  readonly id: string;
  readonly nonce: string;
  readonly digest: string;
  readonly plan: CheckPlan;
  /** The estimate of the database's clock that the plan is made for. */
  readonly estimate: Date;
};

/** How an attempt ended. Views are by document, home's among them. */
export type Attempted =
  | {
      readonly kind: 'held';
      /** An earlier call of the order, left incomplete, was completed. */
      readonly repeated: boolean;
      /** Counters that the shares did not enter. */
      readonly leftOut: readonly string[];
      readonly views: ReadonlyMap<string, DocumentView>;
    }
  | { readonly kind: 'would-hold'; readonly views: ReadonlyMap<string, DocumentView> }
  | {
      readonly kind: 'known';
      readonly entry: Entry;
      readonly sameContent: boolean;
      readonly views: ReadonlyMap<string, DocumentView>;
    }
  | { readonly kind: 'refused'; readonly views: ReadonlyMap<string, DocumentView> }
  | { readonly kind: 'full'; readonly bound: FullBound }
  /** No plan was for the database's instant. Nothing changed. */
  | { readonly kind: 'skewed'; readonly now: Date };

/** Asks whether a transaction may happen, and holds its share if so. */
export async function check(context: Context, request: CheckRequest): Promise<CheckAnswer> {
  const rules = await context.rules();
  const [id, digest, nonce] = [holdId(request), requestDigest(request), context.nonce()];
  let estimate = context.clock.estimate();
  for (let tries = 0; tries < 2; tries++) {
    const plan = planCheck(rules, request, context.homeKinds, estimate);
    refuseTooManyRules(plan);
    const attempt = { request, id, nonce, digest, plan, estimate };
    const attempted = await attemptCheck(context, attempt);
    if (attempted.kind !== 'skewed') return answerTo(attempt, attempted);
    estimate = attempted.now;
  }
  throw new ClockSkewError(estimate);
}

async function attemptCheck(context: Context, attempt: Attempt): Promise<Attempted> {
  if (attempt.request.dryRun) return lookOnly(context, attempt);
  if (attempt.plan.documents.length > 1) return holdInSeveral(context, attempt);
  const attempted = await holdInOne(context, attempt);
  const isPending =
    attempted.kind === 'known' &&
    attempted.sameContent &&
    attempted.entry.state === 'open' &&
    attempted.entry.pending;
  // An atomic call of many orders has it in hand, or was cut off.
  return isPending ? holdInSeveral(context, attempt) : attempted;
}

/** @throws SubjectFullError where more rules apply than may */
export function refuseTooManyRules(plan: CheckPlan): void {
  const rules = rulesIn(plan);
  if (rules > RULES_PER_CHECK_MAX)
    throw new SubjectFullError(
      'TOO_MANY_RULES',
      `${rules} rules apply to this transaction, at most ${RULES_PER_CHECK_MAX} may: make their match narrower`,
    );
}

/**
 * Writes the answer to an attempt.
 *
 * @throws OrderReusedError, AlreadyRolledBackError, SubjectFullError
 */
export function answerTo(
  attempt: Attempt,
  attempted: Exclude<Attempted, { readonly kind: 'skewed' }>,
): CheckAnswer {
  switch (attempted.kind) {
    case 'full':
      throw new SubjectFullError(attempted.bound, FULL_MESSAGES[attempted.bound]);
    case 'refused':
      return { kind: 'refused', ...reported(attempt, attempted.views) };
    case 'would-hold': {
      const report = reported(attempt, attempted.views);
      return { kind: 'allowed', repeated: false, state: 'none', ...report };
    }
    case 'held':
      return allowed(attempt, attempted.views, attempted.repeated, attempted.leftOut);
    case 'known':
      return known(attempt, attempted);
  }
}

function known(
  attempt: Attempt,
  { entry, sameContent, views }: Extract<Attempted, { readonly kind: 'known' }>,
): CheckAnswer {
  if (!sameContent) throw new OrderReusedError(attempt.request.orderId);
  if (entry.state === 'rolledBack') throw new AlreadyRolledBackError(attempt.request.orderId);
  // Of an order that was settled since, the sums alone tell how shadow rules stand.
  return allowed(attempt, views, true, entry.state === 'open' ? leftOutOf(views) : []);
}

function allowed(
  attempt: Attempt,
  views: ReadonlyMap<string, DocumentView>,
  repeated: boolean,
  leftOut: readonly string[],
): CheckAnswer {
  const home = homeView(attempt, views);
  const entry = currentEntry(home);
  if (entry === undefined) throw new TypeError('an allowed order is in its home document');
  const { subjects } = attempt.request;
  return {
    kind: 'allowed',
    repeated,
    state: entry.state === 'open' ? 'held' : 'confirmed',
    reservation: reservationToken({
      order: digestOf(attempt.id),
      nonce: entry.nonce,
      kinds: attempt.plan.kinds,
      subjects,
    }),
    ...(entry.state === 'open' ? { holdExpiresAt: entry.until } : {}),
    ...reported(attempt, views, leftOut),
  };
}

function homeView(attempt: Attempt, views: ReadonlyMap<string, DocumentView>): DocumentView {
  const view = views.get(attempt.plan.documents[0]);
  if (view === undefined) throw new TypeError('an attempt has seen its home document');
  return view;
}

function reported(
  attempt: Attempt,
  views: ReadonlyMap<string, DocumentView>,
  leftOut?: readonly string[],
): Report & { readonly now: Date } {
  const { now } = homeView(attempt, views);
  const plan = planFor(attempt.plan, now);
  if (plan === undefined) throw new TypeError('an attempt that was decided has a plan');
  const buckets = new Map([...views].map(([id, view]) => [id, countingBuckets(view)]));
  const { request } = attempt;
  const report = reportOn({ plan, buckets, request, now, ...(leftOut ? { leftOut } : {}) });
  return { ...report, now };
}

const FULL_MESSAGES: Readonly<Record<FullBound, string>> = {
  TOO_MANY_OPEN_HOLDS:
    'the subject has as many open holds as it may: confirm or roll back what has ended, or wait until holds expire',
  TOO_MANY_BUCKETS: `the subject's document has as many buckets as it may, ${BUCKETS_MAX}: use fewer rules per pair of subjects, or longer steps`,
  COUNTER_FULL: `a counter would exceed ${COUNTER_SUM_MAX}, beyond which sums are not exact`,
};
