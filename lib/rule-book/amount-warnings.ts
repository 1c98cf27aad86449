import type { FieldChange } from '../rule/field-changes.ts';
import { fieldChanges, isObject } from '../rule/field-changes.ts';
import type { RuleChange } from '../rule/rule-change.ts';
import type { StoredRule } from '../rule/rule-set.ts';
import { amountText, digitsOf } from '../shared/currency.ts';

/** Round amounts below so many major units are most likely major units themselves. */
const MAJOR_LIKE_MAX = 100;

/** Warns of maxima that look like major units: amounts are minor ones. */
export function amountWarnings({
  id,
  before,
  after,
}: Pick<RuleChange, 'id' | 'before' | 'after'>): readonly string[] {
  const currency = after?.currency;
  if (after === undefined || typeof currency !== 'string') return [];
  const digits = digitsIn(after);
  const factor = 10 ** digits;
  if (factor === 1) return [];
  return amountsOf(fieldChanges(before ?? {}, after)).flatMap(({ path, was, is }) => {
    const isHundredth = was !== undefined && is > 0 && was === is * factor;
    const isRound = is > 0 && is < MAJOR_LIKE_MAX * factor && is % 10 === 0;
    if (!isHundredth && !isRound) return [];
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
      return [{ path, is: after, ...(typeof before === 'number' ? { was: before } : {}) }];
    if (!isObject(after)) return [];
    const inside =
      path === 'max'
        ? Object.entries(after).filter(([name]) => name === 'amount')
        : Object.entries(after);
    return inside.flatMap(([name, value]) =>
      amountsOf([{ path: `${path}.${name}`, after: value as unknown }]),
    );
  });
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
