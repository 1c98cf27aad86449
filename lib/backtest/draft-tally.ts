import type { Fates } from './fates.ts';
import { addFate, noteEnd, outcomesBy } from './fates.ts';
import type { PastRow } from './past-row.ts';
import type { ByDay, ByHour, ByRule, DraftEnds } from './result.ts';
import type { CheckSum, EndSum, RefusedSum } from './sums.ts';
import {
  addEnd,
  addRefused,
  checksIn,
  endsIn,
  noChecks,
  noEnds,
  noneRefused,
  refusedIn,
} from './sums.ts';
import { DAY_MS } from '../shared/bounds.ts';
import type { Verdict } from './verdict.ts';
import { passes, REPEATED } from './verdict.ts';

const HOUR_MS = 3_600_000;
const HOURS_OF_DAY = 24;
const HOURS_OF_WEEK = 168;

type AllowedRefused = { allowed: number; refused: number };
type Day = { readonly recorded: AllowedRefused; readonly draft: AllowedRefused };
type RuleSum = RefusedSum & { alone: number };

/** Adds up what a draft makes of the checks of one currency. Plain data. */
export type DraftTally = {
  readonly ends: EndSum;
  readonly newlyRefused: RefusedSum;
  readonly newlyAllowed: RefusedSum;
  readonly less: CheckSum;
  readonly more: CheckSum;
  readonly fates: Fates;
  readonly byRule: Map<string, RuleSum>;
  /** From the first instant. A day without checks is not there. */
  readonly days: (Day | undefined)[];
  /** By the hour of the week, from the first instant. */
  readonly hours: Map<number, Day>;
  notNeeded: number;
};

/** Nothing yet. */
export function newDraftTally(): DraftTally {
  return {
    ends: noEnds(),
    newlyRefused: noneRefused(),
    newlyAllowed: noneRefused(),
    less: noChecks(),
    more: noChecks(),
    fates: new Map(),
    byRule: new Map(),
    days: [],
    hours: new Map(),
    notNeeded: 0,
  };
}

/** Adds a check. @param from the first instant */
export function addVerdict(
  tally: DraftTally,
  from: Date,
  row: PastRow,
  wasAllowed: boolean,
  said: Verdict,
): void {
  const isAllowed = passes(said);
  const isNeeded = said.outcome !== REPEATED.outcome || wasAllowed;
  addTime(tally, row.at.getTime() - from.getTime(), wasAllowed, isNeeded ? isAllowed : undefined);
  if (!isNeeded) {
    tally.notNeeded += 1;
    return;
  }
  addEnd(tally.ends, row, isAllowed);
  if (!isAllowed) addRules(tally, row, said.rules);
  if (wasAllowed && isAllowed) addPart(tally, row, said);
  if (wasAllowed === isAllowed) return;
  addRefused(isAllowed ? tally.newlyAllowed : tally.newlyRefused, row);
  if (wasAllowed) addFate(tally.fates, row);
}

/** Takes the end of an order, or a refund. */
export function addEndOf({ fates }: DraftTally, row: PastRow): void {
  noteEnd(fates, row);
}

/** How it is told. */
export function draftEndsIn(tally: DraftTally, from: Date, to: Date): DraftEnds {
  return {
    draft: endsIn(tally.ends),
    notNeeded: tally.notNeeded,
    newlyRefused: refusedIn(tally.newlyRefused),
    newlyAllowed: refusedIn(tally.newlyAllowed),
    less: checksIn(tally.less),
    more: checksIn(tally.more),
    outcomes: outcomesBy(tally.fates, to),
    byRule: [...tally.byRule]
      .map(([rule, sum]): ByRule => ({ rule, alone: sum.alone, ...refusedIn(sum) }))
      .sort((one, other) => other.checks - one.checks),
    byDay: [...tally.days.entries()].flatMap(([day, counts]): readonly ByDay[] =>
      counts === undefined
        ? []
        : [{ from: new Date(from.getTime() + day * DAY_MS).toISOString(), ...counts }],
    ),
    byHour: [...tally.hours]
      .sort(([one], [other]) => one - other)
      .map(([hour, counts]): ByHour => ({
        day: Math.floor(hour / HOURS_OF_DAY),
        hour: hour % HOURS_OF_DAY,
        ...counts,
      })),
  };
}

/** An order that takes what fits may get another amount. A repeat has none of its own. */
function addPart(
  { less, more }: DraftTally,
  { amountMinor: gotMinor = 0 }: PastRow,
  { amountMinor = gotMinor }: Verdict,
): void {
  if (amountMinor === gotMinor) return;
  const sum = amountMinor < gotMinor ? less : more;
  sum.checks += 1;
  sum.amountMinor += Math.abs(amountMinor - gotMinor);
}

function addRules({ byRule }: DraftTally, row: PastRow, rules: readonly string[]): void {
  for (const rule of rules) {
    const known = byRule.get(rule) ?? { ...noneRefused(), alone: 0 };
    byRule.set(rule, known);
    addRefused(known, row);
    if (rules.length === 1) known.alone += 1;
  }
}

function addTime(
  { days, hours }: DraftTally,
  sinceMs: number,
  wasAllowed: boolean,
  isAllowed: boolean | undefined,
): void {
  const hourOfWeek = Math.floor(sinceMs / HOUR_MS) % HOURS_OF_WEEK;
  const hour = hours.get(hourOfWeek) ?? newDay();
  hours.set(hourOfWeek, hour);
  for (const time of [(days[Math.floor(sinceMs / DAY_MS)] ??= newDay()), hour]) {
    time.recorded[wasAllowed ? 'allowed' : 'refused'] += 1;
    if (isAllowed !== undefined) time.draft[isAllowed ? 'allowed' : 'refused'] += 1;
  }
}

function newDay(): Day {
  return { recorded: { allowed: 0, refused: 0 }, draft: { allowed: 0, refused: 0 } };
}
