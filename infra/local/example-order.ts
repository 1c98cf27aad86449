import { isLive, type Matched, type Rule } from '../../lib/rule/rule.ts';
import { isRequiring, lackingIn, missingNames } from '../../lib/rule/require.ts';
import { parseRules } from '../../lib/rule-file/rule-list.ts';
import type { RuleFile } from './rule-file.ts';

/** A check that some rule applies to. Amounts are minor units. */
export interface ExampleOrder {
  readonly orderId: string;
  readonly type?: string;
  readonly subjects: Readonly<Record<string, string>>;
  readonly amount: number;
  readonly currency: string;
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
}

/** The check that examples/rules.yaml is shown with. */
export const EXAMPLE_ORDER: ExampleOrder = {
  orderId: 'order-1',
  type: 'PAYMENT',
  subjects: { user: 'u-1', merchant: 'm-1', card: 'c-1' },
  amount: 120_000,
  currency: 'CNY',
};

/** ISO 4217's code for no currency. */
const NO_CURRENCY = 'XXX';
const AMOUNT_MINOR = 100;

/** A check that meets the first rule in force, or else on trial; none where no rule is either. */
export function exampleOrder(stored: RuleFile): ExampleOrder | undefined {
  const rules = parseRules(stored, 'npm start').filter(isLive);
  const rule = rules.find(({ mode }) => mode === 'enforce') ?? rules[0];
  if (rule === undefined) return undefined;
  const matched: Matched = { ...rule.counts.is, ...rule.appliesTo.is };
  const kinds = new Set(rules.flatMap(({ per }) => per));
  const values = Object.entries(matched).flatMap(([name, [value]]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const type = values.find(([name]) => name === 'type')?.[1];
  const attributes = values.filter(([name]) => name !== 'type' && !kinds.has(name));
  const named = values.filter(([name]) => kinds.has(name)).map(([kind, id]) => [kind, String(id)]);
  const order = {
    orderId: 'order-1',
    ...(type === undefined ? {} : { type: String(type) }),
    subjects: {
      ...Object.fromEntries(rule.per.map((kind) => [kind, `${kind}-1`])),
      ...(Object.fromEntries(named) as Readonly<Record<string, string>>), // pairs of texts
    },
    amount: amountUnder(rule),
    currency: rule.currency ?? NO_CURRENCY,
    ...(attributes.length === 0 ? {} : { attributes: Object.fromEntries(attributes) }),
  };
  return withRequired(order, rules, kinds);
}

/** The order with what rules in force require of it and it does not have. */
function withRequired(order: ExampleOrder, rules: readonly Rule[], kinds: ReadonlySet<string>) {
  const { attributes = {}, subjects } = order;
  const asked = { ...order, attributes };
  const missing = missingNames(lackingIn(rules.filter(isRequiring), asked));
  if (missing.length === 0) return order;
  const valuesOf = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, `${name}-1`]));
  const others = missing.filter((name) => name !== 'type' && !kinds.has(name));
  return {
    ...order,
    ...(missing.includes('type') ? { type: 'PAYMENT' } : {}),
    subjects: { ...subjects, ...valuesOf(missing.filter((name) => kinds.has(name))) },
    ...(others.length === 0 ? {} : { attributes: { ...attributes, ...valuesOf(others) } }),
  };
}

function amountUnder({ currency, min, max }: Rule): number {
  if (currency === undefined) return 0;
  return Math.max(min.amountMinor ?? 0, Math.min(AMOUNT_MINOR, max.amountMinor ?? AMOUNT_MINOR));
}
