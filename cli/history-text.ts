import type {
  StatusAnswer,
  SummaryAnswer,
  Transaction,
  TransactionsAnswer,
  UsageHistoryAnswer,
} from '../packages/client/src/index.ts';
import { digitsOf } from '../lib/shared/currency.ts';
import { amountText, type Digits } from './money.ts';
import { authorText } from './terms-text.ts';
import {
  countText,
  numberText,
  subjectsText,
  tableText,
  unknownKindsText,
  visible,
} from './output.ts';

/** Writes a page of what happened, newest first; below it why each check was refused. */
export function transactionsText(answer: TransactionsAnswer, digits: Digits = digitsOf): string {
  const { subjects, transactions, next, unknownKinds } = answer;
  if (transactions.length === 0)
    return `${unknownKindsText(unknownKinds)}Nothing is known of ${subjectsText(subjects)}.`;
  const table = tableText(
    [
      ...['at', 'order', 'call', 'outcome'].map((name) => ({ name })),
      { name: 'amount', isNumber: true },
      ...['of', 'app', 'more'].map((name) => ({ name })),
    ],
    transactions.map((one) => [
      one.at,
      one.orderId,
      one.operation,
      one.outcome,
      moneyText(one.amount, one.currency, digits),
      unitText(one.currency, one.amount),
      one.app,
      moreText(one),
    ]),
  );
  return [
    table,
    ...reasonsText(transactions, ({ orderId }) => orderId),
    ...(next === null ? [] : [`Older ones: --before ${next}`]),
  ].join('\n\n');
}

/** Writes how an order stands, and what happened to it; below it why each check was refused. */
export function transactionText(answer: StatusAnswer, digits: Digits = digitsOf): string {
  const { state, currency, subjects = {}, holdExpiresAt, history, now } = answer;
  const facts = [
    ['state', state],
    ['amount', sumText(answer.amount, currency, digits)],
    ['refunded', sumText(answer.refunded, currency, digits)],
    ['subjects', subjectsText(subjects)],
    [state === 'held' ? 'held until' : 'hold ended', holdExpiresAt],
    ['as of', now],
  ];
  const lines = facts.flatMap(([name = '', value = '']) =>
    value === '' ? [] : [`${name.padEnd(12)}${visible(value)}`],
  );
  if (history.length === 0) return lines.join('\n');
  const table = tableText(
    [
      ...['at', 'call', 'outcome'].map((name) => ({ name })),
      { name: 'amount', isNumber: true },
      { name: 'more' },
    ],
    history.map((row) => [
      row.at,
      row.operation,
      row.outcome,
      partText(row, digits) ?? '-',
      [moreText(row), row.requestId && `request ${row.requestId}`].filter(Boolean).join('; '),
    ]),
  );
  return [lines.join('\n'), table, ...reasonsText(history, ({ at }) => at)].join('\n\n');
}

/** An amount, and of an order that takes what fits what it asked for: `10.00 CNY of 20.00 CNY`. */
function partText(row: StatusAnswer['history'][number], digits: Digits): string | undefined {
  const [amount, asked] = [row.amount, row.asked].map((one) => sumText(one, row.currency, digits));
  if (amount === undefined || asked === undefined || amount === asked) return amount;
  return row.outcome === 'refused' ? `${asked}, at least ${amount}` : `${amount} of ${asked}`;
}

/** An amount with its currency: `20.00 CNY`. */
function sumText(
  minor: number | undefined,
  currency: string | undefined,
  digits: Digits,
): string | undefined {
  if (minor === undefined || currency === undefined) return minor?.toString();
  return `${amountText(minor, currency, digits)} ${currency}`;
}

type Refused = Partial<Record<'refusals' | 'frozen', readonly { readonly sentence: string }[]>>;

/** Why checks were refused, a line each; nothing where none was. */
function reasonsText<Row extends Refused>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
): readonly string[] {
  const why = rows.flatMap((row) =>
    [...(row.refusals ?? []), ...(row.frozen ?? [])].map(({ sentence }) =>
      visible(`${nameOf(row)}  ${sentence}`),
    ),
  );
  return why.length === 0 ? [] : [why.join('\n')];
}

