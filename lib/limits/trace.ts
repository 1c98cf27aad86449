import { countersDigest } from '../shared/digest.ts';
import type { Entry, Outcome } from '../document/document.ts';
import { currentEntry } from '../document/document.ts';
import { bucketsEntered } from '../document/position.ts';
import { pendingIn } from '../document/settlement.ts';
import type { Attempt, Shown, Views } from './attempt.ts';
import { countersAt, homeView } from './attempt.ts';
import type { RecordedShare, OrderTrace } from './order-trace.ts';
import { recordedShare } from './order-trace.ts';

/** What documents said of an order, for the rows that tell of it. */
export function traceOf(shown: Shown): OrderTrace {
  const { attempt, views } = shown;
  const { documents: asked, plans } = attempt.plan;
  const [home] = asked;
  const rules = plans[0]?.revision;
  if (shown.kind === 'failed' || shown.kind === 'again' || shown.kind === 'unasked')
    return { documents: [home], rules, changed: false, shares: [] };
  const view = homeView({ attempt, views });
  const entry = currentEntry(view);
  const documents = asked.filter((document) => views.has(document));
  const seen = { now: view.now, rules, entry };
  if (shown.kind === 'known')
    return {
      ...seen,
      documents: [home, ...(shown.entry.others ?? [])],
      changed: false,
      shares: knownShares(shown),
    };
  const writes = documents.map((document) => views.get(document)?.writes ?? 0);
  if (shown.kind !== 'held' || entry === undefined)
    return { ...seen, documents, writes, changed: false, shares: [] };
  const shares = documents
    .filter((document) => shown.uncounted?.includes(document) !== true)
    .map((document) =>
      recordedShare(document, enteredIn(attempt, document, views, entry), attempt.values),
    );
  return { documents, writes, changed: true, shares, ...seen };
}

/**
 * Where an order counts that is known, as far as its documents tell: a row of the call that was first
 * may be lost. Of one that was confirmed since, the row of its check says it.
 */
function knownShares({
  attempt,
  entry,
  views,
  uncounted = [],
}: Shown & { readonly kind: 'known' }): readonly RecordedShare[] {
  const [home] = attempt.plan.documents;
  const own = 'places' in entry ? entry.places.buckets : capturedIn(attempt, entry);
  const values = 'places' in entry ? entry.values : attempt.values;
  const isBeside = entry.state === 'open' || (own !== undefined && attempt.request.capture);
  const others = isBeside ? (entry.others ?? []) : [];
  return [
    ...(own === undefined ? [] : [recordedShare(home, own, values)]),
    ...others.flatMap((document) => {
      const view = views.get(document);
      const share = view && pendingIn(view, entry.nonce);
      if (share === undefined || uncounted.includes(document)) return [];
      return [recordedShare(document, share.places.buckets, share.values)];
    }),
  ];
}

/** The buckets that a captured order entered at home; undefined where other rules count by now. */
function capturedIn(attempt: Attempt, { at, counters, leftOut = [] }: Outcome) {
  if (at === undefined) return undefined;
  const { plan, planAt } = attempt;
  const entered = countersAt({ ...attempt, plan: planAt(at) }, plan.documents[0], at);
  if (countersDigest(entered) !== counters) return undefined;
  return bucketsEntered(entered, leftOut, at);
}

function enteredIn(attempt: Attempt, document: string, views: Views, entry: Entry) {
  const view = views.get(document);
  if (view === undefined) return [];
  const hold = pendingIn(view, entry.nonce);
  if (hold !== undefined) return hold.places.buckets;
  const own = [...view.entries, ...view.shares].find(({ nonce }) => nonce === entry.nonce);
  // A captured order entered the windows of the instant that it says, which may be over if the answer was lost.
  const at = own !== undefined && 'at' in own ? own.at : view.now;
  return bucketsEntered(countersAt(attempt, document, at), own?.leftOut ?? [], at);
}
