import type { CompiledRules } from '../plan/compile.ts';
import { compile } from '../plan/compile.ts';
import type { Terms } from '../rule/own-terms.ts';
import { groupedBy } from '../shared/grouped.ts';
import type { DecidedBy } from './planned.ts';
import type { PastRow } from './past-row.ts';

/** The rules from an instant on. */
export type RulesFrom = { readonly at: Date; readonly rules: CompiledRules };

/** From an instant on, orders were decided so, and rows kept these attributes. */
export type SettingsFrom = {
  readonly at: Date;
  readonly by: DecidedBy;
  readonly attributes: 'all' | 'none' | readonly string[];
  /** Nobody noted them. */
  readonly isAssumed?: true;
};

/** A subject's terms from an instant on; none where they are absent. */
export type TermsFrom = {
  readonly at: Date;
  readonly document: string;
  readonly terms?: Terms | undefined;
};

/** What was in force in the past, each in the order of time. The first rules and settings hold before, too. */
export type InForce = {
  readonly rules: readonly RulesFrom[];
  readonly settings: readonly [SettingsFrom, ...SettingsFrom[]];
  readonly terms: readonly TermsFrom[];
};

/** Goes through the past with its rows: it tells what was in force when each was written. */
export class History {
  readonly #past: InForce;
  readonly #byRevision: ReadonlyMap<string, readonly RulesFrom[]>;
  readonly #terms = new Map<string, Terms>();
  #termsDone = 0;

  constructor(past: InForce) {
    this.#past = past;
    this.#byRevision = groupedBy(past.rules, ({ rules }) => String(rules.revision));
  }

  /** Takes up the changes of terms until an instant, which no later row goes behind. */
  goTo(at: Date): void {
    const { terms } = this.#past;
    for (let next = terms[this.#termsDone]; next && next.at <= at; next = terms[this.#termsDone]) {
      if (next.terms === undefined) this.#terms.delete(next.document);
      else this.#terms.set(next.document, next.terms);
      this.#termsDone += 1;
    }
  }

  readonly termsOf = (document: string): Terms | undefined => this.#terms.get(document);

  /**
   * The rules by which a row was decided: of those of the revision that it tells, the newest by its time. One that is
   * older than all is taken for decided by the first.
   */
  rulesOf(row: PastRow): CompiledRules {
    const told = this.#toldBy(row);
    const among = told.length === 0 ? this.#past.rules : told;
    return (newestAt(among, row.at) ?? among[0] ?? NONE).rules;
  }

  /** Whether a row is older than the first rules that are stored, and does not tell by which it was decided. */
  isBeforeRules(row: PastRow): boolean {
    return this.#toldBy(row).length === 0 && newestAt(this.#past.rules, row.at) === undefined;
  }

  settingsAt(at: Date): SettingsFrom {
    return newestAt(this.#past.settings, at) ?? this.#past.settings[0];
  }

  #toldBy({ rules: revision }: PastRow): readonly RulesFrom[] {
    return (revision === undefined ? undefined : this.#byRevision.get(String(revision))) ?? [];
  }
}

/** Nobody ever stored rules. */
const NONE: Pick<RulesFrom, 'rules'> = { rules: compile([]) };

/** The newest that began by an instant. */
function newestAt<One extends { readonly at: Date }>(all: readonly One[], at: Date) {
  return all.findLast((one) => one.at <= at);
}