type More = Pick<
  Transaction,
  'type' | 'late' | 'refundId' | 'violations' | 'reason' | 'reasonCode' | 'proposal' | 'approvedBy'
>;

function moreText(row: More): string {
  const { type, late, refundId, violations, reason, reasonCode, proposal, approvedBy } = row;
  return [
    ...(type === undefined ? [] : [type]),
    ...(late === true ? ['late'] : []),
    ...(refundId === undefined ? [] : [`refund ${refundId}`]),
    ...(violations === undefined ? [] : [`by ${violations.join(', ')}`]),
    ...(reasonCode === undefined ? [] : [`for ${reasonCode}`]),
    ...(proposal === undefined ? [] : [`proposal ${proposal}`]),
    ...(approvedBy === undefined ? [] : [`approved by ${authorText(approvedBy)}`]),
    ...(reason === undefined ? [] : [JSON.stringify(reason)]),
  ].join('; ');
}

/** Writes what was counted, a line for each currency of a window; the last window is not over. */
export function usageHistoryText(
  { subjects, rule, timeZone, windows, unknownKinds }: UsageHistoryAnswer,
  digits: Digits = digitsOf,
): string {
  const rows = windows.flatMap(({ start, sums }) =>
    sums.length === 0
      ? [[wallText(start, timeZone), '-', '-', '-', '0']]
      : sums.map(({ currency, amount, refunded, count }) => [
          wallText(start, timeZone),
          moneyText(amount, currency, digits),
          moneyText(refunded, currency, digits),
          unitText(currency, amount),
          numberText(count),
        ]),
  );
  const table = tableText(
    [
      { name: 'from' },
      ...['amount', 'refunded'].map((name) => ({ name, isNumber: true })),
      { name: 'of' },
      { name: 'payments', isNumber: true },
    ],
    rows,
  );
  const counted = rule === undefined ? '' : `, counted by ${rule}`;
  return `${table}\n\n${unknownKindsText(unknownKinds)}${subjectsText(subjects)} in ${timeZone}${counted}`;
}

/** Writes what happened on a day. */
export function summaryText(answer: SummaryAnswer, digits: Digits = digitsOf): string {
  const { kind, date, timeZone, sums, refused, refusals } = answer;
  const table = tableText(
    [
      { name: 'of' },
      ...['confirmed', 'payments', 'refunded', 'whole'].map((name) => ({ name, isNumber: true })),
    ],
    sums.map(({ currency, confirmed, refunded }) => [
      unitText(currency, confirmed.amount),
      moneyText(confirmed.amount, currency, digits),
      numberText(confirmed.count),
      moneyText(refunded.amount, currency, digits),
      numberText(refunded.count),
    ]),
  );
  const recorded = sums.flatMap(({ currency, recorded: { amount, count } }) => {
    if (count === 0) return [];
    const sum = `${moneyText(amount, currency, digits)} ${unitText(currency, amount)}`;
    return [
      `${countText(count, 'payment')} of other days ${count === 1 ? 'was' : 'were'} recorded: ${sum}.`,
    ];
  });
  const causes = refusals.map(({ rule, reason = '', count }) => `${rule ?? reason} ${count}`);
  const by = causes.length === 0 ? '' : `: by ${causes.join(', ')}`;
  return [
    ...(sums.length === 0 ? [] : [table]),
    ...(recorded.length === 0 ? [] : [recorded.join('\n')]),
    `${countText(refused, 'check')} refused${by}`,
    `${date} in ${timeZone}, orders with a ${kind}`,
  ].join('\n\n');
}

function moneyText(
  minor: number | undefined,
  currency: string | null | undefined,
  digits: Digits,
): string {
  if (minor === undefined) return '-';
  // Grouped like major units it would be taken for them: 21,975 beside 219.75.
  return typeof currency === 'string' ? amountText(minor, currency, digits) : String(minor);
}

function unitText(currency: string | null | undefined, minor: number | undefined): string {
  return currency ?? (minor === undefined ? '-' : 'minor units');
}

/** An instant on the wall clock of a zone: `2026-11-20 00:00`. */
function wallText(instant: string, timeZone: string): string {
  return new Date(instant).toLocaleString('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
}
