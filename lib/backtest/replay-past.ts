import { batchesOf } from '../shared/batches.ts';
import type { CompiledRules } from '../plan/compile.ts';
import type { Draft } from './draft.ts';
import { errorOf } from '../shared/errors.ts';
import type { Freed } from '../../contract/backtests.ts';
import type { InForce } from './history.ts';
import { History } from './history.ts';
import type { PastRow } from './past-row.ts';
import { isBeginning, isAfter, isDecision } from './past-row.ts';
import type { ReadState } from './reading.ts';
import { newReading, noteRead } from './reading.ts';
import type { Unit } from './row-order.ts';
import { addRows, dueUnits, WAIT_MS } from './row-order.ts';
import type { Verdicts } from './side.ts';
import type { KeptInSide } from './one-replay.ts';
import { Side } from './side.ts';
import { newSide } from './one-replay.ts';

/** Rows of the past. */
export type Past = {
  /** By their instants, in some batches: all, or those from an instant on. */
  readonly rows: (from?: Date) => AsyncIterable<readonly PastRow[]>;
  /** Finds the rows of the checks and records of ends and refunds, by their nonces. */
  readonly checksOf: (rows: readonly PastRow[]) => Promise<readonly PastRow[]>;
  /** When the first row was written, of all that are there: also those that are not read. */
  readonly firstAt: () => Promise<Date | undefined>;
  readonly inForce: InForce;
};

/** What is replayed, and how. */
export type Question = {
  readonly draft: Pick<Draft, 'under'>;
  /** The draft refuses nothing before. */
  readonly from: Date;
  readonly freed: Freed;
  /** Documents in memory, at most. */
  readonly documentsMax: number;
};

/** What is told of each row, in the order of the replay. */
export type Listener = {
  /** The rules of its time, and the draft, said so of a check. */
  readonly onCheck: (row: PastRow, control: Verdicts, draft: Verdicts) => void;
  /** Everything else that rows tell. @param hasCheck whether it is known what its order entered */
  readonly onRow: (row: PastRow, hasCheck: boolean) => void;
};

/** What is in memory between two batches of rows. Plain data, too. */
export type ReplayState = ReadState & { readonly control: KeptInSide; readonly draft: KeptInSide };

/** Before the first row. */
export function newReplay(): ReplayState {
  return { ...newReading(), control: newSide(), draft: newSide() };
}

/** Units that are replayed before orders are looked up again. */
const AT_ONCE = 1_000;

/**
 * Units after which documents are looked through, and those let go of which nothing matters any more: at least as many
 * as there are documents, so that no unit pays for more than one. Of orders it is as many as there are.
 */
const TIDY_AFTER = 10_000;
const TIDY_ORDERS_AFTER = 2_000;

/**
 * Replays rows under the rules of their time, which is the control, and under a draft. Both are asked at each check.
 *
 * @throws BacktestTooLargeError
 */
export async function replayPast(past: Past, question: Question, listener: Listener) {
  const batches = replayBatches(past, question, listener, newReplay());
  while ((await batches.next()).done !== true);
}

/**
 * Replays from a state on. After each batch of rows it yields the instant of the last one: there it may be left, and
 * taken up by its state.
 *
 * @throws BacktestTooLargeError
 */
export async function* replayBatches(
  past: Past,
  question: Question,
  { onCheck, onRow }: Listener,
  state: ReplayState,
): AsyncGenerator<Date, void> {
  const history = new History(past.inForce);
  const rulesThen = (row: PastRow): CompiledRules => history.rulesOf(row);
  const rulesTried = (row: PastRow): CompiledRules => question.draft.under(rulesThen(row));
  const asTaken = { ...question, isAsTaken: true };
  const control = new Side(history, rulesThen, asTaken, state.control);
  const draft = new Side(history, rulesTried, question, state.draft);
  const { documentsMax } = question;
  const both: SidesListener = {
    onCheck: (row, [ofControl, ofDraft]) => {
      if (ofControl !== undefined && ofDraft !== undefined) onCheck(row, ofControl, ofDraft);
    },
    onRow,
  };
  yield* replaySides(past, { history, sides: [control, draft], documentsMax }, both, state);
}

/** The past under some sets of rules. The first one knows which orders are in memory. */
type Sides = {
  readonly history: History;
  readonly sides: readonly [Side, ...Side[]];
  readonly documentsMax: number;
};

/** What is told of each row; of a check, what each side said. */
type SidesListener = Pick<Listener, 'onRow'> & {
  readonly onCheck: (row: PastRow, said: readonly Verdicts[]) => void;
};

