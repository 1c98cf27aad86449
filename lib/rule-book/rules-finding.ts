import { measureOf } from '../rule/measures/measures.ts';
import { isIso } from '../shared/currency.ts';
import { numbered } from '../shared/numbered.ts';
import { mostLike } from '../shared/similar.ts';
import type { OnNoRule } from '../plan/plan.ts';
import type { Found } from '../../contract/finding.ts';
import { fault, ok, warning } from '../../contract/finding.ts';
import type { Rule, Scope } from '../rule/rule.ts';
import { isLive, mayRefuse, limitsAmount } from '../rule/rule.ts';
import type { RuleSet } from '../rule-file/rule-set.ts';
import { namesIn } from '../rule/known-kinds.ts';
import { readRules } from '../rule-file/rule-list.ts';
import { sinceOf } from '../rule/windows/windows.ts';
import { closedSentences } from './closed-finding.ts';
import { timesSentences } from './times-finding.ts';

/** Finds how a set of rules is: whether it can be read, and what it limits. */
export function rulesFinding(
  { revision, rules: kept }: Pick<RuleSet, 'revision' | 'rules'>,
  { onNoRule }: { readonly onNoRule: OnNoRule },
  now: Date,
): Found {
  if (kept.length === 0)
    return fault(
      'none: every check is refused (ON_NO_RULE=refuse), or passes without any limit',
      'headroom rules rules.yaml stores some',
    );
  const { rules, mistakes } = readRules(kept.map(({ rule }) => rule));
  const [first, ...more] = mistakes;
  if (first !== undefined) {
    const is = first.value === undefined ? 'is missing' : `is ${first.value}`;
    return fault(
      `not to be read: ${first.path} ${is}${more.length > 0 ? `, and ${more.length} more` : ''}`,
      'store them again (headroom rules rules.yaml): checks are INTERNAL until then',
    );
  }
  const inForce = rules.filter(({ mode }) => mode === 'enforce').length;
  const isLimiting = rules.some(mayRefuse);
  const onTrial = rules.filter(({ mode }) => mode === 'shadow').length;
  const says = `${numbered(inForce, 'rule')} in force, ${onTrial} on trial, at revision ${revision}`;
  if (!isLimiting) return warning(says, 'take one in force: nothing is refused');
  const warnings = onNoRule === 'refuse' ? currencyWarnings(rules, now) : [];
  if (warnings.length === 0) return ok(says);
  return warning(
    [says, ...warnings.map((each) => each.says)].join('; '),
    warnings.map(({ todo }) => todo).join('; '),
  );
}

/** A type of payment: one that rules name, or any of those that none names. */
type PaymentType = string | typeof UNNAMED;
const UNNAMED = Symbol('a type that no rule names');

// As British English has it: without a comma before the last.
const AND = new Intl.ListFormat('en-GB', { type: 'conjunction' });
const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' });

type CurrencyWarning = { readonly says: string; readonly todo: string };

/**
 * Warns of payments that a rule without currency allows, and whose amount no rule limits. It says nothing of
 * a type whose amount no rule limits in any currency: there numbers alone are meant to be limited.
 */
function currencyWarnings(rules: readonly Rule[], now: Date): readonly CurrencyWarning[] {
  const inUse = rules.filter((rule) => isLive(rule) && (rule.to === undefined || now < rule.to));
  const named = inUse
    .flatMap(({ counts, appliesTo }) => [counts.is, counts.not, appliesTo.is, appliesTo.not])
    .flatMap(({ type = [] }) => type.map(String));
  const types: readonly PaymentType[] = [...new Set(named), UNNAMED];
  const found = new Map<string, { readonly priced: string; readonly types: PaymentType[] }>();
  for (const type of types) {
    const applying = inUse.filter((rule) => appliesToType(rule, type));
    const unpriced = applying.filter(({ currency }) => currency === undefined);
    const ids = unpriced.map(({ id }) => id);
    const priced = unpriced
      .filter((rule) => measureOf(rule).others === undefined)
      .map(({ id }) => id);
    const limiting = applying.filter(limitsAmount);
    const currencies = [...new Set(limiting.flatMap(({ currency }) => currency ?? []))].sort();
    if (ids.length === 0 || currencies.length === 0) continue;
    const open = AND.format(ids.sort());
    const applies = ids.length === 1 ? 'applies' : 'apply';
    const why = `in a currency other than ${AND.format(currencies)} has no limit on its amount: ${open} ${applies} to every currency, so ON_NO_RULE=refuse allows it`;
    found.set(why, {
      priced: AND.format(priced.sort()),
      types: [...(found.get(why)?.types ?? []), type],
    });
  }
  return [...found].map(([why, { priced, types: concerned }]) => ({
    says: `${paymentName(concerned, types)} ${why}`,
    // Different values have no currency.
    todo: `${priced === '' ? '' : `give ${priced} a currency, or `}set ON_NO_RULE=refuse-unlimited`,
  }));
}

