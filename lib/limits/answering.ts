import {
  BUCKETS_MAX,
  BUCKETS_OF_OTHERS,
  COUNTER_SUM_MAX,
  DISTINCT_VALUES_MAX,
} from '../shared/bounds.ts';
import type { CheckAnswer, RefusalReason } from './answer.ts';
import type { Full, FullBound } from '../document/decision.ts';
import { countingBuckets } from '../document/decision.ts';
import type { Entry } from '../document/document.ts';
import type { Bucket } from '../counter/sums.ts';
import { currentEntry, leftOutOf } from '../document/document.ts';
import { AlreadyRolledBackError, OrderReusedError, SubjectFullError } from '../shared/errors.ts';
import { crossingsIn } from './crossings.ts';
import type { Plan } from '../plan/plan.ts';
import { isUnruled, leastIn } from '../plan/plan.ts';
import type { CheckRequest } from '../shared/request.ts';
import type { Writable } from '../shared/writable.ts';
import type { Report, RuleReport } from './report.ts';
import { isRefusing, reportOn } from './report.ts';
import { isOfFailures } from '../rule/counting.ts';
import { challengeOf, isLifted } from '../rule/rule.ts';
import { reservationToken } from './reservation.ts';
import { lackingError } from '../rule/require.ts';
import { pendingIn } from '../document/settlement.ts';
import { numbered } from '../shared/numbered.ts';
import { documentOf, readDocument } from '../shared/subject.ts';
import type { Attempt, Shown } from './attempt.ts';
import type { Context, Told } from './context.ts';
import { homeView } from './attempt.ts';
import { sharesInTheWay, withoutShares } from './look.ts';
import type { OrderTrace } from './order-trace.ts';
import { traceOf } from './trace.ts';
import { planFor } from '../document/document-plan.ts';
import type { ReservedHold } from '../document/counter-store.ts';

/** The answer to an attempt, with the replies of its documents. */
export function tell({ tellsNear }: Pick<Context, 'tellsNear'>, shown: Shown): Told<CheckAnswer> {
  const trace = (): OrderTrace => traceOf(shown);
  try {
    const answer = answerTo(shown);
    const told = { result: { kind: 'answered', answer } as const, trace };
    if (!tellsNear || shown.kind !== 'held' || answer.kind !== 'allowed') return told;
    const { shares } = traceOf(shown);
    // Nothing of a maximum of failures is taken yet.
    const taking = answer.rules.filter(({ rule }) => !isOfFailures(rule));
    const { count, amountMinor: asked } = shown.attempt.request;
    const taken = { count, amountMinor: answer.part?.amount ?? asked };
    const crossed = crossingsIn(taking, shares, taken, shown.views);
    return crossed.length === 0 ? told : { ...told, crossings: crossed };
  } catch (error) {
    return { result: { kind: 'failed', error }, trace };
  }
}

function answerTo(shown: Shown): CheckAnswer {
  const { attempt } = shown;
  switch (shown.kind) {
    case 'failed':
      throw shown.error;
    case 'again':
    case 'unasked':
      throw new TypeError('an attempt that is not decided has no answer yet');
    case 'full':
      throw fullError(shown, attempt);
    case 'refused':
      return refused(shown);
    case 'wouldHold':
      return allowed(shown, false, shown.amountMinor);
    case 'known':
      if (!shown.sameContent) throw new OrderReusedError(attempt.request.orderId);
      if (shown.entry.state === 'rolledBack')
        throw new AlreadyRolledBackError(attempt.request.orderId);
      break;
    case 'held':
      break;
  }
  const entry = currentEntry(homeView(shown));
  if (entry === undefined) throw new TypeError('an allowed order is in its home document');
  return allowed(shown, shown.kind === 'known', entry.amount, entry);
}

/**
 * Documents refuse, and are reported, as if the attempt were alone: another one at its order is no reason, nor is what
 * it could not give back.
 */
function refused({ attempt, views: seen }: Shown): CheckAnswer {
  const views = new Map(
    [...seen].map(([document, view]) => [
      document,
      withoutShares(view, sharesInTheWay(view, attempt)),
    ]),
  );
  const { request } = attempt;
  const { rules, headroom, now } = reported({ attempt, views }, {});
  const plan = planFor(attempt.plan.plans, now);
  if (plan !== undefined && plan.lacking.length > 0) throw lackingError(plan.lacking);
  const { reason, challenges } = reasonIn(plan, request, rules);
  const answer: Refused = { kind: 'refused', reason, rules, headroom, now };
  if (challenges !== undefined) answer.challenges = challenges;
  if (plan !== undefined && plan.frozen.length > 0) answer.frozen = plan.frozen;
  if (plan !== undefined && request.leastMinor !== undefined)
    answer.leastMinor = leastIn(plan, request);
  return answer;
}

type Refused = Writable<Extract<CheckAnswer, { readonly kind: 'refused' }>>;

type Reason = { readonly reason: RefusalReason; readonly challenges?: readonly string[] };

/** A proof or an approval helps only where each rule that refuses asks for one. The payer proves first. */
function reasonIn(
  plan: Plan | undefined,
  request: CheckRequest,
  reports: readonly RuleReport[],
): Reason {
  if (plan !== undefined && plan.frozen.length > 0) return { reason: 'frozen' };
  if (plan !== undefined && isUnruled(plan, request)) return { reason: 'no-rule' };
  const refusing = reports.filter(isRefusing).map(({ rule }) => rule);
  if (refusing.length === 0 || !refusing.every(isLifted)) return { reason: 'rule' };
  const proofs = refusing.map(challengeOf).filter((proof) => proof !== undefined);
  if (proofs.length === 0) return { reason: 'review' };
  return { reason: 'challenge', challenges: [...new Set(proofs)] };
}

