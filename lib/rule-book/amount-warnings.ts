import type { FieldChange } from '../changes/field-changes.ts';
import { fieldChanges, isObject } from '../changes/field-changes.ts';
import type { RuleChange } from '../changes/rule-change.ts';
import type { StoredRule } from '../rule-file/rule-set.ts';
import { amountText, digitsOf } from '../shared/currency.ts';
import { present } from '../shared/present.ts';

/** Round amounts below so many major units are most likely major units themselves. */
const MAJOR_LIKE_MAX = 100;

/** A raise by more is most likely none. */
const RAISE_MAX = 10;

/**
 * Warns of maxima that look like major units: amounts are minor ones. 50.00 EUR may be right. It is warned of only
 * where 5,000.00 EUR would be likely: where another rule has as much, or it was 500.00 EUR or more before.
 *
 * @param all every rule that there is to be
 */
export function amountWarnings(
  { id, before, after }: Pick<RuleChange, 'id' | 'before' | 'after'>,
  all: readonly StoredRule[],
): readonly string[] {
  const currency = after?.currency;
  if (after === undefined || typeof currency !== 'string') return [];
  const digits = digitsIn(after);
  const factor = 10 ** digits;
  if (factor === 1) return [];
  const others = all.filter((one) => one.id !== id && one.currency === currency);
  const likely = (was: number | undefined): number =>
    was === undefined ? Math.max(0, ...others.flatMap(amountsIn)) : RAISE_MAX * was;
  return amountsOf(fieldChanges(before ?? {}, after)).flatMap(({ path, was, is }) => {
    const isHundredth = was !== undefined && is > 0 && was === is * factor;
    const isRound = is > 0 && is < MAJOR_LIKE_MAX * factor && is % 10 === 0;
    if (!isHundredth && !(isRound && is * factor <= likely(was))) return [];
    const meant = storedMoneyText(is * factor, currency, digits);
    return [
      `${id}: ${path} is ${storedMoneyText(is, currency, digits)}. Amounts are minor units. Did you mean ${meant}?`,
    ];
  });
}

type AmountChange = { readonly path: string; readonly was?: number; readonly is: number };

/** Maxima of amounts among changed fields; of a maximum by attribute, each. */
function amountsOf(fields: readonly FieldChange[]): readonly AmountChange[] {
  return fields.flatMap(({ path, before, after }): readonly AmountChange[] => {
    if (!/^max(\.amount(\.|$)|$)/.test(path)) return [];
    if (path !== 'max' && typeof after === 'number')
      return [{ path, is: after, ...present({ was: largestAmount(before) }) }];
    if (!isObject(after)) return [];
    const inside =
      path === 'max'
        ? Object.entries(after).filter(([name]) => name === 'amount')
        : Object.entries(after);
    return inside.flatMap(([name, value]) =>
      amountsOf([{ path: `${path}.${name}`, before, after: value as unknown }]),
    );
  });
}

/** The maximum, or the largest of those by attribute. */
function largestAmount(max: unknown): number | undefined {
  const all: readonly unknown[] = isObject(max) ? Object.values(max) : [max];
  const amounts = all.filter((each) => typeof each === 'number');
  return amounts.length === 0 ? undefined : Math.max(...amounts);
}

function amountsIn(rule: StoredRule): readonly number[] {
  return amountsOf(fieldChanges({}, rule)).map(({ is }) => is);
}

/** An amount in major units with its currency, and as it is stored: `50,000.00 CNY (5000000)`. */
export function storedMoneyText(amountMinor: number, currency: string, digits: number): string {
  return `${amountText(amountMinor, currency, () => digits)} ${currency} (${amountMinor})`;
}

/** The digits of a stored rule's currency. */
export function digitsIn(rule: StoredRule | undefined): number {
  const { currency = '', digits } = rule as { currency?: string; digits?: number }; // it was read before
  return digitsOf(currency, digits);
}
