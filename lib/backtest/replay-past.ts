import { batchesOf } from '../shared/batches.ts';
import type { CompiledRules } from '../plan/compile.ts';
import type { InForce } from './history.ts';
import { History } from './history.ts';
import type { PastRow } from './past-row.ts';
import { begins, isAfter, isDecision } from './past-row.ts';
import type { RowOrder, Unit } from './row-order.ts';
import { addRows, dueUnits, newOrder, WAIT_MS } from './row-order.ts';
import type { Freed, KeptInSide, Verdicts } from './side.ts';
import { newSide, Side } from './side.ts';

/** Rows of the past. */
export type Past = {
  /** By their instants, in some batches: all, or those from an instant on. */
  readonly rows: (from?: Date) => AsyncIterable<readonly PastRow[]>;
  /** Finds the rows of the checks and records of ends and refunds, by their nonces. */
  readonly checksOf: (rows: readonly PastRow[]) => Promise<readonly PastRow[]>;
  readonly inForce: InForce;
};

/** What is replayed, and how. */
export type Question = {
  readonly draft: CompiledRules;
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

/** What is in memory between two batches of rows. Plain data, so that it can be written down. */
export type ReplayState = {
  readonly order: RowOrder;
  readonly control: KeptInSide;
  readonly draft: KeptInSide;
  /** The instant of the last row that was read, and the rows of that instant. */
  readTo: Date | undefined;
  readonly readIds: Set<string>;
};

/** Before the first row. */
export function newReplay(): ReplayState {
  return {
    order: newOrder(),
    control: newSide(),
    draft: newSide(),
    readTo: undefined,
    readIds: new Set(),
  };
}

/** Units that are replayed before orders are looked up again. */
const AT_ONCE = 1_000;

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
  listener: Listener,
  state: ReplayState,
): AsyncGenerator<Date, void> {
  const history = new History(past.inForce);
  const rulesThen = (row: PastRow): CompiledRules => history.rulesOf(row);
  const sides = {
    control: new Side(history, rulesThen, question, state.control),
    draft: new Side(history, () => question.draft, question, state.draft),
  };
  const play = async (units: readonly Unit[]): Promise<void> => {
    const rows = units.flat();
    const [first] = rows;
    if (first === undefined) return;
    tidy(sides, new Date(first.at.getTime() - WAIT_MS), question.documentsMax);
    const checks = await checksFor(rows, sides.control, past);
    for (const unit of units) playUnit(unit, history, sides, checks, listener);
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

/** Rows come by their instants alone: those of the last one are read again. */
function noteRead(state: ReplayState, rows: readonly PastRow[], at: Date): void {
  if (state.readTo?.getTime() !== at.getTime()) state.readIds.clear();
  state.readTo = at;
  for (const row of rows) if (row.at.getTime() === at.getTime()) state.readIds.add(row.id);
}

type Sides = { readonly control: Side; readonly draft: Side };

function tidy({ control, draft }: Sides, at: Date, documentsMax: number): void {
  for (const side of [control, draft]) {
    side.sweep(at);
    if (side.documents > documentsMax) throw new BacktestTooLargeError(documentsMax);
  }
}

/** Ends of orders that are not in memory any more, and refunds, need the rows of their checks. */
async function checksFor(rows: readonly PastRow[], control: Side, past: Past) {
  const checks = new Map<string, PastRow>();
  for (const row of rows) if (begins(row) && row.nonce !== undefined) checks.set(row.nonce, row);
  const missing = rows.filter(({ nonce, ...row }) => {
    if (!isAfter({ nonce, ...row }) || nonce === undefined || checks.has(nonce)) return false;
    return row.operation === 'refund' || !control.knows(nonce);
  });
  if (missing.length > 0)
    for (const row of await past.checksOf(missing))
      if (row.nonce !== undefined) checks.set(row.nonce, row);
  return checks;
}

function playUnit(
  unit: Unit,
  history: History,
  { control, draft }: Sides,
  checks: ReadonlyMap<string, PastRow>,
  { onCheck, onRow }: Listener,
): void {
  history.goTo(unit[0].at);
  if (isDecision(unit[0])) {
    const [present, future] = [control.check(asTaken(unit)), draft.check(unit)];
    for (const [place, row] of unit.entries()) {
      const [is, willBe] = [present[place], future[place]];
      if (is !== undefined && willBe !== undefined) onCheck(row, is, willBe);
    }
    return;
  }
  for (const row of unit) {
    const { nonce = '' } = row;
    const isKnown = control.knows(nonce);
    const check = isKnown && row.operation !== 'refund' ? undefined : checks.get(nonce);
    // The repeat of a check tells the end of its order, where the row of that is lost.
    const isEnd = isAfter(row) || (row.effective && isKnown && row.outcome === 'confirmed');
    for (const side of [control, draft]) {
      if (isEnd) side.end({ ...row, operation: isAfter(row) ? row.operation : 'confirm' }, check);
      else if (begins(row)) side.enter(row);
    }
    onRow(row, isKnown || check !== undefined || !isAfter(row));
  }
}

/**
 * The control asks for what orders got that took less than they asked for. How much was left was read before they were
 * held, and by then others may have given back.
 */
function asTaken([first, ...more]: Unit): Unit {
  const taken = (row: PastRow): PastRow =>
    begins(row) ? { ...row, askedMinor: undefined, leastMinor: undefined } : row;
  return [taken(first), ...more.map(taken)];
}

/** More subjects count at one time than a replay may hold in memory. */
export class BacktestTooLargeError extends Error {
  override readonly name = 'BacktestTooLargeError';
  constructor(documentsMax: number) {
    super(
      `more than ${documentsMax} subjects count at one time, the most that a back-test holds in memory: choose a shorter time`,
    );
  }
}
