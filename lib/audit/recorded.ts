import type { AuditRow, AuditStore } from './audit.ts';
import { checkRow, recordRow, settlementRows, undecidedRow } from './audit-rows.ts';
import type { CheckAnswer } from '../limits/answer.ts';
import type { CheckRequest } from '../shared/request.ts';
import type { LosingStore } from './losing-store.ts';
import type { OneCommit } from './one-commit.ts';
import { LookAgainError } from './one-commit.ts';
import type { Context, Calls, Told } from '../limits/context.ts';

/** Where rows go, and how. */
export type Audit = {
  readonly store: AuditStore;
  /** Makes a call and its rows visible together; without it they are written afterwards. */
  readonly oneCommit?: OneCommit;
  /** Makes a refund and its row visible together. */
  readonly refunds: OneCommit;
  readonly onLost: (error: unknown, rows: readonly AuditRow[]) => void;
  /** Which attributes rows keep: all, none, or these. Default: all. */
  readonly attributes?: KeptAttributes;
  /** Notes by which settings orders are decided, unless it is known. Never rejects. */
  readonly noteSettings?: () => Promise<void>;
};

/** As createLimits has it. */
export type LosingAudit = Audit & { readonly store: LosingStore };

/** Which attributes rows keep. */
export type KeptAttributes = 'all' | 'none' | readonly string[];

type RowsTold<Request, One> = (
  context: Context,
  request: Request,
  told: One,
) => AuditRow | readonly AuditRow[] | undefined;

/**
 * Calls that write down how they ended, and tell it to whom `tell` is. Rows that are not part of the call's
 * commit are written before the answer is given, because in a function nothing runs after it. One that
 * cannot be written changes no answer.
 */
export function recordedCalls(
  calls: Calls,
  audit: Audit | undefined,
  tell: (told: readonly Told<unknown>[]) => Promise<void>,
): Calls {
  const recorded = async <Request, One extends Told<unknown>>(
    context: Context,
    requests: readonly Request[],
    call: (context: Context) => Promise<readonly One[]>,
    rowsTold: RowsTold<Request, One>,
  ): Promise<readonly One[]> => {
    const rowsOf = (told: readonly One[]): readonly AuditRow[] =>
      requests.flatMap((request, index) => {
        const one = told[index];
        const rows = (one && rowsTold(context, request, one)) ?? [];
        const inCall = index === 0 ? undefined : index;
        return [rows].flat().map((row) => ({ ...withKept(audit?.attributes, row), inCall }));
      });
    if (audit?.oneCommit === undefined) {
      const told = await call(context);
      await Promise.all([audit?.store.append(rowsOf(told)), audit?.noteSettings?.(), tell(told)]);
      return told;
    }
    const told = await inOneCommit(context, audit.oneCommit, call, rowsOf);
    // Its own rows are written; those of checks that passed undecided may wait.
    await Promise.all([audit.store.append([]), audit.noteSettings?.(), tell(told)]);
    return told;
  };
  return {
    check: (context, requests, atomic) => {
      const call = (inner: Context) => calls.check(inner, requests, atomic);
      const rowTold: RowsTold<CheckRequest, Told<CheckAnswer>> = (inner, request, told) =>
        checkRow(inner, request, told, atomic);
      const isDry = requests.some(({ dryRun }) => dryRun);
      return isDry ? call(context) : recorded(context, requests, call, rowTold);
    },
    record: (context, requests) =>
      recorded(context, requests, (inner) => calls.record(inner, requests), recordRow),
    settle: (context, requests) =>
      recorded(context, requests, (inner) => calls.settle(inner, requests), settlementRows),
  };
}

async function inOneCommit<One extends Told<unknown>>(
  context: Context,
  oneCommit: OneCommit,
  call: (context: Context) => Promise<readonly One[]>,
  rowsOf: (told: readonly One[]) => readonly AuditRow[],
): Promise<readonly One[]> {
  let last: readonly One[] = [];
  try {
    return await oneCommit(async ({ counters, append }) => {
      last = [];
      const told = await call({ ...context, counters });
      const rows = rowsOf(told);
      last = told;
      // A call that failed, and has nothing to tell, must leave nothing.
      const isEmpty = rows.length === 0 && told.every(({ result }) => result.kind === 'failed');
      if (isEmpty && told[0]?.result.kind === 'failed') throw told[0].result.error;
      await append(rows.filter(({ repeated }) => repeated !== true));
      return told;
    });
  } catch (error) {
    if (error instanceof LookAgainError) return inOneCommit(context, oneCommit, call, rowsOf);
    const isTold = last.some(({ result }) => result.kind === 'failed' && result.error === error);
    if (isTold && last.every(({ result }) => result.kind === 'failed')) return last;
    throw error;
  }
}

/** Writes rows of a call that changed nothing. */
export async function writeRows(audit: Audit, rows: readonly AuditRow[]): Promise<void> {
  if (audit.oneCommit === undefined) await audit.store.append(rows);
  else await audit.oneCommit(({ append }) => append(rows));
}

/** Notes checks that pass though nobody decided them. Their rows come with those of the next call. */
export function noteUndecided(
  audit: LosingAudit | undefined,
  context: Context,
  requests: readonly CheckRequest[],
): void {
  const passing = requests.filter(({ dryRun }) => !dryRun);
  const rows = passing.map((request) =>
    withKept(audit?.attributes, undecidedRow(context, request)),
  );
  audit?.store.appendLater(rows);
}

/** Whether rows keep an attribute. */
export function isKept(kept: KeptAttributes, name: string): boolean {
  return kept === 'all' || (kept !== 'none' && kept.includes(name));
}

/** An order without attributes has none of those that are kept. */
function withKept(kept: KeptAttributes = 'all', row: AuditRow): AuditRow {
  const { attributes } = row;
  if (attributes === undefined || kept === 'all') return row;
  if (kept === 'none') return { ...row, attributes: undefined };
  const among = Object.entries(attributes).filter(([name]) => isKept(kept, name));
  const unkept = Object.keys(attributes).filter((name) => !isKept(kept, name));
  return { ...row, attributes: Object.fromEntries(among), unkept };
}
