import type { SettlementAnswer } from '../domain/answer.ts';
import type { AuditRow, Witness } from '../domain/audit.ts';
import { checkRow, confirmRow, rollbackRow } from '../domain/audit-rows.ts';
import type { ManyResult } from '../domain/many.ts';
import type { OrderName, SettlementRequest } from '../domain/request.ts';
import { holdId } from '../domain/subject.ts';
import type { AuditStore } from '../store/audit-store.ts';
import type { CounterStore } from '../store/counter-store.ts';
import type { OneCommit } from '../store/one-commit.ts';
import type { Calls } from './calls.ts';
import type { Context } from './context.ts';
import { Trace, traced } from './trace.ts';

/** Where rows go, and who is told of those that got lost. */
export type Audit = {
  readonly store: AuditStore;
  /** Makes what a call changed and its rows visible together; without it they are written afterwards. */
  readonly oneCommit?: OneCommit;
  /** Makes a refund and its row visible together, also where other calls' rows are written afterwards. */
  readonly refunds: OneCommit;
  readonly onLost: (error: unknown, rows: readonly AuditRow[]) => void;
};

/** What a call ended with: its answer, or what it threw. */
type Ended<Answer> = ManyResult<Answer>;

/** Gives the rows of a call from what it ended with. */
type RowsOf<Answer> = (
  ended: Ended<Answer>,
  witness: (order: OrderName) => Witness,
) => readonly (AuditRow | undefined)[];

/**
 * The same calls, each of which writes down what it came to.
 *
 * In one commit, rows are part of what the call does: both are there, or neither. Otherwise they are
 * written once the answer is known, and before it is given: in a function nothing runs after the
 * answer. The wait is bounded then, and a row that cannot be written changes no answer.
 */
export function auditedCalls(calls: Calls, audit: Audit): Calls {
  const run = <Answer>(
    context: Context,
    call: (context: Context) => Promise<Answer>,
    rowsOf: RowsOf<Answer>,
  ): Promise<Answer> => audited(context, audit, call, rowsOf);
  return {
    check: (context, request) =>
      request.dryRun
        ? calls.check(context, request)
        : run(
            context,
            (inner) => calls.check(inner, request),
            (ended, witness) => [checkRow(request, ended, witness(request))],
          ),
    confirm: (context, request) =>
      run(
        context,
        (inner) => calls.confirm(inner, request),
        (ended, witness) => [confirmRow(request, ended, witness(request))],
      ),
    rollback: (context, request) =>
      run(
        context,
        (inner) => calls.rollback(inner, request),
        (ended, witness) => [rollbackRow(request, ended, witness(request))],
      ),
    checkMany: (context, requests, atomic) =>
      run(
        context,
        (inner) => calls.checkMany(inner, requests, atomic),
        (ended, witness) =>
          each(requests, ended, (request, result) => checkRow(request, result, witness(request))),
      ),
    settleMany: (context, requests) =>
      run(
        context,
        (inner) => calls.settleMany(inner, requests),
        (ended, witness) =>
          each(requests, ended, (request, result) =>
            settlementRow(request, result, witness(request)),
          ),
      ),
  };
}

async function audited<Answer>(
  context: Context,
  audit: Audit,
  call: (context: Context) => Promise<Answer>,
  rowsOf: RowsOf<Answer>,
): Promise<Answer> {
  const attempt = async (counters: CounterStore) => {
    let trace = new Trace();
    const watch = (watched: CounterStore): CounterStore => {
      trace = new Trace();
      return traced(watched, trace);
    };
    const ended = await endOf(call({ ...context, watch, counters: watch(counters) }));
    const rows = rowsOf(ended, (order) => witnessOf(context, trace, order));
    return { ended, rows: rows.filter((row) => row !== undefined) };
  };
  if (audit.oneCommit === undefined) {
    const { ended, rows } = await attempt(context.counters);
    await written(audit, rows);
    return answerOf(ended);
  }
  const ended = await audit.oneCommit(async (stores) => {
    const { ended, rows } = await attempt(stores.counters);
    // What failed without anything to tell must leave nothing.
    if (ended.kind === 'failed' && rows.length === 0) throw ended.error;
    await stores.append(rows.filter(({ repeated }) => repeated !== true));
    return ended;
  });
  return answerOf(ended);
}

function answerOf<Answer>(ended: Ended<Answer>): Answer {
  if (ended.kind === 'failed') throw ended.error;
  return ended.answer;
}

function witnessOf(context: Context, trace: Trace, order: OrderName): Witness {
  const { clock, nonce, requestId } = context;
  return {
    trace: trace.of(holdId(order)),
    nonce: nonce(),
    estimate: clock.estimate(),
    ...(requestId === undefined ? {} : { requestId }),
  };
}

async function endOf<Answer>(answer: Promise<Answer>): Promise<Ended<Answer>> {
  try {
    return { kind: 'answered', answer: await answer };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

/** Writes rows of a call that changed nothing: in one commit where every call's rows are. */
export async function writeRows(audit: Audit, rows: readonly AuditRow[]): Promise<void> {
  if (audit.oneCommit === undefined) await written(audit, rows);
  else await audit.oneCommit(({ append }) => append(rows));
}

async function written({ store, onLost }: Audit, rows: readonly AuditRow[]): Promise<void> {
  try {
    await store.append(rows);
  } catch (error) {
    onLost(error, rows);
  }
}

/** A call of many that failed as a whole tells nothing of its orders. */
function each<Request, Answer>(
  requests: readonly Request[],
  ended: Ended<readonly ManyResult<Answer>[]>,
  rowOf: (request: Request, result: ManyResult<Answer>) => AuditRow | undefined,
): readonly (AuditRow | undefined)[] {
  if (ended.kind === 'failed') return [];
  return requests.map((request, index) => {
    const result = ended.answer[index];
    return result && rowOf(request, result);
  });
}

function settlementRow(
  request: SettlementRequest,
  result: ManyResult<SettlementAnswer>,
  witness: Witness,
): AuditRow | undefined {
  if (request.to === 'rolledBack') {
    if (result.kind === 'failed') return rollbackRow(request, result, witness);
    const { answer } = result;
    if (answer.kind === 'confirmed') throw new TypeError('a rollback is answered as one');
    return rollbackRow(request, { kind: 'answered', answer }, witness);
  }
  if (result.kind === 'failed') return confirmRow(request, result, witness);
  const { answer } = result;
  if (answer.kind === 'rolledBack') throw new TypeError('a confirm is answered as one');
  return confirmRow(request, { kind: 'answered', answer }, witness);
}
