import type {
  Frozen,
  Quantity,
  RuleReport,
  RuleUsage,
  RuleWindow,
  UsageAnswer,
} from '../packages/client/src/index.ts';
import { conditionsText } from '../lib/http/sentences/conditions-text.ts';
import { OUTCOME_WORDS } from '../lib/rule-file/fields/outcome.ts';
import { digitsOf } from '../lib/shared/currency.ts';
import { amountText, type Digits } from './money.ts';
import { stateText } from './effect-text.ts';
import { numberText, subjectsText, tableText, visible } from './output.ts';

/** A rule that stands somehow; of `usage`, with what its maxima depend on, and when it begins again. */
export type Standing = Omit<RuleReport, 'outcome'> &
  Pick<RuleUsage, 'outcome' | 'currency' | 'maxBy' | 'later'> &
  Partial<Pick<RuleUsage, 'beginsAt' | 'resetsAt'>>;

const SUMS = ['amount', 'count'] as const;

/**
 * Writes how rules stand, a line for each maximum: amounts as people read them, in their currency.
 *
 * @param currency of rules that do not say
 */
export function rulesTable(
  rules: readonly Standing[],
  currency?: string,
  digits: Digits = digitsOf,
): string {
  const rows = rules.flatMap((rule) =>
    SUMS.filter((sum) => isAbout(rule, sum)).map((sum) =>
      rowOf(rule, sum, rule.currency ?? currency, digits),
    ),
  );
  return tableText(
    [
      { name: 'rule' },
      { name: 'subjects' },
      { name: 'window' },
      ...['used', 'held', 'maximum', 'left'].map((name) => ({ name, isNumber: true })),
      { name: 'share', isNumber: true },
      { name: 'of' },
      { name: 'outcome' },
      { name: 'again' },
    ],
    rows,
  );
}

/** It also shows a maximum that the subject's own terms removed. */
function isAbout({ min, max, maxBy, override }: Standing, sum: (typeof SUMS)[number]): boolean {
  return [min, max, maxBy, override?.own].some((quantity) => quantity?.[sum] !== undefined);
}

function rowOf(
  rule: Standing,
  sum: (typeof SUMS)[number],
  currency: string | undefined,
  digits: Digits,
): readonly string[] {
  const value = (quantity: Quantity | undefined): string => {
    const number = quantity?.[sum];
    if (number === undefined) return '-';
    if (sum === 'count') return numberText(number);
    return currency === undefined ? String(number) : amountText(number, currency, digits);
  };
  const { used, held, remaining, max, maxBy, override, subjects, beginsAt } = rule;
  const by = maxBy?.[sum]?.by;
  const own = override !== undefined && max[sum] === undefined ? 'none' : value(max);
  const maximum = by === undefined ? own : `by ${by}`;
  return [
    rule.rule,
    subjectsText(subjects),
    windowText(rule.window),
    value(used),
    value(held),
    override === undefined || by !== undefined ? maximum : `${maximum} *`,
    value(remaining),
    shareText(rule, sum),
    sum === 'amount' ? (currency ?? 'minor units') : countedText(rule),
    (beginsAt === undefined ? rule.outcome.replace(/-(shadow|notify)$/, '') : 'not now') +
      endsText(rule) +
      (rule.onExceed === 'notify' ? ' (only notifies)' : '') +
      (rule.mode === 'enforce' ? '' : ' (on trial)'),
    againText(rule),
  ];
}

function countedText({ distinct }: Standing): string {
  return distinct === undefined ? 'payments' : `different ${distinct}`;
}

/** Which ends of orders it counts, if these are not confirms alone. */
function endsText({ outcomes }: Standing): string {
  if (outcomes === undefined) return '';
  if (outcomes.includes('expired'))
    return ` (of those ${outcomes.map((one) => OUTCOME_WORDS.en[one]).join(' or ')})`;
  return outcomes.includes('confirmed') ? ' (of all that end)' : ' (of failures)';
}

