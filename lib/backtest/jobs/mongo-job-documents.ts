import type { Collection, Db } from 'mongodb';
import { present } from '../../shared/present.ts';
import type { BacktestSummary } from '../result.ts';
import type { BacktestJob, BacktestQuestion } from './job.ts';

/** The collection of jobs. */
export const BACKTESTS = 'backtests';
/** The collection of orders that their drafts decide otherwise. */
export const BACKTEST_ORDERS = 'backtest_orders';
/** The collection of states that are written down. */
export const BACKTEST_STATES = 'backtest_states';

/** Rules have names of any kind, so they are texts here. */
export type JobDocument = Omit<BacktestJob, 'id' | 'question' | 'summary'> & {
  readonly _id: string;
  readonly question: Omit<BacktestQuestion, 'draft'> & { readonly draft?: string };
  readonly summary?: string;
  readonly lease?: string;
  /** Of a job that has not ended: one of BACKTESTS_AT_ONCE_MAX. */
  readonly slot?: number;
};

/** An order of a job, by its place among those of its kind. */
export type OrderDocument = {
  readonly _id: string;
  readonly rules: readonly string[];
  readonly order: string;
  readonly expireAt: Date;
};

/** Those who write jobs read their own writes. */
export const READ = { readPreference: 'primary' } as const;

/** What a job that has ended has no longer. */
export const UNSET = { slot: '', lease: '' } as const;

/** The jobs of a database. */
export function jobsOf(db: Db): Collection<JobDocument> {
  return db.collection<JobDocument>(BACKTESTS);
}

/** The orders of its jobs. */
export function ordersOf(db: Db): Collection<OrderDocument> {
  return db.collection<OrderDocument>(BACKTEST_ORDERS);
}

/** Texts are in the order of numbers then. `0` comes after `/`. */
export function padded(place: number): string {
  return String(place).padStart(6, '0');
}

/** How a job is stored. */
export function jobDocument(job: BacktestJob, slot: number): JobDocument {
  const { id, question, summary: _none, ...kept } = job;
  const { subject, rowsPerSecond, ...asked } = question;
  return {
    _id: id,
    ...kept,
    slot,
    question: {
      ...asked,
      ...present({ subject, rowsPerSecond }),
      draft: JSON.stringify(question.draft),
    },
  };
}

/** A job from what is stored. */
export function jobFrom(found: JobDocument | null): BacktestJob | undefined {
  if (found === null) return undefined;
  const { _id: id, question, summary, lease: _lease, slot: _slot, ...job } = found;
  const draft = JSON.parse(question.draft ?? '{}') as BacktestQuestion['draft']; // as it was written
  const read = summary === undefined ? {} : { summary: JSON.parse(summary) as BacktestSummary };
  return { id, ...job, question: { ...question, draft }, ...read };
}