/**
 * The answer to an order that passes, or would.
 *
 * @param amountMinor what it has got, if it takes less than it asks
 * @param entry what home has of it: nothing after a dry run
 */
function allowed(shown: Shown, repeated: boolean, amountMinor: number, entry?: Entry): CheckAnswer {
  const { attempt, views, uncounted } = shown;
  const isOpen = entry?.state === 'open';
  // A confirm remembers none. After it the sums alone tell how rules on trial stand.
  const leftOut = entry && leftOutOf(views, entry.nonce);
  const report = reported(shown, { amountMinor, leftOut });
  const { rules, limitReachedBy, exceeded, headroom, now, amountBy = [] } = report;
  const state = entry === undefined ? 'none' : isOpen ? 'held' : 'confirmed';
  const answer: Writable<Extract<CheckAnswer, { readonly kind: 'allowed' }>> = {
    kind: 'allowed',
    repeated,
    state,
    limitReachedBy,
    exceeded,
    rules,
    headroom,
    now,
  };
  const { amountMinor: asked, leastMinor } = attempt.request;
  if (leastMinor !== undefined) {
    const by = repeated ? undefined : amountMinor < asked ? amountBy : [];
    answer.part = { amount: amountMinor, asked, amountBy: by };
  }
  if (entry === undefined) return answer;
  answer.reservation = reservationOf(shown, entry);
  answer.holdExpiresAt = isOpen ? entry.until : undefined;
  answer.uncounted = uncounted;
  return answer;
}

/** Names an order, its documents, and of one that all of them hold, what is held. */
function reservationOf({ attempt, views }: Shown, entry: Entry): string {
  const { subjects } = attempt.request;
  const kinds: [string, ...string[]] = [attempt.plan.kinds[0]];
  // What home says of other documents stands, whatever rules there are by now.
  const { nonce, others = [] } = entry;
  for (const document of others) {
    const { kind } = readDocument(document);
    if (documentOf(kind, subjects) === document) kinds.push(kind);
  }
  const order = attempt.digestOfId;
  if (entry.state !== 'open' || kinds.length <= others.length)
    return reservationToken({ order, nonce, kinds, subjects });
  const { digest, amount, count, until } = entry;
  const buckets: (string | null)[] = [entry.places.text];
  const leftOut = [entry.leftOut];
  let { values } = entry;
  for (const document of others) {
    const view = views.get(document);
    const share = view && pendingIn(view, nonce);
    buckets.push(share?.places.text ?? null);
    leftOut.push(share?.leftOut ?? []);
    if (share?.values !== undefined) values = { ...values, ...share.values };
  }
  const held: Writable<ReservedHold> = { digest, amount, count, until, buckets };
  if (values !== undefined) held.values = values;
  for (const { length } of leftOut) if (length > 0) held.leftOut = leftOut;
  return reservationToken({ order, nonce, kinds, subjects, held });
}

/** @param amountMinor the amount that an order has got. A `partial` order that has got nothing is judged by its least */
function reported(
  shown: Pick<Shown, 'attempt' | 'views'>,
  { amountMinor, leftOut }: { amountMinor?: number; leftOut?: readonly string[] | undefined },
): Report {
  const { attempt, views } = shown;
  const { now } = homeView(shown);
  const plan = planFor(attempt.plan.plans, now);
  if (plan === undefined) throw new TypeError('an attempt that was decided has a plan');
  const buckets = new Map<string, readonly Bucket[]>();
  const { kinds, documents } = attempt.plan;
  for (const [place, document] of documents.entries()) {
    const view = views.get(document);
    if (view !== undefined) buckets.set(kinds[place] ?? '', countingBuckets(view));
  }
  const { values } = attempt;
  const request = values === undefined ? attempt.request : { ...attempt.request, values };
  if (request.leastMinor === undefined) return reportOn(plan, { buckets, request, now, leftOut });
  const least = { ...request, amountMinor: leastIn(plan, request) };
  if (amountMinor === undefined) return reportOn(plan, { buckets, request: least, now, leftOut });
  const part = { ...request, amountMinor };
  return reportOn(plan, { buckets, request: part, least, now, leftOut });
}

/** The error where a bound of a document says no. It names the subject, the bound, and what to do. */
export function fullError(
  { bound, document, openMax, openOf }: Full,
  { plan, request }: Attempt,
): SubjectFullError {
  const { subjects } = readDocument(document);
  const named = Object.entries(subjects).map(([kind, id]) => `${kind} ${JSON.stringify(id)}`);
  const setting = document === plan.documents[0] ? 'MAX_OPEN_HOLDS' : 'MAX_OPEN_SHARES';
  const open = numbered(openMax, 'open hold');
  const most =
    openOf === 'all'
      ? `${open}, the most that it may have (${setting})`
      : `${open} of application ${JSON.stringify(request.appId)}, the most that this application may have there (${request.openPercent} % of ${setting})`;
  const says = {
    TOO_MANY_OPEN_HOLDS: `has ${most}: confirm or roll back some, or wait until they expire. A captured order needs none`,
    TOO_MANY_BUCKETS: `has no room for another window. It has at most ${BUCKETS_MAX}, of pairs of subjects ${BUCKETS_MAX - BUCKETS_OF_OTHERS}: write counterparts: many in rules of several subjects, or use shorter windows or longer steps`,
    COUNTER_FULL: `has a sum that would exceed ${COUNTER_SUM_MAX}, above which sums are not exact, or more than ${DISTINCT_VALUES_MAX} different values: use a shorter window`,
  } as const satisfies Readonly<Record<FullBound, string>>;
  return new SubjectFullError(bound, `${named.join(' with ')} ${says[bound]}`);
}
