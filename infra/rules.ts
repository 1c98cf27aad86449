import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Db } from 'mongodb';
import { ruleBookOn } from '../functions/rule-book.ts';
import { actorText } from '../lib/domain/actor.ts';
import type { RuleChange } from '../lib/domain/rule-change.ts';
import type { RuleVersion } from '../lib/domain/rule-set.ts';
import type { StoredRule } from '../lib/edge/rule-file.ts';
import { parseRuleFile } from '../lib/edge/rule-file.ts';
import { readFourEyes } from '../lib/edge/settings.ts';
import { mongoRuleStore, readRules } from '../lib/store/rules.ts';
import { visible } from './cli/output.ts';
import { waitingText } from './cli/waiting-text.ts';
import { commandActor, refuseUnkept } from './command-actor.ts';
import type { DatabaseCommand } from './database-command.ts';
import { CommandError, numbered, UsageError } from './database-command.ts';
import { amountWarnings, changeLines, fieldChanges } from './rules-difference.ts';
import { ruleFileText, withRules } from './rules-export.ts';
import { nameWarnings } from './rules-names.ts';

/** Longest wait for the store's answer. */
const TIMEOUT_MS = 5_000;

/** Changes that history tells at most. */
const HISTORY_MAX = 100;

const USAGE = `npm run rules [-- <command>]

  import <file>         stores the rules of a file, checked as a whole, in place of those that are stored
  diff <file>           only says what that would change; ends with 1 where something would
  export [--into file]  prints the rules that are stored, as a file; into one, whose comments stay
  history [id]          the last ${HISTORY_MAX} changes, of one rule or of all

import says each change with what it was and what it is, and warns of what looks mistyped. It needs

  --drop                to delete rules that the file has not
  --begin-anew          to let a rule count anew, from zero; a rule keeps what was used while its
                        subjects, currency, counts (or match), window and refunds stay as they are
  --reason, --by        why, and who: kept with every change

Without a command: export; with a file alone: import, and with --dry-run a look at what it would do.
Functions notice within RULES_CACHE_SECONDS (10).`;

/** What import is told beside its file. */
type ImportOptions = {
  readonly dryRun: boolean;
  readonly drop: boolean;
  readonly beginAnew: boolean;
  readonly reason?: string;
  readonly by?: string;
};

/** Stores rules in place of what is stored, or only says what that would change. */
async function importRules(
  db: Db,
  rules: readonly StoredRule[],
  options: ImportOptions,
): Promise<readonly RuleChange[]> {
  const book = ruleBookOn(db, TIMEOUT_MS, readFourEyes(process.env));
  const { revision, rules: kept } = await book.read();
  const condition =
    revision === 0
      ? ({ kind: 'absent' } as const)
      : ({ kind: 'versions', versions: [revision] } as const);
  const edit = { kind: 'replace', rules, condition } as const;
  const { reason } = options;
  refuseUnkept('--reason', reason);
  const author = {
    at: new Date(),
    by: commandActor(options.by),
    ...(reason === undefined ? {} : { reason }),
  };
  const { changes } = await book.change(edit, author, { dryRun: true });
  for (const line of changes.flatMap(changeLines)) console.log(visible(line));
  const before = kept.map(({ rule }) => rule);
  const changed = changes.flatMap(({ after }) => after ?? []);
  const warnings = [
    ...changes.flatMap(amountWarnings),
    ...(await nameWarnings(db, changed, rules, before)),
  ];
  for (const warning of warnings) console.log(visible(`Warning: ${warning}`));
  if (options.dryRun) return changes;
  refuseUnmeant(changes, options);
  if (changes.length === 0) return changes;
  const { proposed } = await book.change(edit, author);
  if (proposed !== undefined)
    throw new CommandError(waitingText({ id: proposed.id, until: proposed.until.toISOString() }));
  return changes;
}

/** @throws CommandError where rules would go, or count anew, and nobody said that they may */
function refuseUnmeant(changes: readonly RuleChange[], { drop, beginAnew }: ImportOptions): void {
  const idsOf = (which: (change: RuleChange) => boolean): string =>
    changes
      .filter(which)
      .map(({ id }) => id)
      .join(', ');
  const dropped = drop ? '' : idsOf(({ kind }) => kind === 'deleted');
  const anew = beginAnew ? '' : idsOf(({ counter }) => counter === 'anew');
  if (dropped + anew === '') return;
  const needed = [
    ...(dropped === '' ? [] : [`--drop to delete ${dropped}`]),
    ...(anew === '' ? [] : [`--begin-anew to let ${anew} count anew`]),
  ];
  throw new CommandError(`Nothing was done: it needs ${needed.join(', and ')}.`);
}

