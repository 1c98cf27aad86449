import type { CompiledRules } from '../plan/compile.ts';
import { compile } from '../plan/compile.ts';
import { namedInPlaceOf } from '../changes/override-names.ts';
import type { Rule } from '../rule/rule.ts';
import { isLive, overrideName } from '../rule/rule.ts';
import { errorOf } from '../shared/errors.ts';
import type { Subject } from '../shared/subject.ts';
import { documentId } from '../shared/subject.ts';
import type { InForce, RulesFrom } from './history.ts';
import { refuseUnkept } from './kept-names.ts';
import { warmUpFrom } from './warm-up.ts';

/** What is tried: one set of rules for all the time; or the set of each time, with a rule put in or taken out. */
export type DraftAsked =
  | { readonly rules: readonly Rule[] }
  | { readonly put: Rule }
  | { readonly drop: string };

/** What is tried, worked out. */
export type Draft = {
  /** The rules of a row, from those by which it was decided. */
  readonly under: (present: CompiledRules) => CompiledRules;
  /** Those that it has at some time. */
  readonly rules: readonly Rule[];
  /** Those that it brings. */
  readonly brings: readonly Rule[];
};

/** One set of rules for all the time. */
export function wholeDraft(rules: readonly Rule[]): Draft {
  const compiled = compile(rules);
  return { under: () => compiled, rules: compiled.live, brings: compiled.live };
}

/**
 * Works a draft out.
 *
 * @param sets the rules of the time
 * @throws RuleNotLiveError
 * @throws NeverInForceError
 */
export function draftOf(asked: DraftAsked, sets: readonly RulesFrom[]): Draft {
  // A rule with another id has the overrides that it would have if it was stored.
  const last = sets.at(-1)?.rules.live ?? [];
  if ('rules' in asked) return wholeDraft(namedInPlaceOf(last, asked.rules));
  const there = sets.flatMap(({ rules }) => rules.live);
  if ('put' in asked) {
    if (!isLive(asked.put)) throw new RuleNotLiveError(asked.put.id, asked.put.mode);
    const others = last.filter(({ id }) => id !== asked.put.id);
    const [put = asked.put] = namedInPlaceOf(last, [asked.put, ...others]);
    return changedDraft(there, [put], (rules) => {
      const place = rules.findIndex((rule) => isSameRule(rule, put));
      if (place === -1) return [...rules, put];
      const others = rules.slice(place).filter((rule) => !isSameRule(rule, put));
      return [...rules.slice(0, place), put, ...others];
    });
  }
  const dropped = there.findLast(({ id }) => id === asked.drop);
  if (dropped === undefined) throw new NeverInForceError(asked.drop);
  return changedDraft(there, [], (rules) => rules.filter((rule) => !isSameRule(rule, dropped)));
}

/** A rule may have had another id in an earlier set. */
function isSameRule(one: Rule, other: Rule): boolean {
  return one.id === other.id || overrideName(one) === overrideName(other);
}

type Change = (rules: readonly Rule[]) => readonly Rule[];

/** Each set of the time is compiled once. */
function changedDraft(there: readonly Rule[], brings: readonly Rule[], change: Change): Draft {
  const known = new Map<CompiledRules, CompiledRules>();
  const byId = new Map(there.map((rule) => [rule.id, rule]));
  return {
    under: (present) => {
      const made = known.get(present) ?? compile(change(present.live));
      known.set(present, made);
      return made;
    },
    rules: change([...byId.values()]),
    brings,
  };
}

/** The rules that were in force at some time between two instants. The first ones hold before, too. */
export function setsDuring({ rules }: InForce, from: Date, to: Date): readonly RulesFrom[] {
  return rules.filter(
    ({ at }, place) => (place === 0 || at < to) && (rules[place + 1]?.at ?? to) > from,
  );
}

/** A draft, and the past that it needs. */
export type Prepared = {
  readonly draft: Draft;
  /** From when on rows are read. */
  readonly warmUpFrom: Date;
  /** Rules that count for others than the subject whose rows alone are read. */
  readonly rulesOfOthers: readonly string[];
};

/** Between which instants a draft is tried, and whose rows are read: those of all where no subject is named. */
export type TriedRules = {
  readonly from: Date;
  readonly to: Date;
  readonly subject?: Subject | undefined;
};

/**
 * Prepares a back-test of a draft.
 *
 * @throws AttributeNotKeptError
 * @throws NeverInForceError
 * @throws OfOthersError
 * @throws RuleNotLiveError
 */
export function prepared(asked: DraftAsked, inForce: InForce, tried: TriedRules): Prepared {
  const { from, to, subject } = tried;
  const sets = setsDuring(inForce, from, to);
  const draft = draftOf(asked, sets);
  const all = [...draft.rules, ...sets.flatMap(({ rules }) => rules.live)];
  const start = warmUpFrom(all, from) ?? new Date(0);
  refuseUnkept(draft.brings, inForce, start, to);
  if (subject === undefined) return { draft, warmUpFrom: start, rulesOfOthers: [] };
  const ofOthers = all.filter(({ per }) => !per.includes(subject.kind));
  const put = 'put' in asked ? draft.brings : [];
  const [wrong] = put.filter(({ per }) => !per.includes(subject.kind));
  if (wrong !== undefined)
    throw new OfOthersError(wrong.id, wrong.per.join(', '), documentId(subject.kind, subject.id));
  const ids = new Set(ofOthers.map(({ id }) => id));
  return { draft, warmUpFrom: start, rulesOfOthers: [...ids].sort() };
}

/** A rule that is put in decides nothing. */
class RuleNotLiveError extends errorOf(
  'CANNOT_BE_TESTED',
  (id: string, mode: string) =>
    `rule ${JSON.stringify(id)} has the mode ${mode} and would decide nothing: write enforce or shadow`,
) {}

/** A rule that is taken out was not there. */
class NeverInForceError extends errorOf(
  'CANNOT_BE_TESTED',
  (id: string) =>
    `rule ${JSON.stringify(id)} was not in force in this time, expected a rule that was: choose another one, or another time`,
) {}

/** The rows of one subject say nothing of what a rule counts. */
class OfOthersError extends errorOf(
  'CANNOT_BE_TESTED',
  (id: string, per: string, subject: string) =>
    `rule ${JSON.stringify(id)} counts per ${per}, and the rows of ${subject} alone do not have its sums: try it on all subjects, or on one that it counts for`,
) {}
