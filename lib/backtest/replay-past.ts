import type { CompiledRules } from '../plan/compile.ts';
import type { InForce } from './history.ts';
import { History } from './history.ts';
import type { PastRow } from './past-row.ts';
import { begins, isAfter, isDecision } from './past-row.ts';
import type { Unit } from './row-order.ts';
import { RowOrder, WAIT_MS } from './row-order.ts';
import type { Freed, Verdicts } from './side.ts';
import { Side } from './side.ts';

/** Rows of the past. */
export type Past = {
  /** By their instants, in some batches. */
  readonly rows: () => AsyncIterable<readonly PastRow[]>;
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

/** Units that are replayed before orders are looked up again. */
const AT_ONCE = 1_000;

/**
 * Replays rows under the rules of their time, which is the control, and under a draft. Both are asked at each check.
 *
 * @throws BacktestTooLargeError
 */
export async function replayPast(past: Past, question: Question, listener: Listener) {
  const history = new History(past.inForce);
  const control = new Side(history, (row) => history.rulesOf(row), question);
  const draft = new Side(history, () => question.draft, question);
  const sides = [control, draft];
  const order = new RowOrder();
  let units: Unit[] = [];
  const play = async (): Promise<void> => {
    const rows = units.flat();
    const [first] = rows;
    if (first === undefined) return;
    for (const side of sides) side.sweep(new Date(first.at.getTime() - WAIT_MS));
    const documents = Math.max(...sides.map((side) => side.documents));
    if (documents > question.documentsMax) throw new BacktestTooLargeError(question.documentsMax);
    const checks = await checksFor(rows, control, past);
    for (const unit of units) playUnit(unit, history, { control, draft }, checks, listener);
    units = [];
  };
  const take = async (due: Iterable<Unit>): Promise<void> => {
    for (const unit of due) if (units.push(unit) >= AT_ONCE) await play();
    await play();
  };
  for await (const rows of past.rows()) {
    order.add(rows);
    const last = rows.at(-1);
    if (last !== undefined) await take(order.due(new Date(last.at.getTime() - WAIT_MS)));
  }
  await take(order.rest());
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
  { control, draft }: { readonly control: Side; readonly draft: Side },
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
