import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { backtest, newBacktest } from '../lib/backtest/backtest.ts';
import { wholeDraft } from '../lib/backtest/draft.ts';
import type { PastRow } from '../lib/backtest/past-row.ts';
import type { Past } from '../lib/backtest/replay-past.ts';
import { compile } from '../lib/plan/compile.ts';
import { parseRules } from '../lib/rule-file/rule-list.ts';
import { batchesOf } from '../lib/shared/batches.ts';
import { AMOUNT_MINOR, seededChance } from './workload.ts';

/** A back-test whose draft changes one rule of twelve: the control and the draft are a replay each. */
export type BacktestRow = {
  readonly rows: number;
  /** In one replay. */
  readonly documents: number;
  /** In a second of one processor, both replays. */
  readonly rowsPerSecond: number;
  /** In one replay, with the orders that are open. */
  readonly bytesPerDocument: number;
};

/** A million rows in a minute, in each of two replays. */
export const ROWS_PER_SECOND_LEAST = 8_333;
/** With five buckets of a document, and the orders that are open. */
export const DOCUMENT_BYTES_MOST = 500;

const DAY = { unit: 'day', timeZone: 'Asia/Shanghai' };
const AMPLE = { amount: 1_000_000_000_000 };

const TWELVE_RULES = parseRules(
  [
    { id: 'single', window: 'transaction', max: AMPLE },
    { id: 'minute', window: { ...DAY, unit: 'minute' }, max: { count: 1_000_000 } },
    { id: 'hour', window: { rolling: 'PT1H', step: 'PT5M' }, max: { count: 1_000_000 } },
    { id: 'day', max: AMPLE },
    { id: 'day-count', currency: undefined, max: { count: 1_000_000 } },
    { id: 'week', window: { ...DAY, unit: 'week' }, max: AMPLE },
    { id: 'month', window: { ...DAY, unit: 'month' }, max: AMPLE },
    { id: 'rolling', window: { rolling: 'P30D', step: 'P1D' }, max: AMPLE },
    { id: 'pair', per: ['user', 'merchant'], max: AMPLE },
    { id: 'merchant-day', per: ['merchant'], max: AMPLE },
    { id: 'merchant-month', per: ['merchant'], window: { ...DAY, unit: 'month' }, max: AMPLE },
    { id: 'card', per: ['card'], max: { count: 1_000_000 } },
  ].map((rule) => ({ per: ['user'], currency: 'CNY', window: DAY, ...rule })),
  'the benchmark',
);

const FROM = new Date('2026-10-01T00:00:00Z');
/** 23 a minute: a million in a month. */
const ROWS_APART_MS = 2_600;
const MERCHANTS = 40;
/** Each user has some seven rows. */
const ROWS_OF_USER = 7;
const HOLD_MS = 900_000;
const SETTLED_AFTER_MS = 30_000;
const BATCH = 2_000;

/** Measures a back-test of so many rows, which are in memory. */
export async function measureBacktest(
  rows: number,
  report: (line: string) => void,
): Promise<BacktestRow> {
  report('back-test…');
  await played(rows / 10); // V8 has compiled it then
  const free = collector();
  free();
  const heapBefore = process.memoryUsage().heapUsed;
  const before = process.cpuUsage();
  const state = await played(rows);
  const { user, system } = process.cpuUsage(before);
  free();
  const bytes = process.memoryUsage().heapUsed - heapBefore;
  const documents = state.replay.control.direct.documents.size;
  return {
    rows: state.tally.rows,
    documents,
    rowsPerSecond: state.tally.rows / ((user + system) / 1e6),
    bytesPerDocument: bytes / (2 * documents),
  };
}

async function played(rows: number) {
  const state = newBacktest();
  const draft = TWELVE_RULES.map((rule) =>
    rule.id === 'day' ? { ...rule, max: { amountMinor: AMOUNT_MINOR * 1_000 } } : rule,
  );
  const to = new Date(FROM.getTime() + rows * ROWS_APART_MS);
  const asked = { draft: wholeDraft(draft), from: FROM, to, warmUpFrom: FROM, rulesOfOthers: [] };
  const past = pastOf(rows);
  for await (const reached of backtest(past, { ...asked, freed: 'unpaid' }, state)) void reached;
  return state;
}

function pastOf(rows: number): Past {
  const by = { homeKinds: ['user'], askedKinds: [], needsRule: 'any' } as const;
  const decidedBy = { ...by, openHoldsMax: 100, openSharesMax: 2_000 };
  return {
    rows: () => batchesOf(BATCH, rowsOf(rows)),
    checksOf: () => Promise.resolve([]),
    firstAt: () => Promise.resolve(FROM),
    inForce: {
      rules: [{ at: new Date(0), rules: compile(TWELVE_RULES) }],
      settings: [{ at: new Date(0), attributes: 'all', by: decidedBy }],
      terms: [],
    },
  };
}

/** Checks, and four of five are confirmed soon after. */
function* rowsOf(rows: number): Generator<PastRow> {
  const chance = seededChance(7);
  const writes = new Map<string, number>();
  const written = (document: string): number => {
    const next = (writes.get(document) ?? 0) + 1;
    writes.set(document, next);
    return next;
  };
  const ends: PastRow[] = [];
  for (let place = 0; place < rows; place++) {
    const at = new Date(FROM.getTime() + place * ROWS_APART_MS);
    const [end] = ends;
    if (end !== undefined && end.at <= at) {
      ends.shift();
      yield { ...end, q: end.documents.map(written) };
      continue;
    }
    const user = Math.floor((chance() * rows) / ROWS_OF_USER);
    const check = checkAt(place, at, user, Math.floor(chance() * MERCHANTS));
    yield { ...check, q: check.documents.map(written) };
    if (chance() < 0.8) ends.push(confirmOf(check));
  }
}

function checkAt(place: number, at: Date, user: number, merchant: number): PastRow {
  return {
    id: `r${place}`,
    appId: 'default',
    orderId: `o${place}`,
    operation: 'check',
    outcome: 'held',
    effective: true,
    at,
    subjects: { user: `u-${user}`, merchant: `m-${merchant}`, card: `c-${user}` },
    attributes: {},
    amountMinor: AMOUNT_MINOR,
    currency: 'CNY',
    violations: [],
    documents: [`user:u-${user}`, `card:c-${user}`, `merchant:m-${merchant}`],
    shares: [],
    nonce: `n${place}`,
    holdExpiresAt: new Date(at.getTime() + HOLD_MS),
  };
}

function confirmOf(check: PastRow): PastRow {
  const at = new Date(check.at.getTime() + SETTLED_AFTER_MS);
  return { ...check, id: `e${check.id}`, operation: 'confirm', outcome: 'confirmed', at };
}

/** Frees what nothing refers to any more. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void; // V8 has put it there
}
