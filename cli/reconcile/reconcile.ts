import type { Db } from 'mongodb';
import {
  isDoubtful,
  isMendable,
  lasting,
  type Difference,
} from '../../lib/audit/reconcile/difference.ts';
import {
  allDocuments,
  lookAt,
  RECENT_MS,
  type Look,
} from '../../lib/audit/reconcile/mongo-reconciling.ts';
import { mend } from '../../lib/audit/reconcile/mongo-mend.ts';
import { readVersionedRules } from '../../lib/rule-book/mongo-rule-store.ts';
import { readableRules } from '../../lib/rule-file/rule-list.ts';
import type { StillRead } from '../../lib/rule/counter-key.ts';
import { stillReadUnder } from '../../lib/rule/counter.ts';
import { batchesOf } from '../../lib/shared/batches.ts';
import { INSTANT_EXPECTED, readInstant } from '../../lib/schema/instant.ts';
import { durationMs } from '../../lib/shared/duration.ts';
import { auditCollection } from '../../lib/audit/mongo-audit-store.ts';
import { UsageError } from '../command-error.ts';
import { isAway } from '../database-command.ts';
import { DONE, FOUND, NOT_DONE } from '../exit-codes.ts';
import { counterNames } from './counter-names.ts';
import { describe, type Names } from './difference-text.ts';
import { printJson, Progress, visible } from '../output.ts';
import { numbered } from '../../lib/shared/numbered.ts';

/** A call that is just being written may be in one look; what is wrong is in all of them. */
const LOOKS = 3;

/** Documents that are in memory at a time, and wait together for rows that are written late. */
const TOGETHER = 100;

/** The documents to compare, and whether to repair them: the options of the command line. */
export type ReconcileOptions = {
  /** One document, by its kind and id. Default: every document. */
  readonly subject?: string;
  /** From when on the rows are complete. */
  readonly since?: string;
  /** How long a row that is written late is waited for. */
  readonly wait?: string;
  readonly repair?: boolean;
  readonly json?: boolean;
};

/** @throws UsageError */
function readSince(text: string): Date {
  const at = readInstant(text);
  if (at !== undefined) return at;
  throw new UsageError(`--since is ${JSON.stringify(text)}, expected ${INSTANT_EXPECTED}.`);
}

/** @throws UsageError */
function readWait(text: string): number {
  const lateMs = durationMs(text);
  if (lateMs !== undefined && lateMs <= RECENT_MS) return lateMs;
  throw new UsageError(
    `--wait is ${JSON.stringify(text)}, expected a duration of at most PT1M, such as PT1S.`,
  );
}

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

/** Which counters rules read; undefined if a rule cannot be read. */
async function stillReadIn(db: Db): Promise<StillRead | undefined> {
  const set = await readVersionedRules(db);
  const rules = readableRules(set);
  return rules.length < set.rules.length ? undefined : stillReadUnder(rules, set.revision);
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
  const stillRead = () => stillReadIn(db);
  let open = [...new Set(documents)];
  for (let times = 0; times < LOOKS && open.length > 0; times++) {
    const found = await lookAt(db, open, { lateMs, stillRead, onFailure });
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
  { since, isRepairing }: { readonly since: Date | undefined; readonly isRepairing: boolean },
  oldest: Date,
  print: (line: string) => void,
): Promise<readonly ToldDifference[]> {
  const doubtful = look.differences.filter((each) => isDoubtful(each, since ?? oldest));
  const sure = look.differences.filter((each) => !doubtful.includes(each));
  const names: Names = look.differences.length === 0 ? new Map() : await counterNames(db, document);
  const isWrong = sure.some(isMendable);
  const isMended = isRepairing && isWrong && (await mend(db, document, look, sure));
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
  const { subject, repair: isRepairing = false, json = false } = options;
  const since = options.since === undefined ? undefined : readSince(options.since);
  const lateMs = options.wait === undefined ? undefined : readWait(options.wait);
  const goesNext = { sort: { expireAt: 1 }, projection: { at: 1 } } as const;
  const oldest = (await auditCollection(db).findOne({}, goesNext))?.at;
  if (oldest === undefined)
    throw new Error(
      `database ${db.databaseName} has no audit rows to compare with: set AUDIT to best-effort or session`,
    );
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
    for (const [document, look] of await lookLong(db, batch, lateMs, onFailure)) {
      // One of all documents may have gone since it was named: its windows were over.
      if (subject !== undefined && !look.isThere && look.rows === 0)
        throw new Error(`there is no document ${visible(document)}, and no row names it`);
      documents += 1;
      rows += look.rows;
      try {
        differences.push(
          ...(await tellOne(db, document, look, { since, isRepairing }, oldest, print)),
        );
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
    const repaired = isRepairing ? `, ${mended} mended` : '';
    const told = differing === 0 ? 'no difference' : `${differing} differ${repaired}`;
    const unread =
      failed.length === 0 ? '' : `; ${numbered(failed.length, 'document')} not compared`;
    print(`${soFar()}: ${told}${unread}`);
  }
  if (failed.length > 0) return NOT_DONE;
  return differing === 0 ? DONE : FOUND;
}
