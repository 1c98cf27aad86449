import { readFileSync } from 'node:fs';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import type { Db } from 'mongodb';
import { stringify } from 'yaml';
import { counterKey } from '../lib/domain/counter.ts';
import { readRule } from '../lib/edge/rule.ts';
import type { StoredRule } from '../lib/edge/rule-file.ts';
import { parseRuleFile } from '../lib/edge/rule-file.ts';
import { readRules, replaceRules } from '../lib/store/rules.ts';
import type { DatabaseCommand } from './database-command.ts';
import { CommandError, numbered, UsageError } from './database-command.ts';

/** Longest wait for the store's answer. */
const TIMEOUT_MS = 5_000;

const USAGE = `npm run rules [-- rules.yaml [--dry-run]]

Stores the rules of a file, checked as a whole, in place of those that are stored, and says what that
changes. Without a file it prints the rules that are stored, as a file.

  --dry-run  only says what would change

Functions notice within RULES_CACHE_SECONDS (10). A rule keeps what was used while its subjects,
currency, counts (or match), window and refunds stay as they are; otherwise it counts anew, from zero.`;

/** What becomes of a rule when a file takes the place of what is stored. */
type Change = 'added' | 'changed' | 'changed, and counts anew' | 'taken away';

function changesBetween(
  stored: readonly StoredRule[],
  given: readonly StoredRule[],
): ReadonlyMap<string, Change> {
  const before = new Map(stored.map((rule) => [rule.id, rule]));
  const after = new Map(given.map((rule) => [rule.id, rule]));
  const changes = new Map<string, Change>();
  for (const [id, rule] of after)
    if (!before.has(id)) changes.set(id, 'added');
    else if (!isDeepStrictEqual(before.get(id), rule))
      changes.set(
        id,
        counterOf(before.get(id)) === counterOf(rule) ? 'changed' : 'changed, and counts anew',
      );
  for (const id of before.keys()) if (!after.has(id)) changes.set(id, 'taken away');
  return changes;
}

/** What a rule counts, whoever for; undefined for a rule that cannot be read, or counts nothing. */
function counterOf(stored: StoredRule | undefined): string | undefined {
  const reading = readRule(stored, []);
  if (reading.kind === 'wrong' || reading.rule.window.kind === 'transaction') return undefined;
  return counterKey(reading.rule, Object.fromEntries(reading.rule.per.map((kind) => [kind, ''])));
}

/** Stores rules in place of what is stored, or only says what that would change. */
async function store(db: Db, given: readonly StoredRule[], dryRun: boolean): Promise<number> {
  const changes = changesBetween(await readRules(db, TIMEOUT_MS), given);
  if (!dryRun) await replaceRules(db, given);
  for (const [id, change] of changes) console.log(`${id}: ${change}`);
  const of = `${numbered(given.length, 'rule')}, ${numbered(changes.size, 'change')}`;
  console.log(
    dryRun ? `${of}; nothing was stored` : `${of}; ${db.databaseName} has the rules of the file`,
  );
  return 0;
}

async function print(db: Db): Promise<number> {
  process.stdout.write(stringify({ rules: await readRules(db, TIMEOUT_MS) }));
  return 0;
}

/** @throws CommandError where it cannot be read or is empty, InvalidConfigurationError with every mistake in it */
function readRuleFile(path: string): readonly StoredRule[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown';
    throw new CommandError(`Nothing was done: the rule file cannot be read: ${reason}`);
  }
  const rules = parseRuleFile(text, path);
  if (rules.length > 0) return rules;
  throw new CommandError(
    `Nothing was done: ${path} has no rule, and where there is none every transaction is allowed.`,
  );
}

/** `headroom rules`. */
export const rulesCommand: DatabaseCommand = {
  usage: USAGE,
  notDone: 'Nothing was done',
  read(parameters) {
    const { values, positionals } = parseArgs({
      args: [...parameters],
      allowPositionals: true,
      options: { 'dry-run': { type: 'boolean', default: false } },
    });
    const [path, surplus] = positionals;
    if (surplus !== undefined) throw new UsageError(`"${surplus}" is one file too many.`);
    if (path === undefined && values['dry-run']) throw new UsageError('--dry-run of which file?');
    if (path === undefined) return print;
    const rules = readRuleFile(path);
    return (db) => store(db, rules, values['dry-run']);
  },
};
