import { isDeepStrictEqual } from 'node:util';
import type { RuleChange } from '../../lib/rule/rule-change.ts';
import type { StoredRule } from '../../lib/rule/rule-set.ts';
import { changeSentence } from '../../lib/rule-book/rules-answer.ts';
import { digitsOf } from '../../lib/shared/currency.ts';
import { amountText } from '../money.ts';

/** One field of a rule that is another: `max.amount`, with what it was and what it is. */
export type FieldChange = {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
};

/** Fields that two forms of a rule do not share, as deep as both are objects. */
export function fieldChanges(before: object, after: object, path = ''): readonly FieldChange[] {
  const were = new Map<string, unknown>(Object.entries(before));
  const are = new Map<string, unknown>(Object.entries(after));
  return [...new Set([...were.keys(), ...are.keys()])].flatMap((name): readonly FieldChange[] => {
    const at = path === '' ? name : `${path}.${name}`;
    const was = were.get(name);
    const is = are.get(name);
    if (isDeepStrictEqual(was, is)) return [];
    if (isObject(was) && isObject(is)) return fieldChanges(was, is, at);
    return [{ path: at, before: was, after: is }];
  });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Says what becomes of one rule: a line for it, one for each field, and what it means for its counter. */
export function changeLines(change: RuleChange): readonly string[] {
  return toldLines({ ...change, says: changeSentence(change) });
}

/** The subjects whose own maxima a change concerns, a line each. */
export function ownerLines({ owners }: RuleChange): readonly string[] {
  return (owners?.documents ?? []).map((document) => `    ${document}`);
}

/** The lines of a change, with what it means for the sum of the rule. */
export function toldLines({
  id,
  kind,
  before,
  after,
  says,
}: Pick<RuleChange, 'id' | 'kind' | 'before' | 'after'> & {
  readonly says: string;
}): readonly string[] {
  const fields = fieldChanges(before ?? { id }, after ?? { id });
  const lines = fields.map((field) => {
    const was = valueText(field.path, field.before, before);
    const is = valueText(field.path, field.after, after);
    if (field.before === undefined) return `${field.path}: ${is}`;
    return field.after === undefined
      ? `${field.path}: ${was} → nothing`
      : `${field.path}: ${was} → ${is}`;
  });
  const shown = kind === 'deleted' ? [] : lines;
  return [`${id}: ${kind}`, ...[...shown, says].map((line) => `  ${line}`)];
}

function valueText(path: string, value: unknown, rule: StoredRule | undefined): string {
  if (value === undefined) return 'nothing';
  const currency = rule?.currency;
  const isAmount = /^(max|min)\.amount(\.|$)/.test(path);
  if (isAmount && typeof value === 'number' && typeof currency === 'string')
    return moneyText(value, currency, digitsIn(rule));
  if (/^(max|min)$/.test(path) && isObject(value))
    return Object.entries(value)
      .map(([name, each]) => `${name} ${valueText(`${path}.${name}`, each, rule)}`)
      .join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** An amount in major units with its currency, and as it is stored: `50,000.00 CNY (5000000)`. */
function moneyText(amountMinor: number, currency: string, digits: number): string {
  return `${amountText(amountMinor, currency, () => digits)} ${currency} (${amountMinor})`;
}

/** The digits of a stored rule's currency. */
function digitsIn(rule: StoredRule | undefined): number {
  const { currency = '', digits } = rule as { currency?: string; digits?: number }; // it was read before
  return digitsOf(currency, digits);
}

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
    const meant = moneyText(is * factor, currency, digits);
    return [
      `${id}: ${path} is ${moneyText(is, currency, digits)}. Amounts are minor units. Did you mean ${meant}?`,
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
