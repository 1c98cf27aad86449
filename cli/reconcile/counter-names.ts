import type { Db } from 'mongodb';
import { counterKey } from '../../lib/rule/counter.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import { documentKind, sharesDocument } from '../../lib/rule/rule.ts';
import { isCounted } from '../../lib/rule/windows/windows.ts';
import { readableRules } from '../../lib/rule-file/rule-list.ts';
import { auditCollection } from '../../lib/audit/mongo-audit-store.ts';
import { readDocument } from '../../lib/shared/subject.ts';
import { readVersionedRules } from '../../lib/rule-book/mongo-rule-store.ts';

/** The names of a counter for people. */
export type CounterName = {
  /** The rules that count in it: `user-day "Daily limit", user-day-trial "Daily limit on trial"`. */
  readonly rules: string;
  /** The currency of its amounts; undefined where it sums none. */
  readonly currency: string | undefined;
  /** Its digits after the point, where the rules say them. */
  readonly digits: number | undefined;
};

/** Most values of one kind of subject that are tried for a rule of several; more take too long. */
const SUBJECTS_MAX = 10_000;

/**
 * Gives the names of the counters of a document, by their keys, from the rules that are stored now.
 *
 * A key is a digest: a rule per user and merchant has one for each merchant, so the merchants that rows
 * of the document name are tried. A counter of a rule that was deleted, or that began
 * at zero since, has no name.
 */
export async function counterNames(
  db: Db,
  document: string,
): Promise<ReadonlyMap<string, CounterName>> {
  const { kind } = readDocument(document);
  const rules = readableRules(await readVersionedRules(db));
  const rulesByKey = new Map<string, Rule[]>();
  for (const rule of rules.filter((one) => documentKind(one) === kind && isCounted(one.window)))
    for (const key of await keysOf(db, document, rule))
      rulesByKey.set(key, [...(rulesByKey.get(key) ?? []), rule]);
  return new Map([...rulesByKey].map(([key, counted]) => [key, nameOf(counted)]));
}

async function keysOf(db: Db, document: string, rule: Rule): Promise<ReadonlySet<string>> {
  const others = sharesDocument(rule) ? rule.per.slice(1) : [];
  if (others.length === 0) return new Set([counterKey(rule, {})]);
  const rows = await auditCollection(db)
    .aggregate<{ readonly _id: Readonly<Record<string, string>> }>([
      { $match: { subjectIds: document, documents: document, effective: true } },
      {
        $group: { _id: Object.fromEntries(others.map((other) => [other, `$subjects.${other}`])) },
      },
      { $limit: SUBJECTS_MAX },
    ])
    .toArray();
  return new Set(rows.map(({ _id }) => counterKey(rule, _id)));
}

function nameOf(rules: readonly Rule[]): CounterName {
  const titled = rules.map(({ id, title }) => {
    const text = title.en ?? Object.values(title)[0];
    return text === undefined ? id : `${id} ${JSON.stringify(text)}`;
  });
  // Rules of one counter have one currency: it is part of the counter's key.
  return { rules: titled.join(', '), currency: rules[0]?.currency, digits: rules[0]?.digits };
}
