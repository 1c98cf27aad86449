import { compile } from '../lib/plan/compile.ts';
import { readableRules } from '../lib/rule-file/rule-list.ts';
import { scanNear, type Scanned } from '../lib/near/mongo-near-scan.ts';
import { readVersionedRules } from '../lib/rule-book/mongo-rule-store.ts';
import type { NearAnswer, NearRequest, NearRow, NearShare } from '../packages/client/src/index.ts';
import { numbered } from '../lib/shared/numbered.ts';
import { UsageError } from './command-error.ts';
import { onDatabase } from './database-command.ts';
import { amountText, type Digits } from './money.ts';
import { calling, type CallOptions } from './calls.ts';
import { digitsFor } from './print-answer.ts';
import { shareText } from './rule-table.ts';
import { numberText, printJson, Progress, subjectsText, tableText } from './output.ts';
import { NEAR_SHARES } from '../lib/shared/bounds.ts';

/** Rows of one request of a list that has more. */
const PAGE = 100;

/** Reads a share of a maximum. @throws UsageError where it is none */
export function readShare(text: string): NearShare {
  const share = NEAR_SHARES.find((one) => String(one) === text);
  if (share !== undefined) return share;
  throw new UsageError(`--share is ${JSON.stringify(text)}, expected 0.5, 0.8, 0.95 or 1.`);
}

/** Makes the list from the counters of MONGODB_URI, and says on stderr how far it has come. */
export async function scanFirst(): Promise<Scanned> {
  return onDatabase('Not scanned', async (db) => {
    const startedAt = new Date();
    const rules = readableRules(await readVersionedRules(db));
    const progress = new Progress();
    let last: Scanned = { documents: 0, rows: 0, added: 0, changed: 0, removed: 0 };
    for await (const scanned of scanNear(db, compile(rules), startedAt)) {
      last = scanned;
      progress.say(seenText(scanned));
    }
    progress.clear();
    return last;
  });
}

function seenText({ documents, rows }: Scanned): string {
  return `${numbered(documents, 'document')} and ${numbered(rows, 'row')} of the list`;
}

/** Prints the list, at most so many rows of it, and before it what a scan has done. */
export async function printNear(
  request: NearRequest,
  most: number,
  options: CallOptions,
  scanned?: Scanned,
): Promise<number> {
  const answer = await readNear(request, most, options);
  if (options.json === true) {
    printJson(scanned === undefined ? answer : { ...answer, scanned });
    return 0;
  }
  if (scanned !== undefined) {
    const { added, changed, removed } = scanned;
    console.log(`${seenText(scanned)}: ${added} added, ${changed} changed, ${removed} removed\n`);
  }
  console.log(
    answer.near.length === 0
      ? nobodyText(answer)
      : nearTable(answer.near, await digitsFor(answer, options)),
  );
  if (answer.next !== null) console.log(`\nThere are more: ask for --limit ${2 * most}.`);
  console.log(`\nat ${answer.now}`);
  return 0;
}

async function readNear(
  request: NearRequest,
  most: number,
  options: CallOptions,
): Promise<NearAnswer> {
  return calling('Not read', options, async (client) => {
    const near: NearRow[] = [];
    let next: string | undefined;
    for (;;) {
      const limit = Math.min(PAGE, most - near.length);
      const page = await client.near({
        ...request,
        limit,
        ...(next === undefined ? {} : { next }),
      });
      near.push(...page.near);
      if (page.next === null || near.length >= most) return { ...page, near };
      next = page.next;
    }
  });
}

function nobodyText({ kept, scannedAt }: NearAnswer): string {
  const nobody = 'No subject is so near.';
  if (kept) return nobody;
  const since = scannedAt === null ? 'has never been made' : `was made at ${scannedAt}`;
  return `${nobody} But calls write nothing (NEAR=off), and the list ${since}: --scan makes it.`;
}

function nearTable(rows: readonly NearRow[], digits: Digits): string {
  const numbers = ['used', 'held', 'maximum', 'share'].map((name) => ({ name, isNumber: true }));
  const columns = [
    { name: 'rule' },
    { name: 'subjects' },
    ...numbers,
    { name: 'of' },
    { name: 'reached' },
    { name: 'until' },
  ];
  const told = rows.map((row) => ({ ...row, now: standingOf(row) }));
  return tableText(
    columns,
    told
      .toSorted((one, other) => other.now.share - one.now.share)
      .flatMap((row) => rowsOf(row, digits)),
  );
}

type Standing = NonNullable<NearRow['now']>;

function standingOf({ now }: NearRow): Standing {
  if (now === undefined) throw new TypeError('a row of the list says how it stands now');
  return now;
}

/** A line for each maximum of a row. */
function rowsOf(
  { rule, mode, subjects, share, at, now, currency, until }: NearRow & { readonly now: Standing },
  digits: Digits,
): readonly (readonly string[])[] {
  const { used, held, max, overridden } = now;
  const money = (minor: number): string =>
    currency === undefined ? String(minor) : amountText(minor, currency, digits);
  const line = (of: 'amount' | 'count', most: number, text: (value: number) => string) => [
    mode === 'shadow' ? `${rule} (on trial)` : rule,
    subjectsText(subjects),
    text(used[of] ?? 0),
    text(held[of] ?? 0),
    overridden ? `${text(most)} *` : text(most),
    shareText(now, of),
    of === 'amount' ? (currency ?? 'minor units') : 'payments',
    `${share * 100}% by ${at}`,
    until ?? 'never',
  ];
  return [
    ...(max.amount === undefined ? [] : [line('amount', max.amount, money)]),
    ...(max.count === undefined ? [] : [line('count', max.count, numberText)]),
  ];
}
