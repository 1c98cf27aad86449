import type { Db } from 'mongodb';
import type { StoredRule } from '../../lib/rule/rule-set.ts';
import { AUDIT } from '../../lib/audit/mongo-audit-store.ts';
import { COUNTERS } from '../../lib/document/mongo-counter-store.ts';

/** Longest look for one name among the audit's rows, which have no index for it, in milliseconds. */
const LOOK_MS = 2_000;

/** Names that may be mistyped: a subject kind, a type of transaction, a currency. */
type Name = { readonly what: 'subject kind' | 'type' | 'currency'; readonly name: string };

/**
 * Warns of names that are new, that one rule alone has and that nothing has used: they are most likely
 * mistyped, and the rule would apply to nothing.
 *
 * @param changed the rules that are new or others than before
 * @param all every rule that there is to be
 * @param before every rule that there is
 */
export async function nameWarnings(
  db: Db,
  changed: readonly StoredRule[],
  all: readonly StoredRule[],
  before: readonly StoredRule[],
): Promise<readonly string[]> {
  const warnings: string[] = [];
  for (const rule of changed)
    for (const each of namesOf(rule)) {
      const others = [...before, ...all.filter(({ id }) => id !== rule.id)];
      if (others.some((other) => namesOf(other).some((known) => isSame(known, each)))) continue;
      if (await isUsed(db, each)) continue;
      warnings.push(
        `${rule.id}: no other rule has the ${each.what} ${JSON.stringify(each.name)}, and nothing has used it. Is it mistyped?`,
      );
    }
  return warnings;
}

function isSame(one: Name, other: Name): boolean {
  return one.what === other.what && one.name === other.name;
}

function namesOf({ per, currency, match, counts, appliesTo }: StoredRule): readonly Name[] {
  const types = [match, counts, appliesTo].flatMap((scope) => textsIn(fieldOf(scope, 'type')));
  return [
    ...textsIn(per).map((name): Name => ({ what: 'subject kind', name })),
    ...[...new Set(types)].map((name): Name => ({ what: 'type', name })),
    ...textsIn(currency).map((name): Name => ({ what: 'currency', name })),
  ];
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return new Map<string, unknown>(Object.entries(value)).get(name);
}

function textsIn(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((each): each is string => typeof each === 'string');
}

/** Whether anything tells of a name; of a look that takes too long nobody knows, so nothing is said. */
async function isUsed(db: Db, { what, name }: Name): Promise<boolean> {
  try {
    switch (what) {
      case 'subject kind': {
        // Documents are named `kind:id`; `;` comes after `:`.
        const filter = { _id: { $gte: `${name}:`, $lt: `${name};` } };
        const found = await db
          .collection<{ _id: string }>(COUNTERS)
          .findOne(filter, { projection: { _id: 1 } });
        return found !== null;
      }
      case 'type':
      case 'currency': {
        const options = { projection: { _id: 1 }, maxTimeMS: LOOK_MS } as const;
        return (await db.collection(AUDIT).findOne({ [what]: name }, options)) !== null;
      }
    }
  } catch {
    return true;
  }
}
