import type { Payment } from '../../packages/client/src/index.ts';
import { CLOCK_TOLERANCE_MS } from '../../lib/shared/bounds.ts';
import { digitsOf } from '../../lib/shared/currency.ts';
import { amountText } from '../money.ts';
import { mistakesText, type GoodRow, type Row, type Rows } from './row.ts';
import { OddIds } from './odd-ids.ts';
import { SameIds } from './same-ids.ts';

/** How many wrong rows are named. */
const NAMED_MAX = 20;

/** Amounts of one currency. */
type Amounts = { count: number; sumMinor: bigint; leastMinor: number; mostMinor: number };

/** The sums of a file, before anything is sent. */
export type Survey = {
  readonly rows: number;
  readonly wrong: number;
  /** Rows that are an earlier one again, which counts once. */
  readonly repeated: number;
  /** The first NAMED_MAX of those that are wrong. */
  readonly named: readonly { readonly line: number; readonly problem: string }[];
  /** By currency, each payment once. */
  readonly amounts: ReadonlyMap<string, Amounts>;
  /** Likely mistakes that nobody refuses: a sentence each. */
  readonly warnings: readonly string[];
};

/** Says whether a row may be sent. */
export function isGood(row: Row, now: Date): row is GoodRow {
  return problemOf(row, now) === undefined;
}

/** Finds the mistakes of a row. A payment that has not happened yet is checked, not recorded. */
export function problemOf({ mistakes, payment }: Row, now: Date): string | undefined {
  if (mistakes.length > 0) return mistakesText(mistakes);
  const { at } = payment as Payment; // it has no mistakes
  return Number(new Date(at.toUpperCase())) <= Number(now) + CLOCK_TOLERANCE_MS
    ? undefined
    : `at is ${JSON.stringify(at)}, expected an instant that is not after now`;
}

/** Reads a file to its end, and says what is in it. */
export async function survey({ rows }: Rows, now: () => Date, said: (rows: number) => void) {
  const named: { line: number; problem: string }[] = [];
  const amounts = new Map<string, Amounts>();
  const oddIds = new OddIds();
  const sameIds = new SameIds();
  let [count, wrong] = [0, 0];
  for await (const row of rows) {
    count += 1;
    said(count);
    const problem = problemOf(row, now());
    if (problem === undefined) {
      const payment = row.payment as Payment; // it has no mistakes
      if (sameIds.look(payment, row.line) === 'new') addAmount(amounts, payment);
      oddIds.look(payment, row.line);
    } else {
      wrong += 1;
      if (named.length < NAMED_MAX) named.push({ line: row.line, problem });
    }
  }
  const warnings = [...amountWarnings(amounts), ...oddIds.warnings(), ...sameIds.warnings()];
  const { repeated } = sameIds;
  return { rows: count, wrong, repeated, named, amounts, warnings } satisfies Survey;
}

function addAmount(amounts: Map<string, Amounts>, { amount, currency }: Payment): void {
  const known = amounts.get(currency);
  if (known === undefined) {
    const sumMinor = BigInt(amount);
    amounts.set(currency, { count: 1, sumMinor, leastMinor: amount, mostMinor: amount });
    return;
  }
  known.count += 1;
  known.sumMinor += BigInt(amount);
  known.leastMinor = Math.min(known.leastMinor, amount);
  known.mostMinor = Math.max(known.mostMinor, amount);
}

/** Fewer payments say little about their amounts. */
const TELLING_COUNT = 10;

/** The largest of many payments is more than so many major units, or they are major units. */
const TELLING_MAJOR = 10;

/** Warns of a currency whose amounts look like major units. */
function amountWarnings(amounts: Survey['amounts']): readonly string[] {
  return [...amounts].flatMap(([currency, { count, mostMinor }]) => {
    const isSmall = mostMinor < TELLING_MAJOR * 10 ** digitsOf(currency);
    if (digitsOf(currency) === 0 || count < TELLING_COUNT || !isSmall) return [];
    const most = `${amountText(mostMinor, currency)} ${currency}`;
    return [
      `The largest of ${count} payments in ${currency} is ${mostMinor}, which is ${most}. Amounts are minor units. Did you mean major units?`,
    ];
  });
}
