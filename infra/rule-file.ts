import { LineCounter, parseDocument } from 'yaml';
import * as z from 'zod/mini';
import { SHOWN_PATH_LENGTH_MAX } from '../lib/shared/bounds.ts';
import type { Mistake } from '../lib/shared/errors.ts';
import { InvalidConfigurationError } from '../lib/shared/errors.ts';
import type { StoredRule } from '../lib/rules/rule-set.ts';
import { mistakesOf, shorten } from '../lib/http/mistakes.ts';
import { parseRules, wrongRules } from '../lib/rules/file/rule-list.ts';

/** Characters of a rule file: RULES_MAX rules of a kilobyte each, and as much commentary. */
const FILE_LENGTH_MAX = 2_097_152;

/** How often a file may repeat parts by reference; beyond, a small file could unfold without end. */
const ALIASES_MAX = 100;

const schema = z.strictObject(
  { rules: z.array(z.custom<StoredRule>(), { error: 'a list of rules' }) },
  { error: 'an object with the one field rules' },
);

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
  parseRules(result.data.rules, source);
  return result.data.rules; // each has an id now
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
