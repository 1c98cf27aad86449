import {
  BUCKETS_HIGH,
  COUNTING_SHARES_MAX,
  OPEN_SHARES_HIGH,
  RULES_PER_CHECK_MAX,
} from '../shared/bounds.ts';
import { digestOf, requestDigest } from '../shared/digest.ts';
import { decide } from '../document/decide.ts';
import type { DocumentView } from '../document/document.ts';
import { SubjectFullError } from '../shared/errors.ts';
import type { Decision } from '../document/decision.ts';
import type { CompiledRules } from '../plan/compile.ts';
import type { CheckPlan } from '../plan/plan.ts';
import { documentPlanIn, singleRoom } from '../plan/plan.ts';
import type { Values } from '../rule/counter-key.ts';
import type { CheckRequest } from '../shared/request.ts';
import { holdId, readDocument } from '../shared/subject.ts';
import type { Ask, AskedOrder, Holding } from '../document/counter-store.ts';
import type { Context } from './context.ts';
import type { DocumentPlan } from '../document/document-plan.ts';
import type { Counter } from '../counter/kind.ts';
import { pairsAmong, planAt, planFor } from '../document/document-plan.ts';
import { planCheck } from '../plan/check-plan.ts';

/** One attempt at a check: what is asked, and what is proposed to the database. */
export type Attempt = {
  readonly request: CheckRequest;
  readonly id: string;
  readonly digestOfId: string;
  readonly nonce: string;
  readonly digest: string;
  readonly plan: CheckPlan;
  /** The instant that it is planned for. */
  readonly estimate: Date;
  readonly planAt: (at: Date) => CheckPlan;
  /** Whether an earlier attempt of the call was overtaken: documents are read before they are asked. */
  readonly isAgain: boolean;
  /** Those that rules count. */
  readonly values: Values | undefined;
  readonly maxima: OpenMaxima;
  /**
   * So many outcomes home had, or more, when rows did not know the order; 0 before rows are asked. Only of an order that
   * counts at once, and only where rows remember more orders than homes do.
   */
  readonly rememberedBefore?: number | undefined;
};

/** How many holds and shares may be open in its documents, and how many outcomes home remembers. */
export type OpenMaxima = Pick<Context, 'openHoldsMax' | 'openSharesMax' | 'asked'> & {
  readonly counters?: Pick<Context['counters'], 'outcomesMax'>;
};

/** Documents as an attempt saw them, by `_id`; home's among them. */
export type Views = ReadonlyMap<string, DocumentView>;

/** What a document said to an order. `unasked`: none was asked, for another order of an atomic call was not allowed. */
export type Said = Decision | { readonly kind: 'held' | 'unasked' } | Again | Failed;

/** What documents said to an attempt, and how they stood then. */
export type Shown = Said & {
  readonly attempt: Attempt;
  /** Home's among them, but for what failed or begins again. */
  readonly views: Views;
  /** Documents beside home that may not count an order that is counted at once. */
  readonly uncounted?: readonly string[] | undefined;
};

/** An attempt that begins again. */
export type ShownAgain = Shown & Again;

/** Puts together what was said to an attempt, and how its documents stood. */
export function shownOf(attempt: Attempt, said: Said, views: Views): Shown {
  const isUnseen = said.kind === 'failed' || said.kind === 'again';
  return { attempt, views: isUnseen ? NO_VIEWS : views, ...said };
}

/** Of no document. */
export const NO_VIEWS: ReadonlyMap<string, DocumentView> = new Map();

/** What became of an attempt of which nobody knows what is held. */
export function failed(attempt: Attempt, error: unknown): Shown {
  return { kind: 'failed', error, attempt, views: NO_VIEWS };
}

/** Nothing is decided or held; the attempt begins again, by itself. */
export type Again = Overtaken | Forgotten;

/** What an attempt was decided by is not so any more. */
export type Overtaken = {
  readonly kind: 'again';
  /**
   * `skewed`: no plan was for the database's instant. `late`: its time was over, or home may have forgotten
   * since. `givenBack`: another order of the call gave back what refused it. `inTheWay`: a share of another
   * attempt stands there, which one commit takes out. `terms`: a subject has other terms than were known.
   * `unread`: home does not take it, and nobody read its documents. `less`: it fits with a smaller amount. `turn`:
   * an order of the call before it begins again, and both ask one document.
   */
  readonly because:
    | 'skewed'
    | 'late'
    | 'givenBack'
    | 'inTheWay'
    | 'terms'
    | 'unread'
    | 'less'
    | 'turn';
  readonly now: Date;
};

