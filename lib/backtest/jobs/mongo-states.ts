import type { Db } from 'mongodb';
import { asking, writing } from '../../mongo/client.ts';
import type { BacktestJob, Checkpoint } from './job.ts';
import { BACKTEST_STATES, padded, READ } from './mongo-job-documents.ts';

/** A document has 16 MB at most. */
const PIECE_BYTES = 8_000_000;

/** A piece of a state that is written down. */
type PieceDocument = { readonly _id: string; readonly bytes: Buffer; readonly expireAt: Date };

/** The states of the jobs of a database. */
export function mongoStates(db: Db, timeoutMs: number) {
  const states = db.collection<PieceDocument>(BACKTEST_STATES);
  const ask = asking(db, timeoutMs);
  const write = writing(db, timeoutMs, 'as often as it takes');
  const forget = async (id: string, number?: number): Promise<void> => {
    await write((bounded) => states.deleteMany(piecesOf(id, number), bounded()));
  };
  return {
    async read({ id, checkpoint }: BacktestJob): Promise<Buffer | undefined> {
      if (checkpoint === undefined) return undefined;
      const { number, pieces } = checkpoint;
      const inOrder = { ...READ, sort: { _id: 1 }, promoteBuffers: true } as const;
      const found = await ask(() => states.find(piecesOf(id, number), inOrder).toArray());
      return found.length === pieces ? Buffer.concat(found.map(({ bytes }) => bytes)) : undefined;
    },
    /** Writes the next state of a job; the one before stays. */
    async write({ id, checkpoint, expireAt }: BacktestJob, state: Buffer): Promise<Checkpoint> {
      const number = (checkpoint?.number ?? 0) + 1;
      const pieces = Math.ceil(state.byteLength / PIECE_BYTES);
      // A job that was stopped, and asked for again, may have had one of this number.
      await forget(id, number);
      for (let piece = 0; piece < pieces; piece += 1) {
        const bytes = state.subarray(piece * PIECE_BYTES, (piece + 1) * PIECE_BYTES);
        const _id = `${id}/${number}/${padded(piece)}`;
        await write((bounded) =>
          states.replaceOne({ _id }, { bytes, expireAt }, { upsert: true, ...bounded() }),
        );
      }
      return { number, pieces };
    },
    /** Deletes a state of a job, or all of them. */
    forget,
  };
}

/** `0` comes after `/`. */
function piecesOf(id: string, number?: number) {
  const prefix = number === undefined ? id : `${id}/${number}`;
  return { _id: { $gte: `${prefix}/`, $lt: `${prefix}0` } };
}
