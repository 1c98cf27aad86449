import { RULES_BYTES_MAX, RULES_MAX, TOGETHER_MAX } from '../shared/bounds.ts';
import type { Mistake } from '../shared/errors.ts';
import { InvalidConfigurationError, InvalidRequestError } from '../shared/errors.ts';
import { present } from '../shared/present.ts';
import type { KeptRule, RuleSet, StoredRule } from './rule-set.ts';
import type { Rule } from '../rule/rule.ts';
import { documentKind, isLive } from '../rule/rule.ts';
import { isCounted } from '../rule/windows/windows.ts';
import type { Path } from '../schema/mistakes.ts';
import { mistakeAt, onePerPlace, ownField } from '../schema/mistakes.ts';
import { isRuleId } from './fields/id.ts';
import { readRule } from './rule-reading.ts';
import { wrongBuckets } from './wrong-buckets.ts';

/** Reads one stored rule; undefined where it is wrong. */
export function readStoredRule(stored: StoredRule): Rule | undefined {
  return readRule(stored, []).rule;
}

type Versioned = Pick<KeptRule, 'rule' | 'version' | 'generation' | 'namedAs'>;
/** A set of rules, without who made them so. */
export type VersionedSet = Pick<RuleSet, 'revision'> & { readonly rules: readonly Versioned[] };

/** Reads stored rules, without those that are wrong. */
export function readableRules({ revision, rules }: VersionedSet): readonly Rule[] {
  return rules.flatMap((kept) => {
    const rule = readStoredRule(kept.rule);
    return rule === undefined ? [] : [ruleInSet(rule, kept, revision)];
  });
}

/** Reads a stored set. @throws InvalidConfigurationError with every mistake */
export function rulesInForce({ revision, rules: kept }: VersionedSet): readonly Rule[] {
  const rules = parseRules(
    kept.map(({ rule }) => rule),
    'the database',
  );
  return rules.map((rule, index) => ruleInSet(rule, kept[index], revision));
}

function ruleInSet(rule: Rule, kept: Versioned | undefined, asOf: number): Rule {
  const { version, generation, namedAs } = kept ?? {};
  return { ...rule, ...present({ version, generation, namedAs }), asOf };
}

/**
 * @param homeKinds as `wrongTogether` has them
 * @throws InvalidRequestError with every mistake of a whole set, under `rules` and the rule's id
 */
export function validateRuleSet(rules: readonly StoredRule[], homeKinds: readonly string[]): void {
  const bytes = Buffer.byteLength(JSON.stringify(rules), 'utf8');
  const value = `${bytes} bytes of JSON`;
  const expected = `at most ${RULES_BYTES_MAX}, all rules together`;
  const { rules: read, mistakes } = readRules(rules);
  const [first, ...more] =
    bytes > RULES_BYTES_MAX
      ? [{ path: 'rules', value, expected }]
      : [...mistakes, ...wrongTogether(read, homeKinds)];
  if (first !== undefined) throw new InvalidRequestError([first, ...more]);
}

/**
 * Names what is wrong with rules that are right one by one. Stored rules are used in spite of it.
 *
 * @param homeKinds kinds whose documents are home, by preference
 */
export function wrongTogether(
  rules: readonly Rule[],
  homeKinds: readonly string[],
): readonly Mistake[] {
  return [...wrongHomes(rules, homeKinds), ...wrongBuckets(rules), ...tooManyTogether(rules)];
}

/** An order is asked about in a document for each list of subjects that have one together, and those have a bound. */
function tooManyTogether(rules: readonly Rule[]): readonly Mistake[] {
  const kinds = new Map<string, string>();
  for (const rule of rules)
    if (isLive(rule) && isCounted(rule.window) && rule.counterparts === 'many') {
      const kind = documentKind(rule);
      if (!kinds.has(kind)) kinds.set(kind, rule.id);
    }
  const [, id] = [...kinds][TOGETHER_MAX] ?? [];
  if (id === undefined) return [];
  const expected = `few: at most ${TOGETHER_MAX} different lists in \`per\` may have many counterparts`;
  return [mistakeAt([`rules[${id}]`, 'counterparts'], 'many', expected)];
}

const NO_EXPIRED_BESIDE = 'no expired beside counterparts: many. Use few';

/**
 * Names live rules that count what expires in documents that are not home to all orders which they count. Shares of
 * attempts that died expire there, too, and were no orders.
 *
 * @param homeKinds kinds whose documents are home, by preference
 */
export function wrongHomes(
  rules: readonly Rule[],
  [first = 'a kind']: readonly string[],
): readonly Mistake[] {
  return rules.filter(isLive).flatMap(({ id, per: [owner], counterparts, outcomes = [] }) => {
    if (!outcomes.includes('expired')) return [];
    if (counterparts === 'many')
      return [mistakeAt([`rules[${id}]`, 'outcome'], outcomes.join(', '), NO_EXPIRED_BESIDE)];
    if (owner === first) return [];
    const expected = `no expired beside a per that begins with ${owner}: begin it with ${first}, the first of HOME_KINDS`;
    return [mistakeAt([`rules[${id}]`, 'outcome'], outcomes.join(', '), expected)];
  });
}

/** Reads rules in the form of a rule file. @throws InvalidConfigurationError with every mistake, and `source` */
export function parseRules(input: unknown, source: string): readonly Rule[] {
  const { rules, mistakes } = readRules(input);
  if (mistakes.length > 0) throw wrongRules(source, mistakes);
  return rules;
}

/** The error for rules of a source. */
export function wrongRules(
  source: string,
  mistakes: readonly Mistake[],
): InvalidConfigurationError {
  return new InvalidConfigurationError(`The rules of ${source} are wrong`, mistakes);
}

/** Reads a list of rules, and names every mistake: under the rule's id, or its index where no id is its own. */
export function readRules(input: unknown): {
  readonly rules: readonly Rule[];
  readonly mistakes: readonly Mistake[];
} {
  if (!Array.isArray(input) || input.length > RULES_MAX)
    return {
      rules: [],
      mistakes: [mistakeAt(['rules'], input, `a list of at most ${RULES_MAX} rules`)],
    };
  const given: readonly unknown[] = input;
  const ids = new Set<unknown>();
  const digits = new Map<string, number | undefined>();
  const mistakes: Mistake[] = [];
  const rules: Rule[] = [];
  for (const [index, each] of given.entries()) {
    const id = ownField(each, 'id');
    const at: Path = isRuleId(id) && !ids.has(id) ? [`rules[${id}]`] : ['rules', index];
    const { rule, mistakes: found } = readRule(each, at);
    if (rule !== undefined) rules.push(rule);
    mistakes.push(...onePerPlace(found), ...otherDigits(rule, digits, at));
    if (ids.has(id) && id !== undefined)
      mistakes.push(mistakeAt([...at, 'id'], id, 'an id that no other rule has'));
    ids.add(id);
  }
  return { rules, mistakes };
}

/** One amount must not read as two. @param digits of each currency, as the first rule of it says */
function otherDigits(
  rule: Rule | undefined,
  digits: Map<string, number | undefined>,
  at: Path,
): readonly Mistake[] {
  const { currency } = rule ?? {};
  if (rule === undefined || currency === undefined) return [];
  if (!digits.has(currency)) digits.set(currency, rule.digits);
  const first = digits.get(currency);
  if (rule.digits === first) return [];
  const expected = `${first ?? 'nothing here'}, as in the other rules of ${currency}`;
  return [mistakeAt([...at, 'digits'], rule.digits, expected)];
}
