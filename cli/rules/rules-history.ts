import type { Db } from 'mongodb';
import { actorText } from '../../lib/shared/actor.ts';
import type { RuleVersion } from '../../lib/rule-book/rule-book.ts';
import { mongoRuleStore } from '../../lib/rule-book/mongo-rule-store.ts';
import { versionJson } from '../../lib/rule-book/rules-answer.ts';
import { printJson, visible } from '../output.ts';
import { fieldChanges } from '../../lib/changes/field-changes.ts';

/** Longest wait for the store's answer. */
const TIMEOUT_MS = 5_000;

/** Changes that are printed at most, as the help says. */
const HISTORY_MAX = 100;

/** Prints the last changes of one rule, or of all. @returns 1 where there never was that rule */
export async function printHistory(
  db: Db,
  id: string | undefined,
  { json = false }: { readonly json?: boolean },
): Promise<number> {
  const query = { limit: HISTORY_MAX, ...(id === undefined ? {} : { id }) };
  const found = await mongoRuleStore(db, TIMEOUT_MS).versions(query);
  if (json) printJson({ versions: found.map((each) => ({ id: each.id, ...versionJson(each) })) });
  else if (found.length === 0)
    console.log(
      id === undefined ? 'No rule was ever stored.' : `There never was a rule ${visible(id)}.`,
    );
  else for (const line of found.flatMap(versionLines)) console.log(visible(line));
  return found.length === 0 && id !== undefined ? 1 : 0;
}

function versionLines({
  id,
  version,
  at,
  by,
  approvedBy,
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
  const approved = approvedBy === undefined ? '' : `, approved by ${actorText(approvedBy)}`;
  const who = `by ${actorText(by)}${approved}`;
  return [`${version}  ${at.toISOString()}  ${id} ${kind} ${who}${why}`, ...fields];
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
