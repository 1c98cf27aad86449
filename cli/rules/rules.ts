import { isDeepStrictEqual } from 'node:util';
import { readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { Db } from 'mongodb';
import type { RuleChange } from '../../lib/changes/rule-change.ts';
import type { StoredRule } from '../../lib/rule-file/rule-set.ts';
import type { AboutPack } from './packs.ts';
import { readPack } from './packs.ts';
import { parseRuleFile } from './rule-file.ts';
import { readVersionedRules } from '../../lib/rule-book/mongo-rule-store.ts';
import { DONE, FOUND } from '../exit-codes.ts';
import { printJson } from '../output.ts';
import { numbered } from '../../lib/shared/numbered.ts';
import { CommandError, UsageError } from '../command-error.ts';
import { sayIfEmpty } from '../database-command.ts';
import { fileReason } from '../file-reason.ts';
import { ruleFileText, withRules } from './rules-export.ts';
import { importRules, type RulesToStore, type StoreOptions } from './rules-import.ts';
import { rulesBefore } from './rules-undo.ts';

/** Longest wait for the store's answer. */
const TIMEOUT_MS = 5_000;

export type { StoreOptions } from './rules-import.ts';
export { printHistory } from './rules-history.ts';

/** Where the stored rules are printed to. */
export type ExportOptions = { readonly into?: string; readonly json?: boolean };

function summary(rules: readonly StoredRule[], changes: readonly RuleChange[]): string {
  return `${numbered(rules.length, 'rule')}, ${numbered(changes.length, 'change')}`;
}

/** @param whose rules they are, as the last line says */
async function store(
  db: Db,
  rulesOf: RulesToStore,
  whose: string,
  options: StoreOptions,
): Promise<readonly RuleChange[]> {
  const { dryRun = false, json = false } = options;
  const { rules, changes } = await importRules(db, rulesOf, options);
  const end = dryRun ? 'nothing was stored' : `${db.databaseName} has the rules ${whose}`;
  if (!json) console.log(`${summary(rules, changes)}; ${end}`);
  return changes;
}

/** Stores the rules of a file in place of those that are stored. */
export async function importFile(db: Db, path: string, options: StoreOptions): Promise<number> {
  const rules = readRuleFile(path);
  await store(db, () => rules, 'of the file', options);
  return DONE;
}

/** Stores the rules of a pack beside those that are stored. */
export async function importPack(db: Db, name: string, options: StoreOptions): Promise<number> {
  const { about, rules } = readPack(name);
  if (options.json !== true) console.log(aboutText(about));
  const beside: RulesToStore = (kept) => {
    const others = kept.filter(({ id }) => rules.every((rule) => rule.id !== id));
    const known = kept.filter((rule) => !others.includes(rule));
    const [other] = known.filter((rule) => !rules.some((one) => isDeepStrictEqual(one, rule)));
    if (other !== undefined && options.drop !== true)
      throw new CommandError(
        `Nothing was done: another rule is stored as ${other.id}; add --drop to put that of the pack in its place.`,
      );
    return [...others, ...rules];
  };
  await store(db, beside, `of the pack ${name}, too`, options);
  return DONE;
}

function aboutText({ title, sources, leavesOut }: AboutPack): string {
  return [
    title.en ?? '',
    ...sources.map(({ text, read, on }) => `  from ${text}; ${READ[read]}, ${on}`),
    ...leavesOut.map((one) => `  left out: ${one}`),
    'This is no legal advice: read the sources, and change what does not fit you.\n',
  ].join('\n');
}

const READ = {
  official: 'read in the official text',
  press: 'read in the press alone',
  provider: 'read at a provider alone',
} as const;

/** Says what storing the rules of a file would change. @returns 1 where it would change something */
export async function diffFile(db: Db, path: string, options: StoreOptions): Promise<number> {
  const rules = readRuleFile(path);
  const changes = await store(db, () => rules, '', { ...options, dryRun: true });
  return changes.length === 0 ? DONE : FOUND;
}

/** Stores the rules as they were before the last change. */
export async function undoRules(db: Db, options: StoreOptions): Promise<number> {
  const undone = { ...options, drop: true };
  const rules = await rulesBefore(db);
  await store(db, () => rules, 'from before the last change', undone);
  return DONE;
}

/** Prints the stored rules as a file, or writes them into one. */
export async function exportRules(db: Db, { into, json = false }: ExportOptions): Promise<number> {
  if (json && into !== undefined) throw new UsageError('--json or --into, not both.');
  const rules = (await readVersionedRules(db, TIMEOUT_MS)).rules.map(({ rule }) => rule);
  if (rules.length === 0) await sayIfEmpty(db);
  if (json) printJson({ rules });
  else if (into === undefined) console.log(ruleFileText(rules).trimEnd());
  else {
    const text = readText(into);
    parseRuleFile(text, into); // a file with mistakes is left alone
    writeWhole(into, withRules(text, rules));
    console.log(`${numbered(rules.length, 'rule')}; ${into} has the rules of ${db.databaseName}`);
  }
  return DONE;
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
