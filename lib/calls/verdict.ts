import type { FullBound } from '../domain/decision.ts';
import type { Entry } from '../domain/document.ts';
import { AlreadyRolledBackError, OrderReusedError } from '../domain/errors.ts';
import type { Attempt } from './check.ts';
import type { Visited } from './hold-many.ts';

/** What becomes of one order of many. */
export type Verdict =
  | { readonly kind: 'held' }
  /** An earlier call of the same order holds it, or it was confirmed since. */
  | { readonly kind: 'known'; readonly entry: Entry }
  | { readonly kind: 'refused'; readonly document: string }
  | { readonly kind: 'full'; readonly document: string; readonly bound: FullBound }
  /** The order id was used for something else, or rolled back; or the store did not answer. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly holdsNothing?: boolean }
  /** To be asked by itself. */
  | { readonly kind: 'again' }
  | { readonly kind: 'skewed' };

/** What follows for an order from what its home document said. */
export function verdictAtHome(visited: Visited, attempt: Attempt): Verdict {
  const [home] = attempt.plan.documents;
  return verdictIn(visited, attempt, home) ?? { kind: 'held' };
}

/** What follows for an order once its other documents were visited, the first that objects first. */
export function verdictOf(visited: Visited, attempt: Attempt, atHome: Verdict): Verdict {
  const [, ...others] = attempt.plan.documents;
  switch (atHome.kind) {
    case 'held':
      for (const document of others) {
        const verdict = verdictIn(visited, attempt, document);
        // What an earlier call left in another document is taken over by a call of its own.
        if (verdict !== undefined) return verdict.kind === 'known' ? { kind: 'again' } : verdict;
      }
      return atHome;
    case 'known':
    case 'refused': {
      const failed = others
        .map((document) => visited.said(document, attempt.id))
        .find((said) => said?.kind === 'failed');
      return failed ?? atHome;
    }
    case 'full':
    case 'failed':
    case 'again':
    case 'skewed':
      return atHome;
  }
}

/** Says whether an order has a yes, new or old. */
export function isAllowed({ kind }: Verdict): boolean {
  return kind === 'held' || kind === 'known';
}

/** Undefined where the document does not object. */
function verdictIn(visited: Visited, attempt: Attempt, document: string): Verdict | undefined {
  const { orderId } = attempt.request;
  const said = visited.said(document, attempt.id);
  switch (said?.kind) {
    case undefined:
    case 'held':
    case 'looked':
      return undefined;
    case 'known': {
      const { entry, sameContent } = said;
      if (!sameContent) return over(new OrderReusedError(orderId));
      if (entry.state === 'rolledBack') return over(new AlreadyRolledBackError(orderId));
      return entry.state === 'open' && entry.pending ? { kind: 'again' } : { kind: 'known', entry };
    }
    case 'refused':
      return { kind: 'refused', document };
    case 'full':
      return { ...said, document };
    case 'unusual':
      return { kind: 'again' };
    case 'skewed':
    case 'failed':
      return said.kind === 'failed' ? said : { kind: 'skewed' };
  }
}

function over(error: Error): Verdict {
  return { kind: 'failed', error, holdsNothing: true };
}
