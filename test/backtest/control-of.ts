import type { PastRow } from '../../lib/backtest/past-row.ts';
import type { Past } from '../../lib/backtest/replay-past.ts';
import { wholeDraft } from '../../lib/backtest/draft.ts';
import { replayPast } from '../../lib/backtest/replay-past.ts';
import type { Verdict } from '../../lib/backtest/verdict.ts';
import { isSameVerdict, verdictIn } from '../../lib/backtest/verdict.ts';

/** A check that is said to be decided otherwise than it was. */
export type Difference = {
  readonly row: PastRow;
  readonly is: Verdict;
  readonly was: Verdict | undefined;
};

/** What the rules of the time say of a past, direct and with knock-on. */
export type Control = {
  readonly checks: number;
  readonly differences: readonly Difference[];
  /** Of checks that saw a write which no row tells, and what followed from that. */
  readonly explained: readonly Difference[];
};

/** Asks the rules of the time. */
export async function controlOf(past: Past): Promise<Control> {
  const all: (Difference & { readonly isKnockOn: boolean })[] = [];
  const writes = new Set<string>();
  let checks = 0;
  const noteWrites = ({ effective, documents, q = [] }: PastRow): void => {
    if (!effective) return;
    for (const [place, document] of documents.entries()) writes.add(`${document} ${q[place]}`);
  };
  const draft = wholeDraft([]);
  const question = { draft, from: new Date(0), freed: 'unpaid', documentsMax: 100_000 } as const;
  await replayPast(past, question, {
    onRow: noteWrites,
    onCheck: (row, control) => {
      checks += 1;
      noteWrites(row);
      const was = verdictIn(row);
      for (const kind of ['direct', 'knockOn'] as const)
        if (!isSameVerdict(control[kind], was))
          all.push({ row, is: control[kind], was, isKnockOn: kind === 'knockOn' });
    },
  });
  // With knock-on, an order that is decided otherwise stands before the next ones of its documents.
  const doubtful = new Set<string>();
  const explained = all.filter(({ row, isKnockOn }) => {
    const follows = isKnockOn && row.documents.some((document) => doubtful.has(document));
    if (!follows && !sawUntold(row, writes)) return false;
    for (const document of row.documents) doubtful.add(document);
    return true;
  });
  return { checks, explained, differences: all.filter((one) => !explained.includes(one)) };
}

/**
 * A share that an attempt gives back, because another document refuses its order, has no row. Example: a card holds a
 * share of an order that its user refuses, and meanwhile another order finds the card full.
 */
function sawUntold({ documents, q = [] }: PastRow, writes: ReadonlySet<string>): boolean {
  return documents.some((document, place) => {
    const number = q[place] ?? 0;
    return place > 0 && number > 0 && !writes.has(`${document} ${number}`);
  });
}
