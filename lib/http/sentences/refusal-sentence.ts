import { OUTCOME_WORDS } from '../../rule-file/fields/outcome.ts';
import { measureOf } from '../../rule/measures/measures.ts';
import type { Quantity } from '../../rule/own-terms.ts';
import { calendarOf, windowText } from '../../rule/windows/windows.ts';
import type { Language } from '../../shared/language.ts';
import { countText, moneyText, numberText } from './money.ts';
import { wallText } from './time.ts';
import type { FrozenThen, Refusal } from '../refusal.ts';

type QuantityName = keyof Quantity;
const SUMS: readonly QuantityName[] = ['count', 'amountMinor'];

/**
 * Says why a rule refused, by the sums that did not fit: `user-day allows at most ¥50,000.00 a day in
 * Asia/Shanghai: used ¥49,500.00, held ¥0.00, asked ¥1,000.00`.
 */
export function refusalSentence(refusal: Refusal, asked: Quantity, language: Language): string {
  const limited = SUMS.filter((sum) => boundOf(refusal)[sum] !== undefined);
  const misfits = limited.filter((sum) => isMisfit(refusal, asked, sum));
  const sums = misfits.length === 0 ? limited : misfits;
  const clauses = sums.map((sum, index) => {
    const text = clause(refusal, asked, sum, language);
    return index > 0 && language === 'en' ? `It allows ${text}` : text;
  });
  const own = ownMaximum(refusal, sums, language);
  if (language === 'zh') return `${refusal.rule}：${[...clauses, ...own].join('；')}`;
  const end = endAt(refusal, language);
  const ends = end === undefined ? [] : [`The window ends ${end}`];
  return `${refusal.rule} allows ${[...clauses, ...ends, ...own].join('. ')}`;
}

/** What was not kept. */
function boundOf({ outcome, min = {}, max }: Refusal): Quantity {
  return outcome === 'exceeded' ? max : min;
}

/** What the order asked of the rule: its count may not be its own. */
function askedIn({ added: count }: Refusal, asked: Quantity): Quantity {
  return count === undefined ? asked : { ...asked, count };
}

function isMisfit(refusal: Refusal, asked: Quantity, sum: QuantityName): boolean {
  const { outcome, min, max, used, held } = refusal;
  const asks = askedIn(refusal, asked)[sum] ?? 0;
  if (outcome === 'below-minimum') return asks < (min?.[sum] ?? 0);
  return (used?.[sum] ?? 0) + (held?.[sum] ?? 0) + asks > (max[sum] ?? Infinity);
}

/** How the sums of a rule are called, by the outcomes of orders that it counts. */
function wordsOf(outcomes: Refusal['outcomes'], language: Language) {
  const states = (outcomes ?? []).map((state) => OUTCOME_WORDS[language][state]);
  const [one, another] = states;
  if (language === 'en') {
    if (one === undefined) return { those: '', used: 'used', held: 'held' };
    const used = another === undefined ? one : 'ended';
    return { those: ` ${states.join(' or ')}`, used, held: 'under way' };
  }
  if (one === undefined) return { those: '', used: '已用', held: '预占' };
  const used = another === undefined ? one : '结束';
  return { those: states.join('或'), used: `已${used}`, held: '进行中' };
}

function clause(refusal: Refusal, asked: Quantity, sum: QuantityName, language: Language): string {
  const { outcome, outcomes, window, used, held } = refusal;
  const words = wordsOf(outcomes, language);
  const text = (quantity: Quantity): string => sumText(refusal, quantity, sum, language);
  const others = sum === 'count' ? measureOf(refusal).words?.(refusal, language) : undefined;
  const figure = (quantity: Quantity): string =>
    others === undefined ? text(quantity) : numberText(quantity.count ?? 0, language);
  const asks = askedIn(refusal, asked);
  const isCounted = used !== undefined && held !== undefined;
  const [bound, span] = [text(boundOf(refusal)), windowText(window, language)];
  const end = endAt(refusal, language);
  if (language === 'en') {
    const figures = [
      ...(isCounted ? [`${words.used} ${figure(used)}`, `${words.held} ${figure(held)}`] : []),
      others?.asked ?? `asked ${figure(asks)}`,
    ];
    const least = outcome === 'exceeded' ? 'most' : 'least';
    return `at ${least} ${bound}${words.those} ${span}: ${figures.join(', ')}`;
  }
  return [
    others?.asked ?? `本次${figure(asks)}`,
    ...(isCounted ? [`${words.used}${figure(used)}`, `${words.held}${figure(held)}`] : []),
    `${span}${outcome === 'exceeded' ? '最多' : '至少'}${words.those}${bound}`,
    ...(end === undefined ? [] : [`至${end}止`]),
  ].join('，');
}

/** The end of a calendar window; other windows have none that a reader needs. */
function endAt({ window, period }: Refusal, language: Language): string | undefined {
  const calendar = calendarOf(window);
  if (calendar === undefined || period === undefined) return undefined;
  return wallText(period.end, calendar.timeZone, language);
}

function sumText(
  refusal: Refusal,
  quantity: Quantity,
  sum: QuantityName,
  language: Language,
): string {
  const value = quantity[sum] ?? 0;
  if (sum === 'count') return countText(value, refusal, language);
  return moneyText(value, refusal, language);
}

function ownMaximum(
  refusal: Refusal,
  sums: readonly QuantityName[],
  language: Language,
): readonly string[] {
  if (refusal.override === undefined) return [];
  const { own } = refusal.override;
  const limited = sums.filter((sum) => own[sum] !== undefined);
  const texts = limited.map((sum) => sumText(refusal, own, sum, language));
  if (language === 'en')
    return [`The maximum is the subject's own; the rule has ${texts.join(' and ') || 'none'}`];
  return [`该主体的专属上限，规则上限为${texts.join('、') || '无'}`];
}

/** Says who was frozen, without an end: `user:u-1 was frozen until 2026-12-01T00:00:00.000Z`. */
export function frozenSentence({ kind, id, until }: FrozenThen, language: Language): string {
  const end = until?.toISOString();
  if (language === 'en')
    return `${kind}:${id} was frozen${end === undefined ? '' : ` until ${end}`}`;
  return `${kind}:${id}已被冻结${end === undefined ? '' : `，至${end}止`}`;
}
