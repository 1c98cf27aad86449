import { BACKTEST_DOCUMENTS_MAX } from '../shared/bounds.ts';
import { ChangeTally, DraftTally } from './draft-tally.ts';
import { History } from './history.ts';
import { MissingTally } from './missing.ts';
import type { PastRow } from './past-row.ts';
import type { Past, Question } from './replay-past.ts';
import { replayPast } from './replay-past.ts';
import type { BacktestResult, CurrencyResult, Differences } from './result.ts';
import type { ReplayKind, Verdicts } from './side.ts';
import { REPLAYS } from './side.ts';
import { EndSum } from './sums.ts';
import { isSameVerdict, passes, verdictIn } from './verdict.ts';
import { windowBegan } from './warm-up.ts';

/** A back-test: the rules that are tried, and from when to when. */
export type Backtest = Omit<Question, 'documentsMax'> & {
  readonly to: Date;
  /** From when on rows are read. */
  readonly warmUpFrom: Date;
};

/** Tells how far a back-test has come. */
export type OnProgress = (rows: number, at: Date) => void;

type Of<Each> = Readonly<Record<ReplayKind, Each>>;

function ofBoth<Each>(make: () => Each): Of<Each> {
  return { direct: make(), knockOn: make() };
}

type CurrencyTally = { readonly recorded: EndSum } & Of<DraftTally>;

/**
 * Says what rules would have decided in the past.
 *
 * @throws BacktestTooLargeError
 */
export async function backtest(
  past: Past,
  asked: Backtest,
  onProgress: OnProgress,
): Promise<BacktestResult> {
  const tally = new Tally(past, asked);
  const question = { ...asked, documentsMax: BACKTEST_DOCUMENTS_MAX };
  await replayPast(past, question, {
    onCheck(row, control, draft) {
      tally.check(row, control, draft);
      onProgress(tally.rows, row.at);
    },
    onRow(row, hasCheck) {
      tally.row(row, hasCheck);
      onProgress(tally.rows, row.at);
    },
  });
  return tally.result();
}

/** Adds up a back-test. */
class Tally {
  rows = 0;
  #checks = 0;
  #firstAt: Date | undefined;
  readonly #asked: Backtest;
  readonly #history: History;
  readonly #differences = { direct: 0, knockOn: 0 };
  readonly #currencies = new Map<string, CurrencyTally>();
  readonly #changes = ofBoth(() => new ChangeTally());
  readonly #missing = new MissingTally();

  constructor(past: Past, asked: Backtest) {
    this.#asked = asked;
    this.#history = new History(past.inForce);
  }

  check(row: PastRow, control: Verdicts, draft: Verdicts): void {
    this.#note(row);
    if (row.at < this.#asked.from) return;
    const was = verdictIn(row);
    const wasAllowed = passes(was);
    this.#checks += 1;
    const { recorded, ...ofDraft } = this.#currencyOf(row);
    recorded.add(row, wasAllowed);
    for (const kind of REPLAYS) {
      if (!isSameVerdict(control[kind], was)) this.#differences[kind] += 1;
      ofDraft[kind].add(row, wasAllowed, draft[kind]);
      this.#changes[kind].add(row, wasAllowed, draft[kind]);
    }
  }

  row(row: PastRow, hasCheck: boolean): void {
    this.#note(row, hasCheck);
    for (const currency of this.#currencies.values())
      for (const kind of REPLAYS) currency[kind].end(row);
  }

  result(): BacktestResult {
    const { from, to, warmUpFrom, freed } = this.#asked;
    const ofKinds = <Each>(make: (kind: ReplayKind) => Each): Of<Each> => ({
      direct: make('direct'),
      knockOn: make('knockOn'),
    });
    return {
      from: from.toISOString(),
      to: to.toISOString(),
      warmUpFrom: warmUpFrom.toISOString(),
      freed,
      rows: this.rows,
      control: {
        checks: this.#checks,
        ...ofKinds((kind): Differences => {
          const differences = this.#differences[kind];
          return { differences, share: differences / Math.max(1, this.#checks) };
        }),
      },
      currencies: [...this.#currencies].map(
        ([currency, { recorded, ...ofDraft }]): CurrencyResult => ({
          currency,
          recorded: recorded.result(),
          ...ofKinds((kind) => ofDraft[kind].result(to)),
        }),
      ),
      subjects: ofKinds((kind) => this.#changes[kind].subjects()),
      orders: ofKinds((kind) => {
        const { newlyRefused, newlyAllowed } = this.#changes[kind];
        return { newlyRefused, newlyAllowed };
      }),
      missing: { ...this.#missing.result(), ...this.#countedFrom() },
    };
  }

  #note(row: PastRow, hasCheck = true): void {
    this.rows += 1;
    this.#firstAt ??= row.at;
    const sets = [this.#asked.draft, this.#history.rulesOf(row)];
    this.#missing.note(row, this.#history, sets);
    if (!hasCheck) this.#missing.addWithoutCheck();
  }

  #currencyOf({ currency = '' }: PastRow): CurrencyTally {
    const known = this.#currencies.get(currency);
    if (known !== undefined) return known;
    const draft = ofBoth(() => new DraftTally(this.#asked.from));
    const made = { recorded: new EndSum(), ...draft };
    this.#currencies.set(currency, made);
    return made;
  }

  /** Windows without a beginning, or that began before the first row, are counted from that row on. */
  #countedFrom() {
    const { draft, from } = this.#asked;
    const first = this.#firstAt ?? from;
    const rules = draft.live.filter((rule) => {
      const began = windowBegan(rule, from);
      return began === undefined || began < first;
    });
    return {
      countedFrom: rules.length === 0 ? null : first.toISOString(),
      rulesCountedFrom: rules.map(({ id }) => id),
    };
  }
}
