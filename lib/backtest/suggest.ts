import { countMaxOf } from '../rule/measures/measures.ts';
import { compile } from '../plan/compile.ts';
import type { Described } from '../shared/request.ts';
import type { ByAttribute, Rule } from '../rule/rule.ts';
import { valueBy } from '../rule/rule-for-order.ts';
import { AMOUNT_MINOR_MAX, BACKTEST_DOCUMENTS_MAX } from '../shared/bounds.ts';
import type { Reached } from './backtest.ts';
import type { InForce } from './history.ts';
import { History } from './history.ts';
import { refuseUnkept } from './kept-names.ts';
import { askingOnce, missingIn, noneMissing, noteMissing } from './missing.ts';
import type { PastRow } from './past-row.ts';
import { Peaks } from './peaks.ts';
import type { Past } from './replay-past.ts';
import { newReading } from './reading.ts';
import { replaySides } from './replay-past.ts';
import type { SideOptions } from './side.ts';
import type { ReplayKind } from './one-replay.ts';
import { Side } from './side.ts';
import { newSide } from './one-replay.ts';
import type { Demand, Suggestion, SuggestedMaximum } from './suggestion.ts';
import { askedOf, ofOneRule, unlimited } from './unlimited.ts';
import type { MaximumAsked } from './unlimited.ts';
import { passes, verdictIn } from './verdict.ts';
import { countedFrom, warmUpFrom } from './warm-up.ts';

/** For which rule a maximum is looked for, and how many subjects it may refuse. */
export type SuggestionAsked = {
  readonly rule: Rule;
  /** 0 to 1: 0.01 is one in a hundred. */
  readonly share: number;
  readonly from: Date;
  readonly to: Date;
  readonly warmUpFrom: Date;
};

/**
 * Prepares a suggestion.
 *
 * @throws AttributeNotKeptError
 */
export function preparedFor(
  asked: Omit<SuggestionAsked, 'warmUpFrom'>,
  inForce: InForce,
): SuggestionAsked {
  const { rule, from, to } = asked;
  const start = warmUpFrom([rule], from) ?? new Date(0);
  refuseUnkept([rule], inForce, start, to);
  return { ...asked, warmUpFrom: start };
}

/**
 * Finds the least maxima by which a rule alone would ever have refused at most a share of its subjects. One replay
 * without a maximum notes the sum that each order needs. After each batch of rows it yields how far it has come.
 *
 * @throws BacktestTooLargeError
 * @throws TooManyOrdersError
 */
export async function* suggest(
  past: Past,
  asked: SuggestionAsked,
): AsyncGenerator<Reached, Suggestion> {
  const inForce = ofOneRule(past.inForce);
  const history = new History(inForce);
  const tally = new SuggestionTally(asked, history, (await past.firstAt()) ?? asked.from);
  const rules = compile([unlimited(asked.rule)]);
  const options: SideOptions = {
    from: asked.from,
    freed: 'paid',
    onAsked: (kind, row, ended) => {
      if (row.at >= asked.from) tally.asked(kind, row, ended.attempt.request, askedOf(ended));
    },
  };
  const side = new Side(history, () => rules, options, newSide());
  const listener = {
    onCheck: (row: PastRow) => {
      tally.note(row, true);
    },
    onRow: (row: PastRow, hasCheck: boolean) => {
      tally.note(row, hasCheck);
    },
  };
  const replayed = { history, sides: [side], documentsMax: BACKTEST_DOCUMENTS_MAX } as const;
  const batches = replaySides({ ...past, inForce }, replayed, listener, newReading());
  for await (const at of batches) yield { rows: tally.rows, at };
  return tally.result();
}

/** One maximum of a rule: for orders that have a value, or for all others. */
type MaximumPart = Omit<SuggestedMaximum, Demand | 'most'> &
  Readonly<Record<Demand, Peaks>> & {
    /** Whether it is the maximum of an order. */
    readonly isOf: (order: Described) => boolean;
  };

/** In a direct replay only orders count that passed. With knock-on, those that were refused are paid, too. */
const DEMAND_OF = { direct: 'passed', knockOn: 'all' } as const satisfies Record<
  ReplayKind,
  Demand
