import type { CompiledRules } from '../plan/compile.ts';
import type { History } from './history.ts';
import { attributesAsked, kindsOf } from './names-asked.ts';
import type { PastRow } from './past-row.ts';
import { begins, isDecision, UNDECIDED } from './past-row.ts';
import type { Missing } from './result.ts';

/** Counts what rows do not tell. */
export class MissingTally {
  readonly #rules = new Set<string>();
  readonly #asking: (rules: CompiledRules) => readonly string[];
  #lostRows = 0;
  #withoutCheck = 0;
  #undecided = 0;
  #withoutAttributes = 0;
  #withoutOrder = 0;
  #withoutSettings = 0;
  #withoutRules = 0;
  #withoutLeast = 0;
  #approved = 0;

  constructor() {
    const known = new Map<CompiledRules, readonly string[]>();
    this.#asking = (rules) => {
      const asking = known.get(rules) ?? rulesAsking(rules);
      known.set(rules, asking);
      return asking;
    };
  }

  /** @param sets by which the row is decided here */
  note(row: PastRow, history: History, sets: readonly CompiledRules[]): void {
    const { lost = 0, outcome, askedMinor, leastMinor, approvedBy, q } = row;
    this.#lostRows += lost;
    if (outcome === UNDECIDED) this.#undecided += 1;
    if (!isDecision(row) && !begins(row)) return;
    if (q === undefined) this.#withoutOrder += 1;
    const isPart = askedMinor !== undefined && outcome !== 'refused';
    if (isPart && leastMinor === undefined) this.#withoutLeast += 1;
    if (history.settingsAt(row.at).isAssumed === true) this.#withoutSettings += 1;
    if (history.isBeforeRules(row)) this.#withoutRules += 1;
    if (approvedBy !== undefined) this.#approved += 1;
    if (!isAttributed(row, history)) {
      const asking = sets.flatMap(this.#asking);
      for (const rule of asking) this.#rules.add(rule);
      if (asking.length > 0) this.#withoutAttributes += 1;
    }
  }

  addWithoutCheck(): void {
    this.#withoutCheck += 1;
  }

  result(): Omit<Missing, 'countedFrom' | 'rulesCountedFrom'> {
    return {
      lostRows: this.#lostRows,
      withoutCheck: this.#withoutCheck,
      undecided: this.#undecided,
      withoutAttributes: this.#withoutAttributes,
      rulesWithAttributes: [...this.#rules].sort(),
      withoutOrder: this.#withoutOrder,
      withoutSettings: this.#withoutSettings,
      withoutRules: this.#withoutRules,
      withoutLeast: this.#withoutLeast,
      approved: this.#approved,
    };
  }
}

/** Rows from before attributes were kept tell neither them nor a revision. */
function isAttributed({ attributes, rules, at }: PastRow, history: History): boolean {
  if (attributes !== undefined) return true;
  return rules !== undefined && history.settingsAt(at).attributes !== 'none';
}

function rulesAsking({ live }: CompiledRules): readonly string[] {
  const kinds = kindsOf(live);
  return live.flatMap((rule) => (attributesAsked(rule, kinds).length > 0 ? [rule.id] : []));
}
