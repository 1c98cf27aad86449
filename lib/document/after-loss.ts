import { UndecidedError } from '../shared/errors.ts';
import type { HoldAsk, Holding } from './counter-store.ts';
import { isBeside, isOverSeveral } from './counter-store.ts';
import type { Addition } from './addition.ts';
import { knownIn } from './decide.ts';
import type { DocumentView } from './document.ts';
import { isOver } from './effect.ts';
import { planFor } from './document-plan.ts';

/**
 * Decides by what a document shows of adds whose answers were lost. Each of them may be done, or be done at any
 * moment of the next seconds, or never. docs/internals/design.md has the table.
 *
 * @returns undefined where the orders may be added once more, under other nonces
 * @throws UndecidedError where neither that nor a refusal is safe: a copy that arrives later would count beside it
 */
export function afterLoss(
  ask: HoldAsk,
  view: DocumentView,
  lost: readonly Addition[],
): Holding | undefined {
  const own = new Map(
    lost.flatMap(({ taken }) => taken.map(({ order, nonce }) => [nonce, order] as const)),
  );
  const held = new Map<string, string>();
  let isDone = false;
  for (const entry of [...view.entries, ...view.shares]) {
    const order = own.get(entry.nonce);
    if (order === undefined) continue;
    isDone = true;
    // A repeat hears of an order that was settled since, or expired. So does this call.
    const isAsAdded = order.capture || (entry.state === 'open' && !isOver(entry, view.now));
    if (isAsAdded) held.set(entry.id, entry.nonce);
  }
  const hasPlan = planFor(ask.plans, view.now) !== undefined;
  // A share that is not there begins again, with all others: nobody settles it if it comes later.
  if (isBeside(ask)) return { view, held: hasPlan ? held : new Map() };
  const open = [...own.values()].filter(
    (order) => !held.has(order.id) && knownIn(view, order) === undefined,
  );
  if (isOverSeveral(ask)) {
    if (open.length > 0 || (held.size > 0 && !hasPlan)) throw undecided();
    return { view, held, lost: new Set([...own.values()].map(({ id }) => id)) };
  }
  // Of an add that is done, home may have forgotten one order before the others.
  if (open.some(({ capture }) => capture)) throw undecided();
  return isDone ? { view, held: hasPlan ? held : new Map() } : undefined;
}

const undecided = () => new UndecidedError('an answer was lost, and the document does not show it');