function summary(rules: readonly StoredRule[], changes: readonly RuleChange[]): string {
  return `${numbered(rules.length, 'rule')}, ${numbered(changes.length, 'change')}`;
}

async function runImport(db: Db, path: string, options: ImportOptions): Promise<number> {
  const rules = readRuleFile(path);
  const changes = await importRules(db, rules, options);
  const end = options.dryRun
    ? 'nothing was stored'
    : `${db.databaseName} has the rules of the file`;
  console.log(`${summary(rules, changes)}; ${end}`);
  return 0;
}

async function runDiff(db: Db, path: string, options: ImportOptions): Promise<number> {
  const rules = readRuleFile(path);
  const changes = await importRules(db, rules, { ...options, dryRun: true });
  console.log(`${summary(rules, changes)}; nothing was stored`);
  return changes.length === 0 ? 0 : 1;
}

async function runExport(db: Db, into: string | undefined): Promise<number> {
  const rules = await readRules(db, TIMEOUT_MS);
  if (into === undefined) {
    process.stdout.write(ruleFileText(rules));
    return 0;
  }
  const text = readText(into);
  parseRuleFile(text, into); // a file with mistakes is left alone
  writeFileSync(into, withRules(text, rules));
  console.log(`${numbered(rules.length, 'rule')}; ${into} has the rules of ${db.databaseName}`);
  return 0;
}

async function runHistory(db: Db, id: string | undefined): Promise<number> {
  const query = { limit: HISTORY_MAX, ...(id === undefined ? {} : { id }) };
  const found = await mongoRuleStore(db, TIMEOUT_MS).versions(query);
  if (found.length === 0)
    console.log(id === undefined ? 'No rule was ever stored.' : `There never was a rule ${id}.`);
  for (const line of found.flatMap(versionLines)) console.log(visible(line));
  return 0;
}

function versionLines({
  id,
  version,
  at,
  by,
  reason,
  before,
  after,
}: RuleVersion): readonly string[] {
  const kind = before === undefined ? 'added' : after === undefined ? 'deleted' : 'changed';
  const why = reason === undefined ? '' : `: ${reason}`;
  const fields =
    before === undefined || after === undefined
      ? []
      : fieldChanges(before, after).map(
          (field) => `  ${field.path}: ${shown(field.before)} → ${shown(field.after)}`,
        );
  return [`${version}  ${at.toISOString()}  ${id} ${kind} by ${actorText(by)}${why}`, ...fields];
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown';
    throw new CommandError(`Nothing was done: the rule file cannot be read: ${reason}`);
  }
}

/** @throws CommandError where it cannot be read or is empty, InvalidConfigurationError with every mistake in it */
function readRuleFile(path: string): readonly StoredRule[] {
  const rules = parseRuleFile(readText(path), path);
  if (rules.length > 0) return rules;
  throw new CommandError(
    `Nothing was done: ${path} has no rule, and where there is none every order is refused, or none is.`,
  );
}

const OPTIONS = {
  'dry-run': { type: 'boolean', default: false },
  drop: { type: 'boolean', default: false },
  'begin-anew': { type: 'boolean', default: false },
  reason: { type: 'string' },
  by: { type: 'string' },
  into: { type: 'string' },
} as const;

const COMMANDS = ['import', 'diff', 'export', 'history'] as const;

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
    const { 'dry-run': dryRun, drop, 'begin-anew': beginAnew, reason, by, into } = values;
    const options = {
      ...{ dryRun, drop, beginAnew },
      ...(reason === undefined ? {} : { reason }),
      ...(by === undefined ? {} : { by }),
    };
    if (command === 'history') return (db) => runHistory(db, path);
    if (command === 'export' && path !== undefined)
      throw new UsageError(`"${path}" is one word too many; export --into ${path}?`);
    if (command === 'export' && dryRun) throw new UsageError('--dry-run of which file?');
    if (command === 'export') return (db) => runExport(db, into);
    if (path === undefined) throw new UsageError(`${command} which file?`);
    return (db) => (command === 'diff' ? runDiff(db, path, options) : runImport(db, path, options));
  },
};
