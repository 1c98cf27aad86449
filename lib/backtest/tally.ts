import type { Changes } from './changes.ts';
import { addChange, concernedIn, noChanges } from './changes.ts';
import type { DraftTally } from './draft-tally.ts';
import { addEndOf, addVerdict, draftEndsIn, newDraftTally } from './draft-tally.ts';
import type { Prepared } from './draft.ts';
import type { History } from './history.ts';
import type { AskingOf, MissingTally } from './missing.ts';
import { missingIn, noneMissing, noteMissing } from './missing.ts';
import type { PastRow } from './past-row.ts';
import type { Question } from './replay-past.ts';
import type { BacktestResult, CurrencyResult, Differences } from './result.ts';
import type { Verdicts } from './side.ts';
import type { ReplayKind } from './one-replay.ts';
import { REPLAYS } from './one-replay.ts';
import type { EndSum } from './sums.ts';
import { addEnd, endsIn, noEnds } from './sums.ts';
import { isSameVerdict, passes, verdictIn } from './verdict.ts';
import { countedFrom } from './warm-up.ts';

/** A back-test: the rules that are tried, and from when to when. */
export type Backtest = Omit<Question, 'documentsMax' | 'draft'> & Prepared & { readonly to: Date };

type Of<Each> = Readonly<Record<ReplayKind, Each>>;

function ofBoth<Each>(make: (kind: ReplayKind) => Each): Of<Each> {
  return { direct: make('direct'), knockOn: make('knockOn') };
}

type CurrencyTally = { readonly recorded: EndSum } & Of<DraftTally>;

/** Adds up a back-test. Plain data. */
export type Tally = {
  rows: number;
  checks: number;
  firstAt: Date | undefined;
  readonly differences: { direct: number; knockOn: number };
  readonly currencies: Map<string, CurrencyTally>;
  readonly changes: Of<Changes>;
  readonly missing: MissingTally;
};

/** Nothing yet. */
export function newTally(): Tally {
  return {
    rows: 0,
    checks: 0,
    firstAt: undefined,
    differences: { direct: 0, knockOn: 0 },
    currencies: new Map(),
    changes: ofBoth(noChanges),
    missing: noneMissing(),
  };
}

/** What is known of the question and of the past, and need not be written down. */
type Tallied = {
  readonly asked: Backtest;
  readonly history: History;
  readonly asking: AskingOf;
};

/** Takes what is said of a check by the rules of its time, and by the draft. */
export function tallyCheck(
  tally: Tally,
  known: Tallied,
  row: PastRow,
  control: Verdicts,
  draft: Verdicts,
): void {
  const { from } = known.asked;
  tallyRow(tally, known, row);
  if (row.at < from) return;
  const was = verdictIn(row);
  const wasAllowed = passes(was);
  tally.checks += 1;
  const ofCurrency = currencyOf(tally, row);
  addEnd(ofCurrency.recorded, row, wasAllowed);
  for (const kind of REPLAYS) {
    if (!isSameVerdict(control[kind], was)) tally.differences[kind] += 1;
    addVerdict(ofCurrency[kind], from, row, wasAllowed, draft[kind]);
    addChange(tally.changes[kind], row, wasAllowed, draft[kind]);
  }
}

/** Takes what happened without a decision. @param hasCheck whether it is known what its order entered */
export function tallyEnd(tally: Tally, known: Tallied, row: PastRow, hasCheck: boolean): void {
  tallyRow(tally, known, row);
  if (!hasCheck) tally.missing.withoutCheck += 1;
  for (const ofCurrency of tally.currencies.values())
    for (const kind of REPLAYS) addEndOf(ofCurrency[kind], row);
}

/** How it is told. */
export function resultOf(tally: Tally, asked: Backtest): BacktestResult {
  const { from, to, warmUpFrom, freed } = asked;
  const { changes, checks, differences, rows } = tally;
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    warmUpFrom: warmUpFrom.toISOString(),
    freed,
    rows,
    control: {
      checks,
      ...ofBoth((kind): Differences => ({
        differences: differences[kind],
        share: differences[kind] / Math.max(1, checks),
      })),
    },
    currencies: [...tally.currencies].map(
      ([currency, { recorded, ...ofDraft }]): CurrencyResult => ({
        currency,
        recorded: endsIn(recorded),
        ...ofBoth((kind) => draftEndsIn(ofDraft[kind], from, to)),
      }),
    ),
    subjects: ofBoth((kind) => concernedIn(changes[kind])),
    orders: ofBoth((kind) => {
      const { newlyRefused, newlyAllowed } = changes[kind];
      return { newlyRefused, newlyAllowed };
    }),
    missing: {
      ...missingIn(tally.missing),
      ...countedFrom(asked.draft.rules, from, tally.firstAt ?? from),
      rulesOfOthers: asked.rulesOfOthers,
    },
  };
}

function tallyRow(tally: Tally, { asked, history, asking }: Tallied, row: PastRow): void {
  tally.rows += 1;
  const present = history.rulesOf(row);
  const sets = [asked.draft.under(present), present];
  noteMissing(tally.missing, row, history, sets.flatMap(asking));
}

function currencyOf({ currencies }: Tally, { currency = '' }: PastRow): CurrencyTally {
  const known = currencies.get(currency);
  if (known !== undefined) return known;
  const made = { recorded: noEnds(), ...ofBoth(newDraftTally) };
  currencies.set(currency, made);
  return made;
}
