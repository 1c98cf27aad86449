import { deserialize, serialize } from 'node:v8';
import { gunzipSync, gzipSync } from 'node:zlib';
import { fitsInResponse } from '../../http/page.ts';
import { errorOf, HeadroomError, UndecidedError } from '../../shared/errors.ts';
import type { BacktestState } from '../backtest.ts';
import { backtest, newBacktest } from '../backtest.ts';
import type { Past } from '../replay-past.ts';
import type { Backtest } from '../tally.ts';
import { resultOf } from '../tally.ts';
import type { BacktestJob, WorkStore } from './job.ts';

/** How often a slice says how far it has come, and that it lives. */
const TELL_MS = 2_000;
/** How often a slice writes its state down. */
const WRITE_MS = 120_000;
/** Slices that may die between two checkpoints: a job that ends each of them would go on for ever. */
const SLICES_MAX = 3;

/** What a slice needs. */
export type SliceContext = {
  readonly store: WorkStore;
  readonly open: (job: BacktestJob) => Promise<{ readonly past: Past; readonly asked: Backtest }>;
  /** A name of its own. */
  readonly lease: string;
  /** Whether an error of the database says nothing about the job. */
  readonly isPassing: (error: unknown) => boolean;
  /** Of the code: a state that other code wrote down is not read. */
  readonly version: string;
  readonly nowMs: () => number;
  /** When it has to end. */
  readonly endsAtMs: number;
};

/**
 * Works on a job, from its last checkpoint on: until it is done, was stopped, or the time of the slice is over.
 *
 * @returns whether another slice has to go on
 * @throws UndecidedError where the database does not answer: another slice may go on from the last checkpoint
 */
export async function workOn(id: string, context: SliceContext): Promise<boolean> {
  const { store, lease, nowMs } = context;
  const now = (): Date => new Date(nowMs());
  const job = await store.claim(id, lease, now());
  if (job === undefined) return false;
  try {
    if (job.slices > SLICES_MAX) throw new SlicesDiedError(SLICES_MAX);
    return await workFrom(job, context);
  } catch (error) {
    if (error instanceof UndecidedError || context.isPassing(error)) {
      await store.release(id, lease, now());
      throw error;
    }
    const isKnown = error instanceof HeadroomError;
    const code = isKnown ? error.code : 'INTERNAL';
    const detail = isKnown ? error.message : 'Something is wrong on our side';
    await store.end(job, lease, { state: 'failed', problem: { code, detail } }, undefined, now());
    if (isKnown) return false;
    throw error;
  }
}

async function workFrom(job: BacktestJob, context: SliceContext): Promise<boolean> {
  const { store, open, lease, version, nowMs, endsAtMs } = context;
  const now = (): Date => new Date(nowMs());
  const { past, asked } = await open(job);
  const state = (await writtenState(job, context)) ?? newBacktest();
  let latest: BacktestJob | undefined = job;
  let [toldMs, wroteMs] = [nowMs(), nowMs()];
  for await (const { rows, at: reached } of backtest(past, asked, state)) {
    const isOver = nowMs() >= endsAtMs;
    if (isOver || nowMs() - toldMs >= TELL_MS) {
      toldMs = nowMs();
      if (!(await store.tell(job.id, lease, { rows, reached }, now()))) return false;
    }
    if (isOver || nowMs() - wroteMs >= WRITE_MS) {
      wroteMs = nowMs();
      const written = gzipSync(serialize({ version, state } satisfies Written));
      latest = await store.write(latest, lease, written, now());
      if (latest === undefined) return false;
    }
    if (isOver) return store.release(job.id, lease, now());
  }
  const { orders, from: _from, to: _to, freed: _freed, ...summary } = resultOf(state.tally, asked);
  if (!fitsInResponse([job.question.draft, summary]))
    throw new ResultTooLongError(summary.currencies.length);
  await store.end(latest, lease, { state: 'done', summary }, orders, now());
  return false;
}

type Written = { readonly version: string; readonly state: BacktestState };

async function writtenState(job: BacktestJob, { store, version }: SliceContext) {
  const bytes = await store.read(job);
  if (bytes === undefined) return undefined;
  const written = deserialize(gunzipSync(bytes)) as Written; // as it was written
  return written.version === version ? written.state : undefined;
}

/** Nobody could read the result: it has days, hours and rules of each currency. */
class ResultTooLongError extends errorOf(
  'CANNOT_BE_TESTED',
  (currencies: number) =>
    `the result has ${currencies} currencies and is longer than an answer may be: choose a shorter time, or run headroom backtest`,
) {}

/** Whatever ends the slices of a job would end the next one, too. */
class SlicesDiedError extends errorOf(
  'BACKTEST_DIED',
  (slices: number) =>
    `${slices} slices ended without a checkpoint: choose a shorter time, or give the function backtest more memory`,
) {}