>;

class SuggestionTally {
  rows = 0;
  readonly #firstAt: Date;
  readonly #given: SuggestionAsked;
  readonly #history: History;
  readonly #missing = noneMissing();
  readonly #asking: readonly string[];
  readonly #own = new Set<string>();
  readonly #parts: readonly MaximumPart[];

  constructor(given: SuggestionAsked, history: History, firstAt: Date) {
    this.#given = given;
    this.#firstAt = firstAt;
    this.#history = history;
    this.#asking = askingOnce()(compile([{ ...given.rule, mode: 'enforce' }]));
    this.#parts = maximumParts(given.rule);
  }

  note(row: PastRow, hasCheck: boolean): void {
    this.rows += 1;
    noteMissing(this.#missing, row, this.#history, this.#asking);
    if (!hasCheck) this.#missing.withoutCheck += 1;
  }

  asked(
    kind: ReplayKind,
    row: PastRow,
    order: Described & { amountMinor: number },
    said: MaximumAsked,
  ) {
    if (said.kind === 'own') this.#own.add(said.subject);
    if (said.kind !== 'needs') return;
    const demand = DEMAND_OF[kind];
    if (demand === 'passed' && !passes(verdictIn(row))) return;
    const { need, subject } = said;
    for (const { of, isOf, [demand]: peaks } of this.#parts)
      if (isOf(order))
        peaks.add(subject, of === 'amount' ? need.amountMinor : need.count, order.amountMinor);
  }

  result(): Suggestion {
    const { rule, share, from, to, warmUpFrom } = this.#given;
    const { id, currency = null } = rule;
    const maxima = this.#parts.map(({ passed, all, isOf: _isOf, ...part }): SuggestedMaximum => {
      const curve = (peaks: Peaks) => peaks.curve(share, this.#own, currency !== null);
      return { ...part, most: largestMaximum(rule), passed: curve(passed), all: curve(all) };
    });
    return {
      rule: id,
      currency,
      from: from.toISOString(),
      to: to.toISOString(),
      warmUpFrom: warmUpFrom.toISOString(),
      rows: this.rows,
      share,
      maxima,
      together: { passed: this.#together('passed', maxima), all: this.#together('all', maxima) },
      ownMaxima: this.#own.size,
      missing: {
        ...missingIn(this.#missing),
        ...countedFrom([rule], from, this.#firstAt),
        rulesOfOthers: [],
      },
    };
  }

  /** Subjects that are above one maximum at least. */
  #together(demand: Demand, maxima: readonly SuggestedMaximum[]): number {
    const refused = new Set<string>();
    for (const [place, part] of this.#parts.entries()) {
      const { maximum = Infinity } = maxima[place]?.[demand]?.suggested ?? {};
      for (const [subject, peak] of part[demand].peaks(this.#own))
        if (peak > maximum) refused.add(subject);
    }
    return refused.size;
  }
}

function maximumParts({ max, maxBy }: Rule): readonly MaximumPart[] {
  return [
    ...partsIn('amount', max.amountMinor, maxBy?.amountMinor),
    ...partsIn('count', max.count, maxBy?.count),
  ];
}

function partsIn(
  of: MaximumPart['of'],
  otherwise: number | undefined,
  by: ByAttribute | undefined,
): readonly MaximumPart[] {
  if (otherwise === undefined) return [];
  const peaks = () => ({ passed: new Peaks(), all: new Peaks() });
  if (by === undefined) return [{ of, present: otherwise, isOf: () => true, ...peaks() }];
  const values: readonly (readonly [string | null, number])[] = [
    ...Object.entries(by.values),
    [null, otherwise],
  ];
  return values.map(([value, maximum]) => ({
    of,
    by: { name: by.by, value },
    present: maximum,
    isOf: (order) => (valueBy(by, order) ?? null) === value,
    ...peaks(),
  }));
}

function largestMaximum(rule: Rule): number {
  return countMaxOf(rule) ?? AMOUNT_MINOR_MAX;
}