/** Home does not know an order, which it may have forgotten. Rows must be asked, and then it begins again. */
export type Forgotten = {
  readonly kind: 'again';
  readonly because: 'forgotten';
  readonly now: Date;
  /** How many outcomes home had, or more. */
  readonly remembered: number;
};

/** Nobody knows what is held. */
export type Failed = { readonly kind: 'failed'; readonly error: unknown };

/** Whether a rule or a bound says no. */
export function isRefusal<One extends Said>(
  said: One | undefined,
): said is Extract<One, { readonly kind: 'refused' | 'full' }> {
  return said?.kind === 'refused' || said?.kind === 'full';
}

/** Begins an attempt. */
export function attemptAt(
  context: Context,
  rules: CompiledRules,
  request: CheckRequest,
  estimate: Date,
  isAgain: boolean,
  rememberedBefore?: number,
): Attempt {
  const planAt = (at: Date): CheckPlan =>
    planCheck(rules, request, context, at, (document) => context.terms.of(document));
  const id = holdId(request);
  return {
    request,
    id,
    digestOfId: digestOf(id),
    nonce: context.nonce(),
    digest: requestDigest(request),
    plan: planAt(estimate),
    estimate,
    planAt,
    isAgain,
    values: rules.valuesOf(request),
    maxima: context,
    rememberedBefore,
  };
}

/** What an attempt is refused with to which more rules apply than may. */
export function tooManyRules({ plan }: Attempt): SubjectFullError | undefined {
  for (const { concerned } of plan.plans)
    if (concerned > RULES_PER_CHECK_MAX)
      return new SubjectFullError(
        'TOO_MANY_RULES',
        `${concerned} rules apply to this transaction, at most ${RULES_PER_CHECK_MAX} may: make their match narrower`,
      );
  return undefined;
}

/** Says whether a rule for single transactions, or that no rule applies, says no, whenever it is decided. */
export function isBarred({ plan }: Attempt): boolean {
  return plan.barred.length === plan.plans.length;
}

/** The plans of an attempt for one document. A rule that refuses every order is reported with the order. */
export function plansFor(attempt: Attempt, document: string): Ask['plans'] {
  const { plans, barred, kinds, documents } = attempt.plan;
  const kind = kinds[documents.indexOf(document)] ?? '';
  const takesLess = attempt.request.leastMinor !== undefined;
  const asked: DocumentPlan[] = [];
  for (const plan of plans) {
    let planned = documentPlanIn(plan, kind);
    if (takesLess && plan.singles.length > 0) planned = { ...planned, single: singleRoom(plan) };
    const isBarredThen = barred.length < plans.length && barred.includes(plan);
    asked.push(isBarredThen ? { ...planned, isBarred: true } : planned);
  }
  return asked;
}

/**
 * Makes the ask of an attempt for one of its documents. Beside home a share is held, and counted once home has counted the
 * order. An amount that is given was agreed by several documents. Otherwise this one may take less than is asked.
 */
export function askOf(
  attempt: Attempt,
  document: string,
  { until, others, home, droppedUntil, amountMinor: agreed }: Partial<AskedOrder> = {},
  { rememberedBefore, isNew, readsFirst, unreadUntil }: Partial<Ask> = {},
) {
  const { id, digestOfId, nonce, digest, request, values, estimate, isAgain } = attempt;
  const { openHoldsMax, openSharesMax, asked, counters } = attempt.maxima;
  const isHome = home === undefined;
  const before = isHome ? attempt.rememberedBefore : undefined;
  const { amountMinor, leastMinor, count, holdMs, capture, ending, openPercent } = request;
  const openMax = isHome ? openHoldsMax : openSharesMax;
  const passes = capture && !isHome;
  const counting = passes ? COUNTING_SHARES_MAX : 0;
  const order: AskedOrder = {
    id,
    digestOfId,
    nonce,
    digest,
    amountMinor: agreed ?? amountMinor,
    leastMinor: agreed === undefined ? leastMinor : undefined,
    count,
    holdMs,
    until,
    others,
    home,
    droppedUntil,
    capture: capture && isHome,
    ending,
    openMax: openMax + counting,
    openMaxOfApp:
      openPercent === undefined ? undefined : partOfPlaces(openMax, openPercent) + counting,
    passes,
    barred: isBarred(attempt),
    values,
    forgottenFrom: before === undefined ? undefined : before + (counters?.outcomesMax ?? Infinity),
  };
  return {
    document,
    place: isHome ? ('home' as const) : ('beside' as const),
    orders: [order] as const,
    plans: plansFor(attempt, document),
    estimate,
    unreadUntil,
    rememberedBefore: rememberedBefore ?? before,
    isNew: isNew === true,
    readsFirst: isAgain || readsFirst === true,
    terms: attempt.plan.terms.get(document),
    asked: asked?.get(document),
  };
}

