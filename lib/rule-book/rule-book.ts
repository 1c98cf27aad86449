import { CHANGES_FIRST_MAX } from '../shared/bounds.ts';
import { UndecidedError } from '../shared/errors.ts';
import type { Authorship } from '../shared/actor.ts';
import { validateRuleSet } from '../rule-file/rule-list.ts';
import { rulesNeedSecond } from '../four-eyes/four-eyes.ts';
import type { Approval, Proposal, SecondPerson } from '../four-eyes/proposal.ts';
import { propose } from '../four-eyes/proposal.ts';
import type { NextSet, RuleChange } from '../changes/rule-change.ts';
import { nextSet } from '../changes/rule-change.ts';
import type { RuleEdit } from '../changes/rule-edit.ts';
import {
  ConsentRequiredError,
  lossesOf,
  NoSuchRuleError,
  RuleChangedError,
  ruleIdOf,
  VersionRequiredError,
} from '../changes/rule-edit.ts';
import type { Owners } from '../changes/override-names.ts';
import type { Warning } from './name-warnings.ts';
import { ruleWarnings } from './rule-warnings.ts';
import type { KeptRule, RuleSet, StoredRule } from '../rule-file/rule-set.ts';

/** One change of one rule, kept for ever; `version` is the revision of the set that it made. */
export type RuleVersion = Authorship &
  Pick<RuleChange, 'id' | 'before' | 'after'> & { readonly version: number };

type VersionQuery = {
  /** Default: all rules. */
  readonly id?: string;
  /** Only those before this version. */
  readonly before?: number | undefined;
  readonly limit: number;
  /** The list ends with the change that brings it to so many bytes of JSON. Default: no bound. */
  readonly bytesMax?: number;
};

/** Where the rules are, and every change that they ever had. */
export type RuleStore = {
  /** The whole set as it is now: never half of a change. */
  readonly read: () => Promise<RuleSet>;
  /**
   * Replaces the set that was read, keeps the changes and decides the proposal: all or none.
   *
   * @returns false where another set came first
   * @throws UndecidedError where the proposal is not open any more
   */
  readonly replace: (before: RuleSet, next: NextSet, approval?: Approval) => Promise<boolean>;
  /** Newest first; of one change of many rules in the order of ids. */
  readonly versions: (query: VersionQuery) => Promise<readonly RuleVersion[]>;
};

/** The set as it is stored now, and what a change did, or would do. `proposed`: it waits for a second person. */
export type RulesChanged = {
  readonly set: RuleSet;
  readonly changes: readonly RuleChange[];
  /** Of what may be meant otherwise, and was not there before. */
  readonly warnings: readonly Warning[];
  readonly proposed?: Proposal;
};

/** Where rules are read and changed, and every change is kept. */
export type RuleBook = ReturnType<typeof createRuleBook>;

/** Finds who has overrides that call rules so, in force or to come. */
export type OwnersOf = (names: readonly string[]) => Promise<ReadonlyMap<string, Owners>>;

