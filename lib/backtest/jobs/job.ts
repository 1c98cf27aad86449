import type { Actor } from '../../shared/actor.ts';
import type { Freed, JobState } from '../../../contract/backtests.ts';
import type { Subject } from '../../shared/subject.ts';
import type { BacktestResult, BacktestSummary, ChangedOrder } from '../result.ts';
import type { ReplayKind } from '../one-replay.ts';

/** What is tried, as a caller says it: each rule was read. */
export type DraftGiven =
  | { readonly rules: readonly unknown[] }
  | { readonly put: unknown }
  | { readonly drop: string };

/** What is to be found out. */
export type BacktestQuestion = {
  readonly draft: DraftGiven;
  readonly from: Date;
  readonly to: Date;
  readonly freed: Freed;
  /** Rows of its orders alone. */
  readonly subject?: Subject | undefined;
  readonly rowsPerSecond?: number | undefined;
};

/** How a job ends by itself. */
type JobEnd =
  | { readonly state: 'done'; readonly summary: BacktestSummary }
  | { readonly state: 'failed'; readonly problem: JobProblem };

/** Why a job failed. */
type JobProblem = { readonly code: string; readonly detail: string };

/** How far a job has come. */
type JobProgress = { readonly rows: number; readonly reached?: Date | undefined };

/** A back-test that functions work on in slices, each from the checkpoint of the one before. */
export type BacktestJob = JobProgress & {
  readonly id: string;
  readonly question: BacktestQuestion;
  /** From when on rows are read. */
  readonly warmUpFrom: Date;
  readonly state: JobState;
  /** The rule that is put or dropped; none for a whole set. */
  readonly rule?: string | undefined;
  /** Of the rules, when it was asked for. */
  readonly revision: number;
  readonly at: Date;
  readonly by: Actor;
  readonly startedAt?: Date | undefined;
  readonly endedAt?: Date | undefined;
  readonly expireAt: Date;
  readonly summary?: BacktestSummary | undefined;
  readonly problem?: JobProblem | undefined;
  /** A slice works on it until then, or died. */
  readonly leaseUntil: Date;
  /** Slices that began since the last checkpoint, and did not let another one go on. */
  readonly slices: number;
  readonly checkpoint?: Checkpoint | undefined;
};

/** Where a state is written down. */
export type Checkpoint = { readonly number: number; readonly pieces: number };

/** Orders that a draft decides otherwise, each kind in the order of time. */
export type JobOrders = BacktestResult['orders'];

/** Which orders are asked for. */
export type OrdersAsked = {
  readonly decided: keyof JobOrders[ReplayKind];
  readonly replay: ReplayKind;
  readonly rule?: string | undefined;
  /** Only those before this place. */
  readonly before?: number | undefined;
  readonly limit: number;
};

/** An order, and its place among those of its kind. */
export type PlacedOrder = ChangedOrder & { readonly place: number };

/** Where jobs are kept. Instants are those of the process: two whose clocks differ may work twice, and one of them counts. */
export type JobStore = {
  /** Adds a job, also in the place of one of its id that was stopped or failed; undefined where too many have not ended. */
  readonly add: (
    job: BacktestJob,
  ) => Promise<{ readonly job: BacktestJob; readonly isNew: boolean } | undefined>;
  readonly find: (id: string) => Promise<BacktestJob | undefined>;
  /** Those that have not ended, without drafts. */
  readonly open: () => Promise<readonly BacktestJob[]>;
  /** Newest first, without drafts and results. */
  readonly list: (limit: number) => Promise<readonly BacktestJob[]>;
  /** Orders of a job, the newest first. */
  readonly orders: (id: string, asked: OrdersAsked) => Promise<readonly PlacedOrder[]>;
  /** Ends a job that has not ended. */
  readonly stop: (id: string, now: Date) => Promise<void>;
  readonly work: WorkStore;
};

/** What a slice does with its job. Where it answers false or nothing, the job was stopped, or another slice has it. */
export type WorkStore = {
  /** Takes a job that nobody works on. */
  readonly claim: (id: string, lease: string, now: Date) => Promise<BacktestJob | undefined>;
  readonly read: (job: BacktestJob) => Promise<Buffer | undefined>;
  readonly tell: (id: string, lease: string, progress: JobProgress, now: Date) => Promise<boolean>;
  /** Writes a state down, and keeps the lease: the job with its new checkpoint. */
  readonly write: (
    job: BacktestJob,
    lease: string,
    state: Buffer,
    now: Date,
  ) => Promise<BacktestJob | undefined>;
  /** Lets another slice go on. */
  readonly release: (id: string, lease: string, now: Date) => Promise<boolean>;
  readonly end: (
    job: BacktestJob,
    lease: string,
    end: JobEnd,
    orders: JobOrders | undefined,
    now: Date,
  ) => Promise<boolean>;
};
