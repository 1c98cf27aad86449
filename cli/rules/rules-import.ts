import type { Db } from 'mongodb';
import { ruleBookOn } from '../../functions/books.ts';
import { lossesOf } from '../../lib/changes/rule-edit.ts';
import type { RuleChange } from '../../lib/changes/rule-change.ts';
import type { StoredRule } from '../../lib/rule-file/rule-set.ts';
import { rulesChangedJson } from '../../lib/rule-book/rules-answer.ts';
import { readRuleSettings } from '../../lib/edge/settings.ts';
import { printJson, visible } from '../output.ts';
import { waitingText } from '../waiting-text.ts';
import { commandActor, refuseUnkept } from '../command-actor.ts';
import { CommandError } from '../command-error.ts';
import { changeLines, ownerLines } from './rules-difference.ts';
import { isUsed } from './rules-names.ts';

/** Longest wait for the store's answer. */
const TIMEOUT_MS = 5_000;

/** How rules are stored. */
export type StoreOptions = {
  readonly dryRun?: boolean;
  readonly drop?: boolean;
  readonly beginAnew?: boolean;
  readonly json?: boolean;
  /** Whether subjects are named whose own maxima a change concerns. */
  readonly nameSubjects?: boolean;
  readonly reason?: string;
  readonly by?: string;
};

/** The rules that were to be stored, and what that changes. */
type Imported = {
  readonly rules: readonly StoredRule[];
  readonly changes: readonly RuleChange[];
};

/** The rules to store, by those that are stored. */
export type RulesToStore = (kept: readonly StoredRule[]) => readonly StoredRule[];

/**
 * Stores rules in place of what is stored, or only says what that would change. A refused import prints
 * its changes like a dry run.
 */
export async function importRules(
  db: Db,
  rulesOf: RulesToStore,
  options: StoreOptions,
): Promise<Imported> {
  const book = ruleBookOn(db, TIMEOUT_MS, readRuleSettings(process.env));
  const { revision, rules: kept } = await book.read();
  const before = kept.map(({ rule }) => rule);
  const rules = rulesOf(before);
  const condition =
    revision === 0
      ? ({ kind: 'absent' } as const)
      : ({ kind: 'versions', versions: [revision] } as const);
  const { reason, beginAnew = false, drop = false, dryRun = false, json = false } = options;
  const { nameSubjects = false } = options;
  const edit = { kind: 'replace', rules, condition, beginAnew, drop } as const;
  refuseUnkept('--reason', reason);
  const author = {
    at: new Date(),
    by: commandActor(options.by),
    ...(reason === undefined ? {} : { reason }),
  };
  const looked = await book.change(edit, author, { dryRun: true });
  const { changes } = looked;
  const used = await Promise.all(
    looked.warnings.map(async ({ name }) => name !== undefined && (await isUsed(db, name))),
  );
  const warnings = looked.warnings.filter((_, index) => used[index] !== true);
  if (!json) {
    for (const change of changes)
      for (const line of [...changeLines(change), ...(nameSubjects ? ownerLines(change) : [])])
        console.log(visible(line));
    for (const { says } of warnings) console.log(visible(`Warning: ${says}`));
  }
  let told = rulesChangedJson({ ...looked, warnings }, true, nameSubjects);
  try {
    if (dryRun) return { rules, changes };
    refuseUnmeant(changes, options);
    const done = changes.length === 0 ? looked : await book.change(edit, author);
    const { proposed } = done;
    if (proposed !== undefined)
      throw new CommandError(waitingText({ id: proposed.id, until: proposed.until.toISOString() }));
    told = rulesChangedJson({ ...done, warnings }, false, nameSubjects);
    return { rules, changes };
  } finally {
    if (json) printJson(told);
  }
}

/** @throws CommandError where rules would go, or sums be reset, and nobody said that they may */
function refuseUnmeant(changes: readonly RuleChange[], options: StoreOptions): void {
  const losses = lossesOf(changes, options);
  if (losses.length === 0) return;
  const needed = losses.map(({ kind, ids }) => {
    if (kind === 'dropped') return `--drop to delete ${ids.join(', ')}`;
    const where = kind === 'reset' ? 'at zero' : 'in another counter';
    return `--begin-anew to let ${ids.join(', ')} begin ${where}`;
  });
  throw new CommandError(`Nothing was done: it needs ${needed.join(', and ')}.`);
}
