import { LineCounter, parseDocument } from 'yaml';
import * as z from 'zod/mini';
import { DIGITS_MAX, SHOWN_PATH_LENGTH_MAX } from '../../lib/shared/bounds.ts';
import { isoDigits } from '../../lib/shared/currency.ts';
import { InvalidConfigurationError, type Mistake } from '../../lib/shared/errors.ts';
import type { StoredRule } from '../../lib/rule-file/rule-set.ts';
import { currencyCode, wholeNumber } from '../../lib/schema/fields.ts';
import { mistakeAt, mistakesOf, ownField, shorten } from '../../lib/schema/mistakes.ts';
import { parseRules, wrongRules, wrongTogether } from '../../lib/rule-file/rule-list.ts';

/** Characters of a rule file: RULES_MAX rules of a kilobyte each, and as much commentary. */
const FILE_LENGTH_MAX = 2_097_152;

/** How often a file may repeat parts by reference; beyond, a small file could unfold without end. */
const ALIASES_MAX = 100;

const CURRENCIES_EXPECTED =
  'an object of currencies, each with its digits: { USDT: { digits: 6 } }';
const schema = z.strictObject(
  {
    currencies: z.optional(
      z.record(
        currencyCode(''),
        z.strictObject({ digits: wholeNumber(0, DIGITS_MAX) }, { error: CURRENCIES_EXPECTED }),
        { error: CURRENCIES_EXPECTED },
      ),
    ),
    /** Where the rules come from: see packs.ts. It is not stored. */
    pack: z.optional(z.looseObject({}, { error: 'an object' })),
    rules: z.array(z.custom<StoredRule>(), { error: 'a list of rules' }),
  },
  { error: 'an object with the field rules, and perhaps currencies and pack' },
);
type File = z.infer<typeof schema>;

/**
 * Reads a rule file, YAML or JSON, as a whole.
 *
 * The YAML is version 1.2, whatever the file says of itself: `no` is a text there, and so are dates
 * and times of day.
 *
 * @param source the file's name, for the list of mistakes
 * @returns the rules as they are stored
 * @throws InvalidConfigurationError with every mistake up to MISTAKES_MAX, each with its rule and field,
 *   and how many more there are
 */
export function parseRuleFile(text: string, source: string): readonly StoredRule[] {
  const content = readYaml(text, source);
  const result = schema.safeParse(content);
  if (!result.success) throw wrongRules(source, mistakesOf(result.error, content));
  const wrong = wrongCurrencies(result.data);
  if (wrong.length > 0) throw wrongRules(source, wrong);
  const rules = withDigits(result.data);
  parseRules(rules, source);
  return rules; // each has an id now
}

/** Reads a rule file, as `parseRuleFile` does, and rules that cannot stand together are mistakes, too. */
export function parseCheckedRules(
  text: string,
  source: string,
  homeKinds: readonly string[],
): readonly StoredRule[] {
  const rules = parseRuleFile(text, source);
  const mistakes = wrongTogether(parseRules(rules, source), homeKinds);
  if (mistakes.length > 0) throw wrongRules(source, mistakes);
  return rules;
}

/** A currency whose digits nobody would use is mistyped; one of ISO 4217 has its own. */
function wrongCurrencies({ currencies = {}, rules }: File): readonly Mistake[] {
  const used = new Set(rules.map((rule) => ownField(rule, 'currency')));
  const unused = Object.entries(currencies).flatMap(([code, { digits }]) => {
    const known = isoDigits(code);
    if (known === undefined && used.has(code)) return [];
    const why = known === undefined ? 'no rule has this currency' : `ISO 4217 says ${known}`;
    return [mistakeAt(['currencies', code, 'digits'], digits, `nothing here: ${why}`)];
  });
  const others = rules.flatMap((rule, index) => {
    const [digits, known] = [ownField(rule, 'digits'), digitsIn(currencies, rule)];
    if (digits === undefined || known === undefined || digits === known) return [];
    return [mistakeAt(['rules', index, 'digits'], digits, `${known}, as currencies says`)];
  });
  return [...unused, ...others];
}

function digitsIn(currencies: NonNullable<File['currencies']>, rule: unknown): number | undefined {
  const code = ownField(rule, 'currency');
  const isSaid = typeof code === 'string' && Object.hasOwn(currencies, code);
  return isSaid ? currencies[code]?.digits : undefined;
}

/** A stored rule says the digits of its currency itself: it is looked at, and changed, alone. */
function withDigits({ currencies = {}, rules }: File): readonly StoredRule[] {
  return rules.map((rule) => {
    const digits = digitsIn(currencies, rule);
    return digits === undefined ? rule : { ...rule, digits };
  });
}

/** Writes stored rules as a file has them, with the digits of each currency once. */
export function ruleFileOf(stored: readonly StoredRule[]): File {
  const said = stored.flatMap(({ currency, digits }) =>
    typeof currency === 'string' && typeof digits === 'number'
      ? [[currency, { digits }] as const]
      : [],
  );
  const rules = stored.map(({ digits: _digits, ...rule }) => rule);
  return said.length === 0 ? { rules } : { currencies: Object.fromEntries(said), rules };
}

function readYaml(text: string, source: string): unknown {
  if (text.length > FILE_LENGTH_MAX)
    throw wrongRules(source, [
      { path: '', value: `${text.length} characters`, expected: `at most ${FILE_LENGTH_MAX}` },
    ]);
  try {
    const lineCounter = new LineCounter();
    const document = parseDocument(text, { schema: 'core', lineCounter, prettyErrors: false });
    const problems = [...document.errors, ...document.warnings];
    if (problems.length === 0) return document.toJS({ maxAliasCount: ALIASES_MAX });
    throw wrongRules(
      source,
      problems.map(({ pos, message }) => {
        const { line, col } = lineCounter.linePos(pos[0]);
        return notYaml(`line ${line}, column ${col}`, message);
      }),
    );
  } catch (error) {
    if (error instanceof InvalidConfigurationError) throw error;
    throw wrongRules(source, [notYaml('', error instanceof Error ? error.message : 'unreadable')]);
  }
}

function notYaml(path: string, message: string): Mistake {
  return {
    path,
    value: `no YAML (${shorten(message, SHOWN_PATH_LENGTH_MAX)})`,
    expected: 'YAML or JSON',
  };
}
