import type {
  CheckAnswer,
  ConfirmAnswer,
  RollbackAnswer,
  SettlementAnswer,
} from '../domain/answer.ts';
import type { ManyResult } from '../domain/many.ts';
import type {
  CheckRequest,
  ConfirmRequest,
  RollbackRequest,
  SettlementRequest,
} from '../domain/request.ts';
import { checkMany } from './check-many.ts';
import { check } from './check.ts';
import type { Context } from './context.ts';
import { settleMany } from './settle-many.ts';
import { confirm, rollback } from './settle.ts';

/** The calls that change something, before anything is put around them. */
export type Calls = {
  readonly check: (context: Context, request: CheckRequest) => Promise<CheckAnswer>;
  readonly confirm: (context: Context, request: ConfirmRequest) => Promise<ConfirmAnswer>;
  readonly rollback: (context: Context, request: RollbackRequest) => Promise<RollbackAnswer>;
  readonly checkMany: (
    context: Context,
    requests: readonly CheckRequest[],
    atomic: boolean,
  ) => Promise<readonly ManyResult<CheckAnswer>[]>;
  readonly settleMany: (
    context: Context,
    requests: readonly SettlementRequest[],
  ) => Promise<readonly ManyResult<SettlementAnswer>[]>;
};

/** The calls themselves. */
export const CALLS: Calls = { check, confirm, rollback, checkMany, settleMany };
