import { SETTLED_STATES } from '../../shared/states.ts';
import type { ClientSession, Db, Filter } from 'mongodb';
import type { AuditDocument } from '../mongo-audit-store.ts';
import { auditCollection } from '../mongo-audit-store.ts';
import type { EndedOrder, RecordedRow } from './reconcile.ts';
import { Recorded } from './reconcile.ts';
import { SERVER_NOW } from '../../document/update.ts';
import { batchesOf } from '../../shared/batches.ts';
import { joinParts } from '../../shared/subject.ts';

/** A row as reconcile reads it. */
type Row = RecordedRow & Pick<AuditDocument, '_id' | 'links'>;

/**
 * Rows that are older neither come nor go any more. A commit ends within 90 s, and a row that is no part
 * of one comes a second after its call.
 */
const SETTLED_MS = 120_000;

const PAGE_ROWS = 10_000;
const ENDS_AT_ONCE = 1_000;

const FIELDS = {
  appId: 1,
  orderId: 1,
  outcome: 1,
  nonce: 1,
  amountMinor: 1,
  count: 1,
  reasonCode: 1,
  repeated: 1,
  holdExpiresAt: 1,
  shares: 1,
  at: 1,
  links: 1,
};

const OLDEST_FIRST = { at: 1, _id: 1 } as const;

function about(document: string): Filter<AuditDocument> {
  return { subjectIds: document, documents: document, effective: true };
}

/**
 * Rows that can say something about a window in force or an open hold. Those of a repeat, and of a refund
 * that took nothing off the document, do not say where.
 */
function stillCounting(document: string, now: Date): Filter<AuditDocument> {
  return {
    $or: [
      { 'shares.buckets.until': { $gt: now } },
      { holdExpiresAt: { $gt: now } },
      { repeated: true },
      { outcome: 'refunded', 'shares.document': { $ne: document } },
    ],
  };
}

/**
 * Adds up the rows of a document but the newest. No transaction is needed, because these rows stay as they
 * are. It reads pages, so that no cursor has to outlast its session or a step-down.
 *
 * @param now the server's instant. Only windows and holds that are not over then are added up
 * @returns the sums, how many rows they come from, and the instant after which rows were not read
 */
export async function readSettledRows(
  db: Db,
  document: string,
  now: Date,
  pageRows = PAGE_ROWS,
): Promise<{ readonly recorded: Recorded; readonly rows: number; readonly until: Date }> {
  const recorded = new Recorded(document);
  let rows = 0;
  let last: Pick<Row, '_id' | 'at'> | undefined;
  for (let clock = now; ;) {
    const until = new Date(clock.getTime() - SETTLED_MS);
    const page = await pageAfter(db, document, now, last, until, pageRows);
    for (const row of page) recorded.add(row);
    rows += page.length;
    last = page.at(-1);
    if (last === undefined || page.length < pageRows) return { recorded, rows, until };
    clock = page.at(-1)?.now ?? clock;
  }
}

function pageAfter(
  db: Db,
  document: string,
  now: Date,
  last: Pick<Row, '_id' | 'at'> | undefined,
  until: Date,
  limit: number,
) {
  const beyond = last && { $or: [{ at: { $gt: last.at } }, { _id: { $gt: last._id } }] };
  const filter = {
    ...about(document),
    at: { $lte: until, ...(last && { $gte: last.at }) },
    $and: [stillCounting(document, now), ...(beyond === undefined ? [] : [beyond])],
  };
  return auditCollection(db)
    .find<Row & { readonly now: Date }>(filter, {
      projection: { ...FIELDS, now: SERVER_NOW },
      sort: OLDEST_FIRST,
      limit,
      readConcern: { level: 'majority' },
    })
    .toArray();
}

/** The rows of a document after an instant, of whatever window. */
export function rowsAfter(db: Db, document: string, after: Date, session?: ClientSession) {
  return auditCollection(db)
    .find<Row>(
      { ...about(document), at: { $gt: after } },
      { projection: FIELDS, sort: OLDEST_FIRST, ...(session === undefined ? {} : { session }) },
    )
    .toArray();
}

/** Finds those that ended as a row says, whatever its windows: the name of that row follows from the order. */
export async function endsAmong(
  db: Db,
  untold: Iterable<EndedOrder>,
  session: ClientSession,
): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const some of batchesOf(ENDS_AT_ONCE, untold)) {
    const names = some.flatMap(({ id, nonce }) =>
      SETTLED_STATES.map((outcome) => `${id}:${joinParts([nonce, outcome])}`),
    );
    const rows = auditCollection(db).find<Pick<RecordedRow, 'nonce'>>(
      { _id: { $in: names } },
      { projection: { _id: 0, nonce: 1 }, session },
    );
    for await (const { nonce = '' } of rows) found.push(nonce);
  }
  return found;
}
