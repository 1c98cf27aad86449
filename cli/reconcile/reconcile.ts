import type { Db } from 'mongodb';
import type { Difference } from '../../lib/audit/reconcile/difference.ts';
import { isDoubtful, isMendable, lasting } from '../../lib/audit/reconcile/difference.ts';
import type { Look } from '../../lib/audit/reconcile/mongo-reconciling.ts';
import { batchesOf } from '../../lib/mongo/batches.ts';
import { allDocuments, lookAt, mend } from '../../lib/audit/reconcile/mongo-reconciling.ts';
import { auditCollection } from '../../lib/audit/mongo-audit-store.ts';
import { isAway, NOT_DONE } from '../database-command.ts';
import type { CounterName } from './counter-names.ts';
import { counterNames } from './counter-names.ts';
import { printJson, Progress, visible } from '../output.ts';
import { numbered } from '../../lib/shared/numbered.ts';
import { COUNTER_SUM_MAX } from '../../lib/shared/bounds.ts';
import { digitsOf } from '../../lib/shared/currency.ts';
import { amountText } from '../money.ts';

/** A call that is just being written may be in one look; what is wrong is in all of them. */
const LOOKS = 3;

/** Documents that are in memory at a time, and wait together for rows that are written late. */
const TOGETHER = 100;

/** The documents to compare, and whether to repair them. */
export type ReconcileOptions = {
  /** One document, by its kind and id. Default: every document. */
  readonly subject?: string | undefined;
  /** From when on the rows are complete. */
  readonly since?: Date | undefined;
  /** How long a row that is written late is waited for. */
  readonly lateMs?: number | undefined;
  readonly repair: boolean;
  readonly json: boolean;
};

/** A difference as JSON for programs. Amounts are minor units. */
type ToldDifference = Difference & {
  readonly document: string;
  /** The rules that count in the counter now. */
  readonly rules?: string;
  readonly currency?: string | undefined;
  readonly mended: boolean;
  /** Rows may be missing that would explain it. */
  readonly doubtful: boolean;
};

type SumName = Extract<Difference, { readonly kind: 'sum' }>['sum'];

const SUM_TEXT: Readonly<Record<SumName, string>> = {
  usedAmount: 'used amount',
  usedCount: 'used count',
  heldAmount: 'held amount',
  heldCount: 'held count',
};

/** Names what a field counts. A field of `p` counts holds that entered the same buckets. */
function openCountText(field: string): string {
  if (field === 'open') return 'open holds (open)';
  if (field === 'shares') return 'open shares (shares)';
  return `open holds that entered the same buckets (${field})`;
}

type Names = ReadonlyMap<string, CounterName>;

/** A sum as people read it, and as it is stored: `3.00 CNY (300)`. */
function sumText(sum: SumName, value: number, name: CounterName | undefined): string {
  if (!sum.endsWith('Amount') || name?.currency === undefined) return String(value);
  const { currency, digits } = name;
  const amount = amountText(value, currency, () => digitsOf(currency, digits));
  return `${amount} ${currency} (${value})`;
}

/** Says what differs, in one line. */
function describe(document: string, difference: Difference, names: Names): string {
  if (difference.kind === 'hold') {
    const { orderId, until } = difference;
    return `${document}: a row says that order ${JSON.stringify(orderId)} is held until ${until.toISOString()}, but the document has no such hold`;
  }
  if (difference.kind === 'open') {
    const { field, stored, expected } = difference;
    return `${document}: number of ${openCountText(field)}, is ${stored}, but the document has ${expected}`;
  }
  const { bucket, sum } = difference;
  const began = bucket.start === undefined ? '' : `${bucket.start.toISOString()} `;
  const window = `${began}to ${bucket.until.toISOString()}`;
  const by = sum.startsWith('used') ? 'rows' : 'open holds';
  const name = names.get(bucket.counter);
  const rules = name === undefined ? 'of no rule that is stored' : name.rules;
  const told = `${document}: ${SUM_TEXT[sum]} of counter ${bucket.counter} (${rules}), ${window}`;
  if (difference.kind === 'beyond')
    return `${told}, is above ${COUNTER_SUM_MAX} in the document or in its ${by}: no number is exact there, so it is neither compared nor repaired`;
  const values = [difference.stored, difference.expected].map((one) => sumText(sum, one, name));
  return `${told}, is ${values.join(`, but its ${by} add up to `)}`;
}

