import { setTimeout } from 'node:timers/promises';
import { ORDERS_PER_CALL_MAX } from '../../lib/shared/bounds.ts';
import {
  ProblemError,
  type HeadroomClient,
  type RecordedPayment,
} from '../../packages/client/src/index.ts';
import type { GoodRow } from './row.ts';

/** A client that sends payments, and repeats by itself where nothing answers. */
export type Client = Pick<HeadroomClient, 'record'>;

/** The outcome of a row: its answer, or why it was not taken. */
type Sent =
  | { readonly kind: 'answered'; readonly answer: RecordedPayment }
  | { readonly kind: 'rejected'; readonly code: string; readonly problem: string };

/** Bytes of one call; a body may have 1 MiB. */
const CHUNK_BYTES_MAX = 900_000;

/** Orders of one call: as many as it takes, no order twice. */
export class Chunk {
  readonly rows: GoodRow[] = [];
  readonly #orderIds = new Set<string>();
  #bytes = 0;

  /** Adds a row; false where it is to stand in the next call. */
  add(row: GoodRow): boolean {
    const { orderId } = row.payment;
    const bytes = Buffer.byteLength(JSON.stringify(row.payment)) + 1;
    const isFull = this.rows.length >= ORDERS_PER_CALL_MAX || this.#bytes + bytes > CHUNK_BYTES_MAX;
    if ((isFull && this.rows.length > 0) || this.#orderIds.has(orderId)) return false;
    this.rows.push(row);
    this.#orderIds.add(orderId);
    this.#bytes += bytes;
    return true;
  }
}

/** Pauses before orders that were not decided are sent again. */
const PAUSES_MS = [200, 500, 1_000, 2_000, 5_000, 10_000] as const;

/**
 * Sends the rows of one call until each has an answer that will not change.
 *
 * @throws HeadroomError where there is none after PAUSES_MS
 */
export async function sendChunk(
  client: Client,
  rows: readonly GoodRow[],
): Promise<ReadonlyMap<GoodRow, Sent>> {
  const sent = new Map<GoodRow, Sent>();
  const pauses = [...PAUSES_MS];
  for (let open = rows; open.length > 0;) {
    const undecided = await sendOnce(client, open, sent);
    open = open.filter((row) => !sent.has(row));
    if (undecided === undefined) continue;
    const pauseMs = pauses.shift();
    if (pauseMs === undefined) throw undecided;
    await setTimeout(pauseMs);
  }
  return sent;
}

/** @returns why some have no answer yet */
async function sendOnce(
  client: Client,
  rows: readonly GoodRow[],
  sent: Map<GoodRow, Sent>,
): Promise<ProblemError | undefined> {
  try {
    const { results } = await client.record({ orders: rows.map(({ payment }) => payment) });
    let undecided: ProblemError | undefined;
    for (const [index, row] of rows.entries()) {
      const result = results[index];
      if (result === undefined) throw new TypeError('each order that is sent has a result');
      const { problem } = result;
      if (problem === undefined) sent.set(row, { kind: 'answered', answer: result });
      else if (problem.status >= 500)
        undecided = new ProblemError(problem, { call: 'record', attempts: 1 });
      else sent.set(row, { kind: 'rejected', code: problem.code, problem: problem.detail });
    }
    return undecided;
  } catch (error) {
    if (!(error instanceof ProblemError) || !rejectWrong(error, rows, sent)) throw error;
    return undefined;
  }
}

/** Where the call as a whole was refused for some of its orders, the others go again without them. */
function rejectWrong(
  { problem }: ProblemError,
  rows: readonly GoodRow[],
  sent: Map<GoodRow, Sent>,
): boolean {
  if (problem.code !== 'INVALID_REQUEST') return false;
  const { code, errors } = problem;
  for (const { path, value, expected } of errors) {
    const [, index, field] = /^orders\[(\d+)\]\.?(.*)$/s.exec(path) ?? [];
    const row = index === undefined ? undefined : rows[Number(index)];
    if (row === undefined) return false;
    const why = `${field ?? ''} is ${value ?? 'missing'}, expected ${expected}`;
    sent.set(row, { kind: 'rejected', code, problem: why });
  }
  return errors.length > 0;
}
