import type { PastRow } from './past-row.ts';
import type { ChangedOrder, ConcernedSubjects } from './result.ts';
import type { Verdict } from './verdict.ts';
import { passes, REPEATED } from './verdict.ts';

/** Orders that are told, of each kind. */
const ORDERS_TOLD_MAX = 1_000;
const SUBJECTS_TOLD_MAX = 50;

/** Who is newly refused how often, and the first orders that a draft decides otherwise. Plain data. */
export type Changes = {
  readonly subjects: Map<string, number>;
  readonly newlyRefused: ChangedOrder[];
  readonly newlyAllowed: ChangedOrder[];
};

/** None yet. */
export function noChanges(): Changes {
  return { subjects: new Map(), newlyRefused: [], newlyAllowed: [] };
}

/** Adds a check, if the draft decides it otherwise. */
export function addChange(changes: Changes, row: PastRow, wasAllowed: boolean, said: Verdict) {
  const { subjects, newlyRefused, newlyAllowed } = changes;
  if (wasAllowed === passes(said)) return;
  if (wasAllowed) {
    const [home = ''] = row.documents;
    subjects.set(home, (subjects.get(home) ?? 0) + 1);
    if (newlyRefused.length < ORDERS_TOLD_MAX)
      newlyRefused.push(changed(row, said.rules, said.sentence));
  } else if (newlyAllowed.length < ORDERS_TOLD_MAX && said.outcome !== REPEATED.outcome)
    newlyAllowed.push(changed(row, row.violations));
}

/** How the subjects are told. */
export function concernedIn({ subjects }: Changes): ConcernedSubjects {
  const all = [...subjects].map(([subject, checks]) => ({ subject, checks }));
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

function changed(
  row: PastRow,
  rules: readonly string[],
  sentence?: Verdict['sentence'],
): ChangedOrder {
  const { appId, orderId, at, subjects, currency = '', amountMinor = 0 } = row;
  const { askedMinor = amountMinor } = row;
  const order = { app: appId, orderId, at: at.toISOString(), subjects, currency, rules };
  const told = { ...order, amount: askedMinor };
  if (sentence === undefined) return told;
  return { ...told, sentences: { en: sentence('en'), zh: sentence('zh') } };
}
