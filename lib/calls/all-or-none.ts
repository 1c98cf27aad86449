import { NotAllAllowedError, UndecidedError } from '../domain/errors.ts';
import { groupedBy } from '../domain/many.ts';
import { atOnce } from './at-once.ts';
import type { Context } from './context.ts';
import type { Run } from './tell-many.ts';
import { isAllowed } from './verdict.ts';

/** One order that is not allowed takes all new ones with it. */
export function giveUpAll({ attempts, verdicts }: Run): void {
  const other = attempts.find(({ id }) => !isAllowed(verdicts.get(id) ?? { kind: 'again' }));
  if (other === undefined) return;
  for (const { id, request } of attempts) {
    const kind = verdicts.get(id)?.kind;
    if (kind !== 'held' && kind !== 'again') continue;
    const error =
      kind === 'held'
        ? new NotAllAllowedError(request.orderId, other.request.orderId)
        : new UndecidedError('other calls of the same order kept taking over');
    verdicts.set(id, { kind: 'failed', error });
  }
}

/**
 * Gives back what other calls of these orders hold as pending: home's first, and, of orders whose home
 * this call holds, what is left elsewhere. A call that still runs finds its hold gone when it comes to
 * complete home, and starts again; a hold that was completed meanwhile stays.
 */
export async function giveBackOthers(context: Context, run: Run): Promise<void> {
  const { attempts, visited } = run;
  const left = attempts.flatMap(({ id, plan }) => {
    const [home, ...others] = plan.documents;
    const atHome = pendingNonce(run, home, id);
    if (atHome !== undefined) return [{ document: home, id, nonce: atHome }];
    if (visited.said(home, id)?.kind !== 'held') return [];
    return others.flatMap((document) => {
      const nonce = pendingNonce(run, document, id);
      return nonce === undefined ? [] : [{ document, id, nonce }];
    });
  });
  await atOnce(
    groupedBy(left, ({ document }) => document),
    async ([document, ofDocument]) => {
      const asks = ofDocument.map(({ id, nonce }) => ({
        ...{ id, nonce },
        to: 'withdrawn' as const,
        onlyPending: true as const,
      }));
      try {
        await context.counters.settleMany(document, asks, false, context.at);
      } catch (error) {
        if (!(error instanceof UndecidedError)) throw error; // the next try meets it again
      }
    },
  );
}

/** The call whose pending hold of an order stands in a document, if it is the same content. */
function pendingNonce({ visited }: Run, document: string, id: string): string | undefined {
  const said = visited.said(document, id);
  if (said?.kind !== 'known' || !said.sameContent) return undefined;
  const { entry } = said;
  return entry.state === 'open' && entry.pending ? entry.nonce : undefined;
}