/**
 * Replays rows under some sets of rules, from a state on. After each batch it yields the instant of its last row.
 *
 * @throws BacktestTooLargeError
 */
export async function* replaySides(
  past: Past,
  replayed: Sides,
  listener: SidesListener,
  state: ReadState,
): AsyncGenerator<Date, void> {
  let played = Infinity;
  let playedSinceOrders = 0;
  const play = async (units: readonly Unit[]): Promise<void> => {
    const rows = units.flat();
    const [first] = rows;
    if (first === undefined) return;
    const at = new Date(first.at.getTime() - WAIT_MS);
    if (played >= Math.max(TIDY_AFTER, documentsIn(replayed)) || isFull(replayed)) {
      sweepSides(replayed, at);
      played = 0;
      playedSinceOrders = 0;
    } else if (playedSinceOrders >= Math.max(TIDY_ORDERS_AFTER, replayed.sides[0].orders)) {
      for (const side of replayed.sides) side.sweepOrders(at);
      playedSinceOrders = 0;
    }
    played += units.length;
    playedSinceOrders += units.length;
    const checks = await checksFor(rows, replayed, past);
    for (const unit of units) playUnit(unit, replayed, checks, listener);
  };
  const take = async (until?: Date): Promise<void> => {
    for await (const units of batchesOf(AT_ONCE, dueUnits(state.order, until))) await play(units);
  };
  for await (const batch of past.rows(state.readTo)) {
    const rows = batch.filter(({ id }) => !state.readIds.has(id));
    addRows(state.order, rows);
    const last = rows.at(-1);
    if (last === undefined) continue;
    noteRead(state, rows, last.at);
    await take(new Date(last.at.getTime() - WAIT_MS));
    yield last.at;
  }
  await take();
}

function documentsIn({ sides }: Sides): number {
  return Math.max(...sides.map(({ documents }) => documents));
}

function isFull(replayed: Sides): boolean {
  return documentsIn(replayed) > replayed.documentsMax;
}

function sweepSides(replayed: Sides, at: Date): void {
  for (const side of replayed.sides) side.sweep(at);
  if (isFull(replayed)) throw new BacktestTooLargeError(replayed.documentsMax);
}

/** Ends of orders that are not in memory any more, and refunds, need the rows of their checks. */
async function checksFor(rows: readonly PastRow[], { sides }: Sides, past: Past) {
  const checks = new Map<string, PastRow>();
  for (const row of rows)
    if (isBeginning(row) && row.nonce !== undefined) checks.set(row.nonce, row);
  const missing = rows.filter((row) => {
    const { nonce, operation } = row;
    if (!isAfter(row) || nonce === undefined || checks.has(nonce)) return false;
    return operation === 'refund' || sides.some((side) => side.needsCheck(nonce));
  });
  if (missing.length > 0)
    for (const row of await past.checksOf(missing))
      if (row.nonce !== undefined) checks.set(row.nonce, row);
  return checks;
}

function playUnit(
  unit: Unit,
  { history, sides }: Sides,
  checks: ReadonlyMap<string, PastRow>,
  { onCheck, onRow }: SidesListener,
): void {
  history.goTo(unit[0].at);
  if (isDecision(unit[0])) {
    const said = sides.map((side) => side.check(unit));
    for (const [place, row] of unit.entries()) {
      const ofRow = said.flatMap((ofSide) => ofSide[place] ?? []);
      if (ofRow.length === sides.length) onCheck(row, ofRow);
    }
    return;
  }
  for (const row of unit) {
    const { nonce = '' } = row;
    const isKnown = sides[0].knows(nonce);
    const check = checks.get(nonce);
    // The repeat of a check tells the end of its order, where the row of that is lost.
    const isEnd = isAfter(row) || (row.effective && isKnown && row.outcome === 'confirmed');
    const end = isAfter(row) ? row : ({ ...row, operation: 'confirm' } as const);
    for (const side of sides) {
      if (isEnd) side.end(end, check);
      else if (isBeginning(row)) side.enter(row);
    }
    onRow(row, isKnown || check !== undefined || !isAfter(row));
  }
}

/** More subjects count at one time than a replay may hold in memory. */
class BacktestTooLargeError extends errorOf(
  'CANNOT_BE_TESTED',
  (documentsMax: number) =>
    `more than ${documentsMax} subjects count at one time, the most that a back-test holds in memory: choose a shorter time`,
) {}
