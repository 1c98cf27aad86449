import { Fates } from './fates.ts';
import type { PastRow } from './past-row.ts';
import type { ByDay, ByRule, ChangedOrder, ConcernedSubjects, DraftEnds } from './result.ts';
import { EndSum, RefusedSum } from './sums.ts';
import { DAY_MS } from './tries.ts';
import type { Verdict } from './verdict.ts';
import { passes, REPEATED } from './verdict.ts';

type Day = { readonly recorded: AllowedRefused; readonly draft: AllowedRefused };
type AllowedRefused = { allowed: number; refused: number };

/** Adds up what a draft makes of the checks of one currency. */
export class DraftTally {
  readonly #from: Date;
  readonly #ends = new EndSum();
  readonly #newlyRefused = new RefusedSum();
  readonly #newlyAllowed = new RefusedSum();
  readonly #fates = new Fates();
  readonly #byRule = new Map<string, { readonly sum: RefusedSum; alone: number }>();
  /** A day without checks is not there. */
  readonly #days: (Day | undefined)[] = [];
  #notNeeded = 0;

  constructor(from: Date) {
    this.#from = from;
  }

  add(row: PastRow, wasAllowed: boolean, said: Verdict): void {
    const isAllowed = passes(said);
    this.#addDay(row, wasAllowed, isAllowed);
    if (said.outcome === REPEATED.outcome && !wasAllowed) {
      this.#notNeeded += 1;
      return;
    }
    this.#ends.add(row, isAllowed);
    if (!isAllowed) this.#addRules(row, said.rules);
    if (wasAllowed === isAllowed) return;
    (isAllowed ? this.#newlyAllowed : this.#newlyRefused).add(row);
    if (wasAllowed) this.#fates.add(row);
  }

  /** Takes the end of an order, or a refund. */
  end(row: PastRow): void {
    this.#fates.note(row);
  }

  result(to: Date): DraftEnds {
    return {
      draft: this.#ends.result(),
      notNeeded: this.#notNeeded,
      newlyRefused: this.#newlyRefused.result(),
      newlyAllowed: this.#newlyAllowed.result(),
      outcomes: this.#fates.by(to),
      byRule: [...this.#byRule]
        .map(([rule, { sum, alone }]): ByRule => ({ rule, alone, ...sum.result() }))
        .sort((one, other) => other.checks - one.checks),
      byDay: [...this.#days.entries()].map(([day, counts]): ByDay => ({
        from: new Date(this.#from.getTime() + day * DAY_MS).toISOString(),
        ...(counts ?? { recorded: NONE, draft: NONE }),
      })),
    };
  }

  #addRules(row: PastRow, rules: readonly string[]): void {
    for (const rule of rules) {
      const known = this.#byRule.get(rule) ?? { sum: new RefusedSum(), alone: 0 };
      this.#byRule.set(rule, known);
      known.sum.add(row);
      if (rules.length === 1) known.alone += 1;
    }
  }

  /** Days are counted from the first instant. */
  #addDay(row: PastRow, wasAllowed: boolean, isAllowed: boolean): void {
    const place = Math.floor((row.at.getTime() - this.#from.getTime()) / DAY_MS);
    const none = (): AllowedRefused => ({ allowed: 0, refused: 0 });
    const day = (this.#days[place] ??= { recorded: none(), draft: none() });
    day.recorded[wasAllowed ? 'allowed' : 'refused'] += 1;
    day.draft[isAllowed ? 'allowed' : 'refused'] += 1;
  }
}

const NONE = { allowed: 0, refused: 0 };

/** Orders that are told, of each kind. */
export const ORDERS_TOLD_MAX = 1_000;
const SUBJECTS_TOLD_MAX = 50;

/** Who is newly refused, and the first orders that a draft decides otherwise. */
export class ChangeTally {
  readonly #subjects = new Map<string, number>();
  readonly newlyRefused: ChangedOrder[] = [];
  readonly newlyAllowed: ChangedOrder[] = [];

  add(row: PastRow, wasAllowed: boolean, said: Verdict): void {
    const isAllowed = passes(said);
    if (wasAllowed === isAllowed) return;
    if (wasAllowed) {
      const [home = ''] = row.documents;
      this.#subjects.set(home, (this.#subjects.get(home) ?? 0) + 1);
      if (this.newlyRefused.length < ORDERS_TOLD_MAX)
        this.newlyRefused.push(changed(row, said.rules, said.sentence?.()));
    } else if (this.newlyAllowed.length < ORDERS_TOLD_MAX && said.outcome !== REPEATED.outcome)
      this.newlyAllowed.push(changed(row, row.violations));
  }

  subjects(): ConcernedSubjects {
    const all = [...this.#subjects].map(([subject, checks]) => ({ subject, checks }));
    const between = (least: number, most: number): number =>
      all.filter(({ checks }) => checks >= least && checks <= most).length;
    return {
      most: all.sort((one, other) => other.checks - one.checks).slice(0, SUBJECTS_TOLD_MAX),
      once: between(1, 1),
      twice: between(2, 2),
      threeToFive: between(3, 5),
      more: between(6, Infinity),
    };
  }
}

function changed(row: PastRow, rules: readonly string[], sentence?: string): ChangedOrder {
  const { appId, orderId, at, subjects, currency = '', amountMinor = 0 } = row;
  const { askedMinor = amountMinor } = row;
  const order = { appId, orderId, at: at.toISOString(), subjects, currency, rules };
  const told = { ...order, amountMinor: askedMinor };
  return sentence === undefined ? told : { ...told, sentence };
}
