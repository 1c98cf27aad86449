import { parseArgs } from 'node:util';
import type { Db } from 'mongodb';
import type { Difference, SumName } from '../lib/domain/reconcile.ts';
import { isDoubtful, lasting, mendsOf } from '../lib/domain/differences.ts';
import { INSTANT_EXPECTED, readInstant } from '../lib/edge/instant.ts';
import type { Look } from '../lib/store/reconciling.ts';
import { allDocuments, lookAt, mend, oldestRowAt } from '../lib/store/reconciling.ts';
import type { CounterName } from './counter-names.ts';
import { counterNames } from './counter-names.ts';
import { numbered, runDatabaseCommand, UsageError } from './database-command.ts';
import { amountText } from './money.ts';

/** A call that is just being written may be in one look; what is wrong is in all of them. */
const LOOKS = 3;

const USAGE = `npm run reconcile [-- [--subject user:u-1] [--since 2026-11-01T00:00:00Z] [--repair]]

Compares counters with the audit's rows and the documents' own holds, and prints every sum that differs.

  --subject  one document, named by kind and id; every document where nothing is said
  --repair   adds each difference to its sum, in one conditional update a document
  --since    from when on the rows are complete: windows that began before are left alone

Ends with 0 where nothing differs, 1 where something does or was mended, 2 where it could not compare.`;

type Options = {
  readonly subject?: string;
  readonly since?: Date;
  readonly repair: boolean;
};

const SUM_TEXT: Readonly<Record<SumName, string>> = {
  usedAmount: 'used amount',
  usedCount: 'used count',
  heldAmount: 'held amount',
  heldCount: 'held count',
};

type Names = ReadonlyMap<string, CounterName>;

/** A sum as people read it, and as it is stored: `3.00 CNY (300)`. */
function sumText(sum: SumName, value: number, name: CounterName | undefined): string {
  if (!sum.endsWith('Amount') || name?.currency === undefined) return String(value);
  return `${amountText(value, name.currency)} ${name.currency} (${value})`;
}

/** Says what differs, in one line. */
function describe(document: string, difference: Difference, names: Names): string {
  if (difference.kind === 'hold') {
    const { orderId, until } = difference;
    return `${document}: order ${JSON.stringify(orderId)} is held until ${until.toISOString()} by its row, and the document has no hold of it`;
  }
  const { bucket, sum, stored, expected } = difference;
  const window = `${bucket.start.toISOString()} to ${bucket.until.toISOString()}`;
  const by = sum.startsWith('used') ? 'rows' : 'open holds';
  const name = names.get(bucket.counter);
  const rules = name === undefined ? 'of no rule that is stored' : name.rules;
  const values = [stored, expected].map((value) => sumText(sum, value, name));
  return `${document}: ${SUM_TEXT[sum]} of counter ${bucket.counter} (${rules}), ${window}, is ${values.join(`; by its ${by} `)}`;
}

/** Looks until nothing differs any more, or often enough to know that it lasts. */
async function lookLong(db: Db, document: string): Promise<Look> {
  const looks: Look[] = [];
  for (let times = 0; times < LOOKS; times++) {
    const look = await lookAt(db, document);
    looks.push(look);
    const differences = lasting(looks.map((each) => each.differences));
    if (differences.length === 0 || times === LOOKS - 1) return { ...look, differences };
  }
  throw new TypeError('there is at least one look');
}

/** Compares one document, prints what differs, and mends it where asked; gives how much differs. */
async function reconcileOne(
  db: Db,
  document: string,
  { since, repair }: Options,
  oldest: Date,
): Promise<{ readonly rows: number; readonly differences: number; readonly mended: number }> {
  const look = await lookLong(db, document);
  if (!look.isThere && look.rows === 0)
    throw new Error(`there is no document ${document}, and no row tells of it`);
  const doubtful = look.differences.filter((each) => isDoubtful(each, since ?? oldest));
  const sure = look.differences.filter((each) => !doubtful.includes(each));
  const mends = mendsOf(sure);
  const names: Names = look.differences.length === 0 ? new Map() : await counterNames(db, document);
  const isMended = repair && mends.length > 0 && (await mend(db, document, look, mends));
  for (const each of sure) {
    const note = !isMended || each.kind === 'hold' ? '' : '; mended';
    console.log(`${describe(document, each, names)}${note}`);
  }
  // Whoever says since when rows are complete knows why those before are not.
  const told = since === undefined ? doubtful : [];
  for (const each of told)
    console.log(
      `${describe(document, each, names)}; the window began before the oldest row, so rows may be missing: --since says from when on they are complete`,
    );
  const differences = sure.length + told.length;
  const mended = isMended ? sure.filter(({ kind }) => kind === 'sum').length : 0;
  return { rows: look.rows, differences, mended };
}

/** Compares one document or all, and says how many sums differ. */
async function reconcile(db: Db, options: Options): Promise<number> {
  const oldest = await oldestRowAt(db);
  if (oldest === undefined)
    throw new Error(
      `database ${db.databaseName} has no audit rows to compare with: set AUDIT to best-effort or session`,
    );
  const totals = { documents: 0, rows: 0, differences: 0, mended: 0 };
  const { subject } = options;
  for await (const document of subject === undefined ? allDocuments(db) : [subject]) {
    const one = await reconcileOne(db, document, options, oldest);
    totals.documents += 1;
    totals.rows += one.rows;
    totals.differences += one.differences;
    totals.mended += one.mended;
  }
  const { documents, rows, differences, mended } = totals;
  const of = `${numbered(documents, 'document')} and ${numbered(rows, 'row')}`;
  const repaired = options.repair ? `, ${mended} mended` : '';
  console.log(
    differences === 0 ? `${of}: no difference` : `${of}: ${differences} differ${repaired}`,
  );
  return differences === 0 ? 0 : 1;
}

function readOptions(parameters: readonly string[]): Options {
  const options = {
    subject: { type: 'string' },
    since: { type: 'string' },
    repair: { type: 'boolean', default: false },
  } as const;
  const { subject, since, repair } = parseArgs({ args: [...parameters], options }).values;
  const at = since === undefined ? undefined : readInstant(since);
  if (since !== undefined && at === undefined)
    throw new UsageError(`--since is ${JSON.stringify(since)}, expected ${INSTANT_EXPECTED}.`);
  return {
    ...(subject === undefined ? {} : { subject }),
    ...(at === undefined ? {} : { since: at }),
    repair,
  };
}

await runDatabaseCommand({
  usage: USAGE,
  notDone: 'Not reconciled',
  read(parameters) {
    const options = readOptions(parameters);
    return (db) => reconcile(db, options);
  },
});
