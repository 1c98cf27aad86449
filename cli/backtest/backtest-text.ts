import type {
  BacktestResult,
  Checks,
  ConcernedSubjects,
  CurrencyResult,
  DraftEnds,
  Ends,
  Missing,
  RefusedChecks,
} from '../../lib/backtest/result.ts';
import type { Digits } from '../money.ts';
import { amountText } from '../money.ts';
import { daysText } from './days.ts';
import { countText, numberText, tableText, visible } from '../output.ts';

/** Above this share of checks that the rules of the time decide otherwise, a result is not to be trusted. */
const CARE_SHARE = 0.001;
const RULES_SHOWN = 20;
const ORDERS_SHOWN = 5;

/** Writes a back-test for people. */
export function backtestText(result: BacktestResult, digits: Digits): string {
  const { currencies, missing, subjects, orders } = result;
  return [
    headText(result),
    controlText(result),
    ...currencies.map((one) => currencyText(one, digits)),
    daysText(result),
    subjectsText(subjects.knockOn),
    ordersText(orders.knockOn.newlyRefused),
    missingText(missing),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function headText({ from, to, rows, warmUpFrom, control, freed }: BacktestResult): string {
  const checks = countText(control.checks, 'check');
  return `${checks} from ${from} to ${to}. ${countText(rows, 'row')} were read, from ${warmUpFrom} on.
Orders that were refused, and that the draft allows, are taken for ${freed}.`;
}

function controlText({ control }: BacktestResult): string {
  const { direct, knockOn } = control;
  const texts = [direct, knockOn].map(
    ({ differences, share }) => `${numberText(differences)} (${(share * 100).toFixed(3)} %)`,
  );
  const told = `Control: the rules of the time decide ${texts.join(', with knock-on ')} of the checks otherwise than they were decided.`;
  if (Math.max(direct.share, knockOn.share) <= CARE_SHARE) return told;
  return `${told}\nRead the result with care: see below what is missing.`;
}

const COLUMNS = [
  { name: '' },
  { name: 'recorded', isNumber: true },
  { name: 'draft, direct', isNumber: true },
  { name: 'with knock-on', isNumber: true },
];

function currencyText(result: CurrencyResult, digits: Digits): string {
  const { currency, recorded, direct, knockOn } = result;
  const money = (amountMinor: number): string => amountText(amountMinor, currency, digits);
  const ends = (name: string, read: (of: Ends) => string): readonly string[] => [
    name,
    read(recorded),
    read(direct.draft),
    read(knockOn.draft),
  ];
  const both = (name: string, read: (of: DraftEnds) => string): readonly string[] => [
    name,
    '',
    read(direct),
    read(knockOn),
  ];
  const rows = [
    ends('allowed', ({ allowed }) => checksText(allowed, money)),
    ends('refused', ({ refused }) => checksText(refused, money)),
    ends('  orders', ({ refused }) => numberText(refused.orders)),
    ends('  likely payments', ({ refused }) => numberText(refused.payments)),
    ends('  subjects', ({ refused }) => numberText(refused.subjects)),
    both('newly refused', ({ newlyRefused }) => checksText(newlyRefused, money)),
    both('  orders', ({ newlyRefused }) => numberText(newlyRefused.orders)),
    ...OUTCOMES.map(([kind, name]) =>
      both(`  ${name}`, ({ outcomes }) => checksText(outcomes[kind], money)),
    ),
    both('newly allowed', ({ newlyAllowed }) => checksText(newlyAllowed, money)),
    ...PARTS.flatMap((kind) =>
      direct[kind].checks + knockOn[kind].checks === 0
        ? []
        : [both(`pass with ${kind}`, ({ [kind]: part }) => checksText(part, money))],
    ),
    both('not needed', ({ notNeeded }) => numberText(notNeeded)),
  ];
  const lines = tableText(
    [{ ...COLUMNS[0], name: currency || 'no currency' }, ...COLUMNS.slice(1)],
    rows,
  );
  return `${lines}\n\n${rulesText(knockOn, money)}`;
}

/** Orders that take what fits may get another amount. */
const PARTS = ['less', 'more'] as const;

const OUTCOMES = [
  ['paid', 'were paid'],
  ['paidLate', 'were paid late'],
  ['refunded', 'were paid and refunded'],
  ['givenBack', 'were given back'],
  ['expired', 'expired'],
  ['held', 'are held yet'],
] as const;

function checksText({ checks, amount }: Checks, money: (minor: number) => string): string {
  return `${numberText(checks)} / ${money(amount)}`;
}

function rulesText({ byRule, draft }: DraftEnds, money: (minor: number) => string): string {
  if (byRule.length === 0) return noRuleText(draft.refused);
  const rows = byRule
    .slice(0, RULES_SHOWN)
    .map(({ rule, alone, ...refused }: RefusedChecks & { rule: string; alone: number }) => [
      visible(rule),
      numberText(refused.checks),
      numberText(alone),
      money(refused.amount),
      numberText(refused.subjects),
    ]);
  const names = ['refused by, with knock-on', 'checks', 'by it alone', 'amount', 'subjects'];
  return tableText(
    names.map((name, place) => ({ name, isNumber: place > 0 })),
    rows,
  );
}

function noRuleText({ checks }: Checks): string {
  const none = 'No rule of the draft refuses anything, with knock-on.';
  if (checks === 0) return none;
  return `${none} Refused for other reasons, such as that no rule applies: ${numberText(checks)}.`;
}

function subjectsText({ most, once, twice, threeToFive, more }: ConcernedSubjects): string {
  const [first] = most;
  if (first === undefined) return '';
  const counts = `once ${numberText(once)}, twice ${numberText(twice)}, 3 to 5 times ${numberText(threeToFive)}, more often ${numberText(more)}`;
  return `Subjects that are newly refused, with knock-on: ${counts}. Most often: ${visible(first.subject)}, ${countText(first.checks, 'time')}.`;
}

function ordersText(orders: BacktestResult['orders']['direct']['newlyRefused']): string {
  if (orders.length === 0) return '';
  const lines = orders
    .slice(0, ORDERS_SHOWN)
    .map(({ at, orderId, sentences }) => visible(`${at} ${orderId}: ${sentences?.en ?? ''}`));
  return `The first orders that are newly refused (--json has more):\n${lines.join('\n')}`;
}

/** Lists what the past lacks. */
export function missingText(missing: Missing): string {
  const { rulesWithAttributes, countedFrom, rulesCountedFrom, rulesOfOthers, ...counts } = missing;
  const told: readonly (readonly [number, string])[] = [
    [counts.lostRows, 'rows at least were lost'],
    [counts.withoutCheck, 'ends or refunds are of orders whose check has no row'],
    [counts.undecided, 'payments passed undecided, and are not counted'],
    [
      counts.withoutAttributes,
      `rows have no attributes. These rules ask for some: ${rulesWithAttributes.join(', ')}`,
    ],
    [
      counts.withoutOrder,
      'rows have no number among the writes of their document, so their instants order them',
    ],
    [counts.withoutSettings, 'rows are older than the first settings that are noted'],
    [
      counts.withoutRules,
      'rows are older than the first rules that are stored, and taken for decided by these',
    ],
    [
      counts.withoutLeast,
      'orders take what fits, and rows do not have their least: they take no less than they got',
    ],
    [counts.approved, 'orders were approved, and pass all reviews'],
  ];
  const lines = told.flatMap(([count, text]) =>
    count === 0 ? [] : [`- ${numberText(count)} ${text}`],
  );
  if (countedFrom !== null)
    lines.push(`- counted from ${countedFrom} on only: ${rulesCountedFrom.join(', ')}`);
  if (rulesOfOthers.length > 0)
    lines.push(`- sums that other subjects have a part in: ${rulesOfOthers.join(', ')}`);
  if (lines.length === 0) return '';
  return visibleText(['Missing in the past:', ...lines]);
}

function visibleText(lines: readonly string[]): string {
  return lines.map(visible).join('\n');
}
