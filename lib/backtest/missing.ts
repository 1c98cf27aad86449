import type { CompiledRules } from '../plan/compile.ts';
import type { History } from './history.ts';
import { attributesAsked, kindsOf } from './names-asked.ts';
import type { PastRow } from './past-row.ts';
import { isBeginning, isDecision, UNDECIDED } from './past-row.ts';
import type { Missing } from './result.ts';

type Counts = {
  -readonly [Name in keyof Missing as Missing[Name] extends number ? Name : never]: Missing[Name];
};

/** Counts what rows do not tell. Plain data. */
export type MissingTally = Counts & { readonly rules: Set<string> };

/** Nothing is missing yet. */
export function noneMissing(): MissingTally {
  return {
    lostRows: 0,
    withoutCheck: 0,
    undecided: 0,
    withoutAttributes: 0,
    withoutOrder: 0,
    withoutSettings: 0,
    withoutRules: 0,
    withoutLeast: 0,
    approved: 0,
    rules: new Set(),
  };
}

/** Takes a row. @param asking rules that it is decided by here, and that ask for attributes */
export function noteMissing(
  tally: MissingTally,
  row: PastRow,
  history: History,
  asking: readonly string[],
): void {
  const { lost = 0, outcome, askedMinor, leastMinor, approvedBy, q } = row;
  tally.lostRows += lost;
  if (outcome === UNDECIDED) tally.undecided += 1;
  if (!isDecision(row) && !isBeginning(row)) return;
  if (q === undefined) tally.withoutOrder += 1;
  const isPart = askedMinor !== undefined && outcome !== 'refused';
  if (isPart && leastMinor === undefined) tally.withoutLeast += 1;
  if (history.settingsAt(row.at).isAssumed === true) tally.withoutSettings += 1;
  if (history.isBeforeRules(row)) tally.withoutRules += 1;
  if (approvedBy !== undefined) tally.approved += 1;
  if (isAttributed(row, history)) return;
  for (const rule of asking) tally.rules.add(rule);
  if (asking.length > 0) tally.withoutAttributes += 1;
}

/** How it is told. */
export function missingIn({ rules, ...counts }: MissingTally) {
  return { ...counts, rulesWithAttributes: [...rules].sort() };
}

/** Rows from before attributes were kept tell neither them nor a revision. */
function isAttributed({ attributes, rules, at }: PastRow, history: History): boolean {
  if (attributes !== undefined) return true;
  return rules !== undefined && history.settingsAt(at).attributes !== 'none';
}

/** The rules of a set that ask for attributes: found out once for each set. */
export type AskingOf = (rules: CompiledRules) => readonly string[];

/** Finds them out. */
export function askingOnce(): AskingOf {
  const known = new Map<CompiledRules, readonly string[]>();
  return (rules) => {
    const asking = known.get(rules) ?? rulesAsking(rules);
    known.set(rules, asking);
    return asking;
  };
}

function rulesAsking({ live }: CompiledRules): readonly string[] {
  const kinds = kindsOf(live);
  return live.flatMap((rule) => (attributesAsked(rule, kinds).length > 0 ? [rule.id] : []));
}
