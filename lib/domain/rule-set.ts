import type { Authorship } from './actor.ts';

/** A rule in the form in which it is stored: as its file says, with nothing filled in. */
export type StoredRule = { readonly id: string } & Readonly<Record<string, unknown>>;

/** A rule as it is stored, and the change that made it so. */
export type KeptRule = Authorship & {
  readonly rule: StoredRule;
  /** The revision of the set in which it became what it is. */
  readonly version: number;
};

/** All rules of a deployment, in the order of their ids. They change together, or not at all. */
export type RuleSet = {
  /** How often the set was changed: 0 where there never was a rule. */
  readonly revision: number;
  readonly rules: readonly KeptRule[];
  /** Digest of the rules of the file that `npm start` loaded last. */
  readonly loaded?: string;
};

/** One change of one rule, as it is kept for ever. */
export type RuleVersion = Authorship & {
  readonly id: string;
  /** The revision of the set that it made. */
  readonly version: number;
  /** What it was; absent where it was not there. */
  readonly before?: StoredRule;
  /** What it became; absent where it was deleted. */
  readonly after?: StoredRule;
};

/**
 * Works out the set that rules make in place of another, and the changes that make it.
 *
 * A rule that stays as it was keeps its version.
 *
 * @param rules every rule that there is to be, each id once
 */
export function nextSet(
  before: RuleSet,
  rules: readonly StoredRule[],
  author: Authorship,
): { readonly set: RuleSet; readonly versions: readonly RuleVersion[] } {
  const version = before.revision + 1;
  const were = new Map(before.rules.map((kept) => [kept.rule.id, kept]));
  const sorted = [...rules].sort((one, other) => (one.id < other.id ? -1 : 1));
  const kept = sorted.map((rule): KeptRule => {
    const was = were.get(rule.id);
    return was !== undefined && isSameJson(was.rule, rule) ? was : { rule, version, ...author };
  });
  const are = new Map(kept.map((each) => [each.rule.id, each]));
  const changed = [...new Set([...were.keys(), ...are.keys()])]
    .sort()
    .filter((id) => were.get(id) !== are.get(id));
  const versions = changed.map((id): RuleVersion => {
    const [was, is] = [were.get(id)?.rule, are.get(id)?.rule];
    return {
      id,
      version,
      ...author,
      ...(was === undefined ? {} : { before: was }),
      ...(is === undefined ? {} : { after: is }),
    };
  });
  return { set: { ...before, revision: version, rules: kept }, versions };
}

/** Says whether two values of JSON are the same, whatever the order of their fields. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object') return false;
  if (one === null || other === null || Array.isArray(one) !== Array.isArray(other)) return false;
  const others = new Map<string, unknown>(Object.entries(other));
  const fields = Object.entries(one);
  return (
    fields.length === others.size &&
    fields.every(([name, value]) => others.has(name) && isSameJson(value, others.get(name)))
  );
}
