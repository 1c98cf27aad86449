import { readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Db } from 'mongodb';
import type { RuleChange } from '../../lib/rule/rule-change.ts';
import type { StoredRule } from '../../lib/rule/rule-set.ts';
import { parseRuleFile } from './rule-file.ts';
import { readVersionedRules } from '../../lib/rule-book/mongo-rule-store.ts';
import { printJson } from '../output.ts';
import type { DatabaseCommand } from '../database-command.ts';
import { numbered } from '../../lib/shared/numbered.ts';
import { CommandError, sayIfEmpty, UsageError } from '../database-command.ts';
import { fileReason } from '../file-reason.ts';
import { HISTORY_MAX, runHistory } from './rules-history.ts';
import { ruleFileText, withRules } from './rules-export.ts';
import type { ImportOptions } from './rules-import.ts';
import { importRules } from './rules-import.ts';
import { rulesBefore } from './rules-undo.ts';

/** Longest wait for the store's answer. */
const TIMEOUT_MS = 5_000;

const USAGE = `npm run rules [-- <command>]

  import <file>         replaces the stored rules by those of a file, which is checked as a whole
  diff <file>           prints what import would change; ends with 1 if anything would
  undo                  stores the rules as they were before the last change; again, it undoes that
  export [--into file]  prints the stored rules as a file; --into writes a file and keeps its comments
  history [id]          prints the last ${HISTORY_MAX} changes of one rule or all; ends with 1 if there never was one
  validate <file>       prints the mistakes of a file; needs no database

import and undo print each change, and warn of names that look mistyped. They need

  --drop                to delete rules that the file leaves out (undo does that by itself)
  --begin-anew          to reset the sum of a rule. A rule keeps its sum if these stay the same:
                        subjects, currency, counts (or match), window and refunds
  --reason, --by        why, and who: Headroom stores both with every change

--json prints JSON, for programs. Only validate has none.

Without a command it exports. With only a file it imports, and with --dry-run it changes nothing.
Functions notice a change within RULES_CACHE_SECONDS (10).`;

function summary(rules: readonly StoredRule[], changes: readonly RuleChange[]): string {
  return `${numbered(rules.length, 'rule')}, ${numbered(changes.length, 'change')}`;
}

/** @param whose rules they are, as the last line says */
async function runStore(
  db: Db,
  rules: readonly StoredRule[],
  whose: string,
  options: ImportOptions,
): Promise<number> {
  const changes = await importRules(db, rules, options);
  const end = options.dryRun ? 'nothing was stored' : `${db.databaseName} has the rules ${whose}`;
  if (!options.json) console.log(`${summary(rules, changes)}; ${end}`);
  return 0;
}

async function runDiff(db: Db, path: string, options: ImportOptions): Promise<number> {
  const rules = readRuleFile(path);
  const changes = await importRules(db, rules, { ...options, dryRun: true });
  if (!options.json) console.log(`${summary(rules, changes)}; nothing was stored`);
  return changes.length === 0 ? 0 : 1;
}

async function runExport(db: Db, into: string | undefined, isJson: boolean): Promise<number> {
  const rules = (await readVersionedRules(db, TIMEOUT_MS)).map(({ rule }) => rule);
  if (rules.length === 0) await sayIfEmpty(db);
  if (isJson) {
    printJson({ rules });
    return 0;
  }
  if (into === undefined) {
    console.log(ruleFileText(rules).trimEnd());
    return 0;
  }
  const text = readText(into);
  parseRuleFile(text, into); // a file with mistakes is left alone
  writeWhole(into, withRules(text, rules));
  console.log(`${numbered(rules.length, 'rule')}; ${into} has the rules of ${db.databaseName}`);
  return 0;
}

/** Writes a file beside it first: a full disk leaves what there was. */
function writeWhole(path: string, text: string): void {
  const file = realpathSync(path);
  const next = `${file}.next`;
  try {
    writeFileSync(next, text, { mode: statSync(file).mode });
    renameSync(next, file);
  } catch (error) {
    rmSync(next, { force: true });
    throw new CommandError(`Nothing was done: ${path} cannot be written: ${fileReason(error)}.`);
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandError(`Nothing was done: ${path} cannot be read: ${fileReason(error)}.`);
  }
}

/** @throws CommandError where it cannot be read or is empty, InvalidConfigurationError with every mistake in it */
function readRuleFile(path: string): readonly StoredRule[] {
  const rules = parseRuleFile(readText(path), path);
  if (rules.length > 0) return rules;
  throw new CommandError(
    `Nothing was done: ${path} has no rule. Without a rule, Headroom refuses every order, or none.`,
  );
}

const OPTIONS = {
  'dry-run': { type: 'boolean', default: false },
  drop: { type: 'boolean', default: false },
  'begin-anew': { type: 'boolean', default: false },
  reason: { type: 'string' },
  by: { type: 'string' },
  into: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

const COMMANDS = ['import', 'diff', 'undo', 'export', 'history'] as const;

/** `headroom rules`. */
export const rulesCommand: DatabaseCommand = {
  usage: USAGE,
  notDone: 'Nothing was done',
  read(parameters) {
    const { values, positionals } = parseArgs({
      args: [...parameters],
      allowPositionals: true,
      options: OPTIONS,
    });
    const named = COMMANDS.find((name) => name === positionals[0]);
    const [path, surplus] = named === undefined ? positionals : positionals.slice(1);
    const command = named ?? (path === undefined ? 'export' : 'import');
    if (surplus !== undefined) throw new UsageError(`"${surplus}" is one file too many.`);
    const { 'dry-run': dryRun, drop, 'begin-anew': beginAnew, json, reason, by, into } = values;
    const options = {
      ...{ dryRun, drop, beginAnew, json },
      ...(reason === undefined ? {} : { reason }),
      ...(by === undefined ? {} : { by }),
    };
    if (command === 'history') return (db) => runHistory(db, path, json);
    if (command === 'undo')
      return async (db) =>
        runStore(db, await rulesBefore(db), 'from before the last change', {
          ...options,
          drop: true,
        });
    if (command === 'export' && path !== undefined)
      throw new UsageError(`"${path}" is one word too many; export --into ${path}?`);
    if (command === 'export' && dryRun) throw new UsageError('--dry-run of which file?');
    if (json && into !== undefined) throw new UsageError('--json or --into, not both.');
    if (command === 'export') return (db) => runExport(db, into, json);
    if (path === undefined) throw new UsageError(`${command} which file?`);
    return (db) =>
      command === 'diff'
        ? runDiff(db, path, options)
        : runStore(db, readRuleFile(path), 'of the file', options);
  },
};