/** Puts a rule book together. @param homeKinds kinds whose documents are home, by preference */
export function createRuleBook(
  store: RuleStore,
  second: SecondPerson,
  homeKinds: readonly string[],
  ownersOf: OwnersOf,
) {
  return {
    read: store.read,
    /** @throws NoSuchRuleError */
    async find(id: string): Promise<KeptRule> {
      const kept = (await store.read()).rules.find(({ rule }) => rule.id === id);
      if (kept === undefined) throw new NoSuchRuleError(id);
      return kept;
    },
    /** Changes of a rule, newest first. @throws NoSuchRuleError where there never was such a rule */
    async versions(query: VersionQuery & { readonly id: string }): Promise<readonly RuleVersion[]> {
      const found = await store.versions(query);
      if (found.length === 0 && (await store.versions({ id: query.id, limit: 1 })).length === 0)
        throw new NoSuchRuleError(query.id);
      return found;
    },
    /**
     * A put of what is stored already changes nothing, whatever version it is for: so it can be repeated
     * when its answer was lost.
     *
     * @throws NoSuchRuleError, RuleChangedError, VersionRequiredError, ConsentRequiredError, UndecidedError;
     * InvalidRequestError where the set would be wrong
     */
    async change(
      edit: RuleEdit,
      author: Authorship,
      how: { readonly dryRun?: boolean; readonly approval?: Approval } = {},
    ): Promise<RulesChanged> {
      for (let tries = 0; tries < CHANGES_FIRST_MAX; tries++) {
        const before = await store.read();
        const rules = rulesAfter(edit, before);
        const next = nextSet(before, rules, author);
        const changes = await withOwners(next.changes, ownersOf);
        if (changes.length > 0 || edit.condition.kind !== 'versions') assertMeant(edit, before);
        validateRuleSet(rules, homeKinds);
        const stored = before.rules.map(({ rule }) => rule);
        const warnings = ruleWarnings(stored, rules, homeKinds, author.at);
        const looked = { set: before, changes, warnings };
        if (changes.length === 0 || how.dryRun === true) return looked;
        const losses = lossesOf(changes, edit.kind === 'delete' ? { drop: true } : edit);
        if (losses.length > 0) throw new ConsentRequiredError(losses);
        if (how.approval === undefined && rulesNeedSecond(second.fourEyes, changes)) {
          const asked = { about: 'rules', edit: forWhatIs(edit, before) } as const;
          return { ...looked, proposed: await propose(second, asked, author) };
        }
        if (await store.replace(before, next, how.approval)) return { ...looked, set: next.set };
      }
      throw new UndecidedError('other changes of the rules kept coming first');
    },
  };
}

async function withOwners(
  changes: readonly RuleChange[],
  ownersOf: OwnersOf,
): Promise<readonly RuleChange[]> {
  const nameIn = ({ overrides }: RuleChange): readonly string[] =>
    overrides.kind === 'none' ? [] : [overrides.name];
  const names = changes.flatMap(nameIn);
  if (names.length === 0) return changes;
  const found = await ownersOf(names);
  return changes.map((change) => {
    const [owners] = nameIn(change).flatMap((name) => found.get(name) ?? []);
    return owners === undefined ? change : { ...change, owners };
  });
}

/** The rules that there are to be. @throws NoSuchRuleError */
function rulesAfter(edit: RuleEdit, before: RuleSet): readonly StoredRule[] {
  if (edit.kind === 'replace') return edit.rules;
  const id = ruleIdOf(edit);
  const others = before.rules.map(({ rule }) => rule).filter((rule) => rule.id !== id);
  if (edit.kind === 'put') return [...others, edit.rule];
  if (others.length === before.rules.length) throw new NoSuchRuleError(edit.id);
  return others;
}

/** The version of what is to be changed; undefined where there is none. */
function versionNow(edit: RuleEdit, before: RuleSet): number | undefined {
  const id = ruleIdOf(edit);
  if (id === undefined) return before.revision === 0 ? undefined : before.revision;
  return before.rules.find(({ rule }) => rule.id === id)?.version;
}

/** An edit that may wait is for the state that there is now: one for any would undo what is changed meanwhile. */
function forWhatIs(edit: RuleEdit, before: RuleSet): RuleEdit {
  const now = versionNow(edit, before);
  return now === undefined ? edit : { ...edit, condition: { kind: 'versions', versions: [now] } };
}

/** @throws RuleChangedError, VersionRequiredError where the change is for another state than there is */
function assertMeant(edit: RuleEdit, before: RuleSet): void {
  const now = versionNow(edit, before);
  const id = ruleIdOf(edit);
  const what = id === undefined ? 'the set of rules' : `rule ${JSON.stringify(id)}`;
  const found = now === undefined ? `${what} is not there` : `${what} is at version ${now}`;
  const { condition } = edit;
  switch (condition.kind) {
    case 'unsaid':
      if (now !== undefined) throw new VersionRequiredError(found, now);
      return;
    case 'absent':
      if (now !== undefined) throw new RuleChangedError(found, 'one that is not there yet');
      return;
    case 'any':
      if (now === undefined) throw new RuleChangedError(found, 'one that is there');
      return;
    case 'versions':
      if (now === undefined || !condition.versions.includes(now))
        throw new RuleChangedError(found, `version ${condition.versions.join(' or ')}`);
  }
}