/** When something changes for it next. */
function againText({ beginsAt, retryAt, resetsAt }: Standing): string {
  const at = [beginsAt, retryAt].find((one) => one !== undefined);
  return at === null ? 'never' : (at ?? resetsAt ?? '-');
}

/** How much of one sum is taken, in whole percent: 100 only where nothing is left. */
export function shareText(
  { used, held, max }: Pick<Standing, 'used' | 'held' | 'max'>,
  sum: (typeof SUMS)[number],
): string {
  const most = max[sum];
  if (most === undefined || used === undefined) return '-';
  const taken = Math.max(0, (used[sum] ?? 0) + (held?.[sum] ?? 0));
  return most === 0 ? '100%' : `${Math.floor((taken / most) * 100)}%`;
}

function windowText(window: RuleWindow): string {
  switch (window.kind) {
    case 'calendar':
      return `${window.every === undefined ? '' : `${window.every} `}${window.unit} ${window.timeZone}${window.since === undefined ? '' : ` since ${window.since.attribute}`}`;
    case 'rolling':
      return `rolling ${window.span}`;
    case 'since':
      return `${window.for} since ${window.since.attribute}`;
    case 'lifetime':
    case 'transaction':
      return window.kind;
  }
}

/** Says whose maxima are their own, what they are later, and who is frozen; a line each. A star is in the table. */
export function termsText(
  rules: readonly Standing[],
  frozen: readonly Frozen[],
  digits: Digits = digitsOf,
): string {
  const own = rules.flatMap(({ rule, override }) => {
    if (override === undefined) return [];
    const { reason, until } = override;
    return [`* ${rule}: a maximum of its own${untilText(until)}: ${JSON.stringify(reason)}`];
  });
  const stopped = frozen.map(({ subjects, reason, until }) => {
    return `FROZEN: ${subjectsText(subjects)}${untilText(until)}: ${JSON.stringify(reason)}`;
  });
  const then = rules.flatMap(({ rule, later = [], currency, ...now }) => {
    const limited = SUMS.filter((sum) => isAbout({ ...now, rule }, sum));
    return later.map(({ from, ...state }) => {
      return `  ${rule}, from ${from}: ${stateText(state, limited, currency, digits)}`;
    });
  });
  return [...new Set([...own, ...then, ...stopped])].map((line) => `${visible(line)}\n`).join('');
}

/** Says which rules are of some payments alone, a line each. */
export function conditionsOf(rules: readonly RuleUsage[]): string {
  return rules
    .flatMap(({ rule, counts, appliesTo }) => [
      ...(counts ? [`  ${rule} counts only if ${conditionsText(counts, 'en')}`] : []),
      ...(appliesTo ? [`  ${rule} refuses only if ${conditionsText(appliesTo, 'en')}`] : []),
    ])
    .map((line) => `${visible(line)}\n`)
    .join('');
}

/** Says of which subjects nothing is stored. Most likely their ids are mistyped. */
export function unseenText({ subjects, unseen = [], unknownKinds = [] }: UsageAnswer): string {
  const kinds = unseen.filter((each) => !unknownKinds.some(({ kind }) => kind === each));
  if (kinds.length === 0) return '';
  const named = Object.fromEntries(kinds.map((kind) => [kind, subjects[kind] ?? '']));
  return `Nothing is stored of ${subjectsText(named)}: check the kind and the id.\n`;
}

/** Says which rules are not shown, because their windows begin with something that was not said; a line each. */
export function withoutInstantText({ withoutInstant = [] }: UsageAnswer): string {
  return withoutInstant
    .map(
      ({ rule, attribute }) =>
        `${visible(`  ${rule} begins with the attribute ${attribute}: say it with --attribute`)}\n`,
    )
    .join('');
}

function untilText(until: string | null): string {
  return until === null ? '' : ` until ${until}`;
}