/** Looks until nothing differs any more, or often enough to know that it lasts. */
async function lookLong(
  db: Db,
  documents: readonly string[],
  lateMs: number | undefined,
  onFailure: (document: string, error: unknown) => void,
): Promise<ReadonlyMap<string, Look>> {
  const earlier = new Map<string, readonly Look[]>();
  const lasted = new Map<string, Look>();
  let open = [...new Set(documents)];
  for (let times = 0; times < LOOKS && open.length > 0; times++) {
    const found = await lookAt(db, open, { lateMs, onFailure });
    for (const document of open) if (!found.has(document)) lasted.delete(document);
    for (const [document, look] of found) {
      const looks = [...(earlier.get(document) ?? []), look];
      earlier.set(document, looks);
      const differences = lasting(looks.map((each) => each.differences));
      lasted.set(document, { ...look, differences });
    }
    open = [...found.keys()].filter((document) => lasted.get(document)?.differences.length !== 0);
  }
  return lasted;
}

/** The findings about one document, and the repairs. */
async function tellOne(
  db: Db,
  document: string,
  look: Look,
  { since, repair }: ReconcileOptions,
  oldest: Date,
  print: (line: string) => void,
): Promise<readonly ToldDifference[]> {
  const doubtful = look.differences.filter((each) => isDoubtful(each, since ?? oldest));
  const sure = look.differences.filter((each) => !doubtful.includes(each));
  const names: Names = look.differences.length === 0 ? new Map() : await counterNames(db, document);
  const isWrong = sure.some(isMendable);
  const isMended = repair && isWrong && (await mend(db, document, look, sure));
  for (const each of sure) {
    const note = isMended && isMendable(each) ? '; mended' : '';
    print(`${describe(document, each, names)}${note}`);
  }
  // A user that gives `--since` knows why earlier rows are missing.
  const told = since === undefined ? doubtful : [];
  for (const each of told)
    print(
      `${describe(document, each, names)}; the window began before the oldest row, so rows may be missing: give the start of complete rows with --since`,
    );
  const toldOf = (difference: Difference): ToldDifference => ({
    document,
    ...difference,
    ...('bucket' in difference ? names.get(difference.bucket.counter) : {}),
    mended: isMended && isMendable(difference) && sure.includes(difference),
    doubtful: doubtful.includes(difference),
  });
  return [...sure, ...told].map(toldOf);
}

/**
 * Compares one document or all, and says how much differs. A document that cannot be compared is named, and
 * the others are compared.
 *
 * @returns 0 where nothing differs, 1 where something does, 2 where a document could not be compared
 * @throws what no document is to blame for: no server answers
 */
export async function reconcileDocuments(db: Db, options: ReconcileOptions): Promise<number> {
  const goesNext = { sort: { expireAt: 1 }, projection: { at: 1 } } as const;
  const oldest = (await auditCollection(db).findOne({}, goesNext))?.at;
  if (oldest === undefined)
    throw new Error(
      `database ${db.databaseName} has no audit rows to compare with: set AUDIT to best-effort or session`,
    );
  const { subject, repair, json } = options;
  const progress = new Progress();
  const print = (line: string): void => {
    progress.clear();
    if (!json) console.log(visible(line));
  };
  let documents = 0;
  let rows = 0;
  const differences: ToldDifference[] = [];
  const failed: { readonly document: string; readonly error: string }[] = [];
  const onFailure = (document: string, error: unknown): void => {
    if (isAway(error) || !(error instanceof Error)) throw error;
    failed.push({ document, error: error.message });
    print(`${document}: not compared: ${error.message}`);
  };
  const soFar = (): string => `${numbered(documents, 'document')} and ${numbered(rows, 'row')}`;
  const asked = subject === undefined ? allDocuments(db) : [subject];
  for await (const batch of batchesOf(TOGETHER, asked)) {
    for (const [document, look] of await lookLong(db, batch, options.lateMs, onFailure)) {
      // One of all documents may have gone since it was named: its windows were over.
      if (subject !== undefined && !look.isThere && look.rows === 0)
        throw new Error(`there is no document ${visible(document)}, and no row names it`);
      documents += 1;
      rows += look.rows;
      try {
        differences.push(...(await tellOne(db, document, look, options, oldest, print)));
      } catch (error) {
        onFailure(document, error);
      }
    }
    progress.say(soFar());
  }
  progress.clear();
  const mended = differences.filter((each) => each.mended).length;
  const differing = differences.length;
  if (json) printJson({ documents, rows, differing, mended, differences, failed });
  else {
    const repaired = repair ? `, ${mended} mended` : '';
    const told = differing === 0 ? 'no difference' : `${differing} differ${repaired}`;
    const unread =
      failed.length === 0 ? '' : `; ${numbered(failed.length, 'document')} not compared`;
    print(`${soFar()}: ${told}${unread}`);
  }
  if (failed.length > 0) return NOT_DONE;
  return differing === 0 ? 0 : 1;
}