/** So many percent of some places: one at least. */
function partOfPlaces(places: number, percent: number): number {
  return Math.max(1, Math.floor((places * percent) / 100));
}

/** Asks a document to hold what it can of some orders. */
export async function hold(context: Context, ask: Ask): Promise<Holding> {
  const { document } = ask;
  const holding = await context.counters.hold(ask, context.at);
  context.clock.observe(holding.view.databaseNow);
  context.terms.learn(document, holding.view);
  tellPairs(context, document, ask.plans, holding.view);
  // A document that was only read may be deleted and made again, and then counts its outcomes from 0.
  if (ask.rememberedBefore !== undefined && ask.place === 'home' && holding.held.size > 0)
    context.recall?.known.learn(document, holding.view, context.counters.outcomesMax);
  return holding;
}

/** Tells where a document beside home has nearly as many shares as it may. */
export function tellShares(
  { openSharesMax: most, onCrowded }: Context,
  document: string,
  { openShares: open }: DocumentView,
): void {
  if (open >= most * OPEN_SHARES_HIGH)
    onCrowded({ of: 'shares', kind: readDocument(document).kind, open, most });
}

/**
 * Tells where rules of several subjects have filled most of their part of a document. A plain add sees its own buckets,
 * but for one in eight, which sees all: that one tells.
 */
export function tellPairs(
  { onCrowded }: Context,
  document: string,
  plans: readonly DocumentPlan[],
  { now, buckets }: DocumentView,
): void {
  const { pairs, stillRead } = planFor(plans, now) ?? {};
  if (pairs === undefined) return;
  const { most } = pairs;
  if (buckets.length < most * BUCKETS_HIGH) return;
  const windows = pairsAmong(buckets, pairs, stillRead);
  if (windows >= most * BUCKETS_HIGH)
    onCrowded({ of: 'pairs', kind: readDocument(document).kind, windows, most });
}

/**
 * Reads from a document at the place of an order that it does not hold what it decided. It may have room by
 * now: its time was over, or the last place was given back while others of the call were added.
 */
export function whyNotHeld(ask: Ask, order: AskedOrder, view: DocumentView): Said {
  const said = decisionOf(ask, order, view);
  return said.kind === 'wouldHold' ? { kind: 'again', because: 'late', now: view.now } : said;
}

/** Decides from a document what it says to an order: by the functions that the store decides by. */
export function decisionOf(
  { document, plans, terms }: Ask,
  order: AskedOrder,
  view: DocumentView,
): Decision | Again {
  const { now } = view;
  const plan = planAt(plans, now);
  if (plan === undefined) return { kind: 'again', because: 'skewed', now };
  const said = decide(view, order, plan, document);
  const { forgottenFrom = Infinity } = order;
  const { remembered } = view;
  if (said.kind !== 'known' && remembered >= forgottenFrom)
    return { kind: 'again', because: 'forgotten', now, remembered };
  const isReused = said.kind === 'known' && !said.sameContent;
  if (!isReused && terms?.version !== view.terms?.version)
    return { kind: 'again', because: 'terms', now };
  return said;
}

/** Says whether a document has the terms that an attempt was planned under. */
export function hasTermsOf({ plan }: Attempt, document: string, { terms }: DocumentView): boolean {
  return terms?.version === plan.terms.get(document)?.version;
}

/** The counters that an attempt enters in a document at an instant. */
export function countersAt(attempt: Attempt, document: string, at: Date): readonly Counter[] {
  return planAt(plansFor(attempt, document), at)?.counters ?? [];
}

/** The view of home, which every outcome with views has. */
export function homeView({ attempt, views }: Pick<Shown, 'attempt' | 'views'>): DocumentView {
  const view = views.get(attempt.plan.documents[0]);
  if (view === undefined) throw new TypeError('an attempt has seen its home document');
  return view;
}
