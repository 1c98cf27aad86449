import { groupedBy } from '../shared/grouped.ts';
import { present } from '../shared/present.ts';
import { counterScope } from '../rule/counter.ts';
import type { Rule } from '../rule/rule.ts';
import { isLive, overrideName } from '../rule/rule.ts';

/*
 * Overrides call a rule by a name that stays when its id changes: the id that it had first. So a subject's own
 * maximum goes on with its counter, no document is touched, and a process that still has the rules from before
 * finds it, too.
 */

/** What becomes of the overrides of a rule that changes, and what they call it. */
export type OverridesFate =
  /** The rule has another id from now on. */
  | { readonly kind: 'follow'; readonly name: string; readonly to: string }
  /** No rule is in force or on trial any more that they are of, or it has the counter and those of another. */
  | { readonly kind: 'end'; readonly name: string }
  /** The rule comes, or comes back: there may be some from before. */
  | { readonly kind: 'begin'; readonly name: string }
  /** The rule sums something else from now on, and they are its maximum. */
  | { readonly kind: 'stay'; readonly name: string }
  | { readonly kind: 'none' };

/** Subjects that have overrides, by their documents. */
export type Owners = {
  readonly documents: readonly string[];
  /** False if there may be more than were looked at. */
  readonly isAll: boolean;
};

/** Of a set in place of another: what overrides call each rule, and what becomes of them. */
type OverrideNames = {
  readonly nameOf: (id: string) => string;
  readonly fateOf: (id: string) => OverridesFate;
};

/** A rule of a set. Without `rule`, it cannot be read. */
type Named = Pick<Rule, 'id' | 'namedAs'> & { readonly rule?: Rule };

/** @param version the revision of the set after the change */
export function overrideNames(
  before: readonly Named[],
  after: readonly Named[],
  version: number,
): OverrideNames {
  const were = new Map(before.map((rule) => [rule.id, overrideName(rule)]));
  const [lived, lives] = [liveOf(before), liveOf(after)];
  const successors = successorsOf(lived, lives);
  const are = overrideNamesOf(were, after, successors, version);
  const nameOf = (id: string): string => are.get(id) ?? id;
  const taken = new Set(successors.values());
  return {
    nameOf,
    fateOf(id) {
      const [was, is, to] = [lived.get(id), lives.get(id), successors.get(id)];
      const name = were.get(id) ?? id;
      if (to !== undefined) return { kind: 'follow', name, to };
      if (is === undefined) return was === undefined ? { kind: 'none' } : { kind: 'end', name };
      if (was === undefined)
        return taken.has(id) ? { kind: 'none' } : { kind: 'begin', name: nameOf(id) };
      if (was.scope === is.scope) return { kind: 'none' };
      return { kind: nameOf(id) === name ? 'stay' : 'end', name };
    },
  };
}

type Live = { readonly rule: Rule; readonly scope: string };

function liveOf(rules: readonly Named[]): ReadonlyMap<string, Live> {
  return new Map(
    rules.flatMap(({ id, rule }) =>
      rule === undefined || !isLive(rule)
        ? []
        : [[id, { rule, scope: counterScope(rule) }] as const],
    ),
  );
}

/**
 * Names for each rule that goes the one that comes in its place: the one that is the same but for its id and title,
 * or else the only one that counts the same. Where two may be meant, none is. A rule that counts otherwise under its
 * id goes and comes, too: two may have exchanged their ids.
 */
function successorsOf(
  lived: ReadonlyMap<string, Live>,
  lives: ReadonlyMap<string, Live>,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const isMoved = ([id]: readonly [string, Live]) => lived.get(id)?.scope !== lives.get(id)?.scope;
  const [go, come] = [new Map([...lived].filter(isMoved)), new Map([...lives].filter(isMoved))];
  for (const likeness of [wholeText, ({ scope }: Live) => scope]) {
    const [going, coming] = [single(go, likeness), single(come, likeness)];
    for (const [text, id] of going) {
      const to = coming.get(text);
      if (to === undefined) continue;
      found.set(id, to);
      go.delete(id);
      come.delete(to);
    }
  }
  return found;
}

function wholeText({
  rule: { id: _id, title: _title, version: _version, namedAs: _name, ...same },
}: Live): string {
  return JSON.stringify(same);
}

/** Ids by a likeness that no other of them has. */
function single(
  among: ReadonlyMap<string, Live>,
  likeness: (live: Live) => string,
): ReadonlyMap<string, string> {
  const found = groupedBy([...among], ([, live]) => likeness(live));
  return new Map(
    [...found].flatMap(([text, [first, ...others]]) =>
      first === undefined || others.length > 0 ? [] : [[text, first[0]] as const],
    ),
  );
}

/** What overrides call the rules of a set: no two are called the same, and none as one was that goes on. */
function overrideNamesOf(
  were: ReadonlyMap<string, string>,
  after: readonly Named[],
  successors: ReadonlyMap<string, string>,
  version: number,
): ReadonlyMap<string, string> {
  const are = new Map<string, string>();
  for (const [id, to] of successors) are.set(to, were.get(id) ?? id);
  const used = new Set(are.values());
  const others = after.filter(({ id }) => !are.has(id));
  for (const { id } of others) {
    const name = were.get(id);
    if (name === undefined || used.has(name)) continue;
    are.set(id, name);
    used.add(name);
  }
  // No id has this mark, so that what was given to another rule is never taken for one of this.
  for (const { id } of others)
    if (!are.has(id)) are.set(id, used.has(id) ? `${id}~${version}` : id);
  return are;
}

/** Rules that nobody stores, with the names that overrides would call them by in place of others. */
export function namedInPlaceOf(before: readonly Rule[], rules: readonly Rule[]): readonly Rule[] {
  const named = (rule: Rule): Named => ({
    id: rule.id,
    ...present({ namedAs: rule.namedAs }),
    rule,
  });
  const { nameOf } = overrideNames(before.map(named), rules.map(named), 0);
  return rules.map((rule) => {
    const name = nameOf(rule.id);
    return name === rule.id ? rule : { ...rule, namedAs: name };
  });
}