/** The warnings as sentences, each with what to do. */
export function currencySentences(rules: readonly Rule[], now: Date): readonly string[] {
  return currencyWarnings(rules, now).map(({ says, todo }) => `${says}; ${todo}`);
}

/**
 * What may be meant otherwise in a rule set at an instant, a sentence each, with what to do.
 *
 * @param isFirst whether no rule is stored yet
 */
export function ruleSentences(
  rules: readonly Rule[],
  { at, isFirst }: { readonly at: Date; readonly isFirst: boolean },
): readonly string[] {
  return [
    ...isoSentences(rules),
    ...attributeSentences(rules, isFirst),
    ...timesSentences(rules, { at, isFirst }),
    ...closedSentences(rules, at),
    ...currencySentences(rules, at),
  ];
}

/** What people call currencies whose code is another one. */
const CALLED: Readonly<Record<string, string>> = { RMB: 'CNY', CNH: 'CNY', NTD: 'TWD', UKP: 'GBP' };

/** Warns of currencies that ISO 4217 does not have and whose digits nobody said: payments have another code, most likely. */
function isoSentences(rules: readonly Rule[]): readonly string[] {
  return rules.flatMap(({ id, currency, digits }) => {
    if (currency === undefined || digits !== undefined || isIso(currency)) return [];
    const like = CALLED[currency];
    const todo = like === undefined ? 'Is it mistyped?' : `Did you mean ${like}?`;
    return [
      `${id}: ISO 4217 has no currency ${currency}. ${todo} If it is a code of your own, say its \`digits\`.`,
    ];
  });
}

/**
 * Warns of attributes that one rule alone has, and by which it limits less: a payment without such an
 * attribute passes, and so does every payment where the name is mistyped. A rule that requires the name is asked
 * of neither. A first set is warned of those alone that look like another name.
 */
function attributeSentences(rules: readonly Rule[], isFirst: boolean): readonly string[] {
  const kinds = new Set(rules.flatMap(({ per }) => per));
  return rules.filter(isLive).flatMap((rule) => {
    const since = sinceOf(rule.window);
    const matched = [
      ...[rule.counts, rule.appliesTo].flatMap(({ is }) => Object.keys(is)),
      ...(since === undefined ? [] : [since.attribute]),
    ];
    const others = new Set(rules.filter(({ id }) => id !== rule.id).flatMap(namesIn));
    return [...new Set(matched)]
      .filter((name) => !['type', 'proof'].includes(name))
      .filter((name) => !kinds.has(name) && !others.has(name))
      .filter((name) => rule.require?.includes(name) !== true)
      .filter((name) => !isFirst || mostLike(name, [...kinds, ...others]) !== undefined)
      .map(
        (name) =>
          `${rule.id}: no other rule has the attribute ${JSON.stringify(name)}. ${rule.id} does not limit a payment without it: is it mistyped, and do all payments have it? \`require\` refuses those that do not.`,
      );
  });
}

function paymentName(concerned: readonly PaymentType[], all: readonly PaymentType[]): string {
  if (concerned.length === all.length) return 'a payment';
  const named = concerned.filter((type) => typeof type === 'string').sort();
  const rest = concerned.includes(UNNAMED) ? ['a payment of any other type'] : [];
  return OR.format([...named, ...rest]);
}

function appliesToType({ counts, appliesTo }: Rule, type: PaymentType): boolean {
  const among = (types: Scope['is'][string]): boolean =>
    typeof type === 'string' && types.includes(type);
  return [counts, appliesTo].every(
    ({ is, not }) =>
      (is.type === undefined || among(is.type)) && !(not.type !== undefined && among(not.type)),
  );
}
