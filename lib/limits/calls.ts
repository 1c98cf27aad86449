import type { CheckAnswer, RecordAnswer, SettlementAnswer } from './answer.ts';
import type { OrderTrace } from '../audit/audit.ts';
import type { ManyResult } from './many.ts';
import type { Crossing } from '../near/near.ts';
import type { CheckRequest, RecordRequest, SettlementRequest } from '../shared/request.ts';
import type { Context } from './context.ts';

/** What a call came to for one order, and what documents said meanwhile. */
export type Told<Answer> = {
  readonly result: ManyResult<Answer>;
  /**
   * Absent where there is nothing to record: no document was asked, or rows have it already. It is
   * computed when the recorder reads it.
   */
  readonly trace?: OrderTrace | undefined;
  /** The parts of maxima that it crossed. Absent if there are none, or if nobody listens. */
  readonly crossings?: readonly Crossing[];
};

/** What a settlement came to, and where the order was found. */
export type ToldSettlement = Told<SettlementAnswer> & {
  readonly whereabouts: SettlementRequest['whereabouts'];
};

/**
 * The calls that change something, of one order or of many, each with its own result, in the order
 * given. No order stands twice.
 */
export type Calls = {
  /** @param atomic all or none: unless each is allowed, nothing new is held */
  readonly check: (
    context: Context,
    requests: readonly CheckRequest[],
    atomic: boolean,
  ) => Promise<readonly Told<CheckAnswer>[]>;
  readonly settle: (
    context: Context,
    requests: readonly SettlementRequest[],
  ) => Promise<readonly ToldSettlement[]>;
  readonly record: (
    context: Context,
    requests: readonly RecordRequest[],
  ) => Promise<readonly Told<RecordAnswer>[]>;
};
