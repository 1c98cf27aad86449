import type { Limits } from '../../lib/edge/limits.ts';
import type { TermsBook } from '../../lib/terms/terms-book.ts';
import type { SceneRules } from './scene-rules.ts';
import type { SceneCall } from './scene.ts';

/**
 * How a step ends: `lost` took effect and `failed` did not, and nobody tells; `late` may, at any later
 * moment. `swallowed` took effect and `overdue` may, and its caller has no time left to look.
 */
export type StepEnd = 'answered' | 'lost' | 'failed' | 'late' | 'swallowed' | 'overdue';

/** A step is named by its call and document: the first such that waits. */
export type Move =
  | { readonly do: 'start'; readonly call: string }
  | { readonly do: 'step'; readonly call: string; readonly document: string; readonly end: StepEnd }
  /** The caller is gone; what it had under way may still arrive, or never. */
  | { readonly do: 'crash'; readonly call: string }
  | { readonly do: 'arrive'; readonly call: string; readonly document: string }
  /** A write comes to the database, where another commit has its document: it waits there, with its first `$$NOW`. */
  | { readonly do: 'queue'; readonly call: string; readonly document: string }
  | { readonly do: 'wait'; readonly ms: number }
  /** The database deletes documents whose time is over. */
  | { readonly do: 'delete' };

/** Does what a step does, and gives its answer. */
export type Effect = () => Promise<unknown>;

/** A statement of a caller that waits until somebody lets it happen. */
export type Step = {
  readonly call: Running;
  readonly name: string;
  readonly document: string;
  readonly isWrite: boolean;
  readonly effect: Effect;
  readonly answer: (value: unknown) => void;
  readonly fail: (error: unknown) => void;
  /** When a write came that waits in the database behind another. */
  cameAt?: number;
};

export type Running = {
  readonly call: SceneCall;
  readonly caller: Caller;
  /** Those that its process knows. */
  readonly rules: SceneRules;
  /** Counts moves. */
  readonly startedAt: number;
  readonly startedNow: number;
  state: 'running' | 'ended' | 'dead';
  /** Something went wrong with one of its steps. */
  isTouched: boolean;
  beganAt: number | undefined;
  endedAt: number | undefined;
};

/** A process that makes one call at a time, as a function does. */
export type Caller = {
  readonly limits: Limits;
  readonly terms: TermsBook;
  readonly isOneCommit: boolean;
  call: Running | undefined;
  isDead: boolean;
};

export type Issue = (
  name: string,
  document: string,
  isWrite: boolean,
  effect: Effect,
) => Promise<unknown>;
