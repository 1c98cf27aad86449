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
export async function replayPast(past: Past, question: Question, { onCheck, onRow }: Listener) {
  const history = new History(past.inForce);
  const control = new Side(history, (row) => history.rulesOf(row), question);
  const draft = new Side(history, () => question.draft, question);
  const sides = [control, draft] as const;
  await replaySides(
    past,
    { history, sides, documentsMax: question.documentsMax },
    {
      onCheck: (row, [ofControl, ofDraft]) => {
        if (ofControl !== undefined && ofDraft !== undefined) onCheck(row, ofControl, ofDraft);
      },
      onRow,
    },
  );
}

/** The past under some sets of rules. The first one knows which orders are in memory. */
export type Sides = {
  readonly history: History;
  readonly sides: readonly [Side, ...Side[]];
  readonly documentsMax: number;
};

/** What is told of each row; of a check, what each side said. */
export type SidesListener = Pick<Listener, 'onRow'> & {
  readonly onCheck: (row: PastRow, said: readonly Verdicts[]) => void;
};

/**
 * Replays rows under some sets of rules.
 *
 * @throws BacktestTooLargeError
 */
export async function replaySides(past: Past, replayed: Sides, listener: SidesListener) {
  const { sides, documentsMax } = replayed;
  const order = new RowOrder();
  let units: Unit[] = [];
  const play = async (): Promise<void> => {
    const rows = units.flat();
    const [first] = rows;
    if (first === undefined) return;
    for (const side of sides) side.sweep(new Date(first.at.getTime() - WAIT_MS));
    const documents = Math.max(...sides.map((side) => side.documents));
    if (documents > documentsMax) throw new BacktestTooLargeError(documentsMax);
    const checks = await checksFor(rows, sides[0], past);
    for (const unit of units) playUnit(unit, replayed, checks, listener);
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
async function checksFor(rows: readonly PastRow[], first: Side, past: Past) {
  const checks = new Map<string, PastRow>();
  for (const row of rows) if (begins(row) && row.nonce !== undefined) checks.set(row.nonce, row);
  const missing = rows.filter(({ nonce, ...row }) => {
    if (!isAfter({ nonce, ...row }) || nonce === undefined || checks.has(nonce)) return false;
    return row.operation === 'refund' || !first.knows(nonce);
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
    const check = isKnown && row.operation !== 'refund' ? undefined : checks.get(nonce);
    // The repeat of a check tells the end of its order, where the row of that is lost.
    const isEnd = isAfter(row) || (row.effective && isKnown && row.outcome === 'confirmed');
    for (const side of sides) {
      if (isEnd) side.end({ ...row, operation: isAfter(row) ? row.operation : 'confirm' }, check);
      else if (begins(row)) side.enter(row);
    }
    onRow(row, isKnown || check !== undefined || !isAfter(row));
  }
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
