import { UndecidedError } from '../domain/errors.ts';
import type { Rule } from '../domain/rule.ts';
import type { RuleChange } from '../domain/rule-change.ts';
import { changesBetween } from '../domain/rule-change.ts';
import { NoSuchRuleError, RuleChangedError, VersionRequiredError } from '../domain/rule-errors.ts';
import type { Authorship, KeptRule, RuleSet, RuleVersion, StoredRule } from '../domain/rule-set.ts';
import { isSameJson, nextSet } from '../domain/rule-set.ts';
import type { RuleStore, VersionQuery } from '../store/rule-store.ts';

/** For which state of a rule, or of the set, a change was made. */
export type Condition =
  /** One of these versions. */
  | { readonly kind: 'versions'; readonly versions: readonly number[] }
  /** Whatever it is, but there must be one. */
  | { readonly kind: 'any' }
  /** There is none yet. */
  | { readonly kind: 'absent' }
  /** Nothing is said: good where there is none yet, and nowhere else. */
  | { readonly kind: 'unsaid' };

/** What is to be done to the rules. */
export type RuleEdit =
  | { readonly kind: 'put'; readonly rule: StoredRule; readonly condition: Condition }
  | { readonly kind: 'delete'; readonly id: string; readonly condition: Condition }
  /** The whole set: what is not among these rules is deleted. */
  | {
      readonly kind: 'replace';
      readonly rules: readonly StoredRule[];
      readonly condition: Condition;
    };

/** What a change of the rules did, or would do. */
export type RulesChanged = {
  /** The set after it. */
  readonly set: RuleSet;
  /** None where everything was so already. */
  readonly changes: readonly RuleChange[];
  /** Whether there was such a rule, or a rule at all, before. */
  readonly wasThere: boolean;
};

/** Where rules are read and changed, and every change is kept. */
export type RuleBook = {
  readonly read: () => Promise<RuleSet>;
  /** @throws NoSuchRuleError */
  readonly find: (id: string) => Promise<KeptRule>;
  /**
   * Changes of a rule, newest first.
   *
   * @throws NoSuchRuleError where there never was such a rule
   */
  readonly versions: (
    query: VersionQuery & { readonly id: string },
  ) => Promise<readonly RuleVersion[]>;
  /**
   * Changes the set in one commit, or says what that would do. A put of what is stored already
   * changes nothing, whatever version it is for: so it can be repeated when its answer was lost.
   *
   * @throws NoSuchRuleError, RuleChangedError, VersionRequiredError, UndecidedError; what `validate` throws
   */
  readonly change: (edit: RuleEdit, author: Authorship, dryRun?: boolean) => Promise<RulesChanged>;
};

/** What a rule book is made of. */
export type RuleBookOptions = {
  readonly store: RuleStore;
  /** Makes sure of a whole set; throws where it is wrong, with every mistake. */
  readonly validate: (rules: readonly StoredRule[]) => unknown;
  /** Reads one stored rule; undefined where it is wrong. */
  readonly read: (stored: StoredRule) => Rule | undefined;
};

/** How often a change begins anew because another one came first. */
const TRIES_MAX = 20;

/** Puts a rule book together. */
export function createRuleBook({ store, validate, read }: RuleBookOptions): RuleBook {
  return {
    read: store.read,
    async find(id) {
      const kept = (await store.read()).rules.find(({ rule }) => rule.id === id);
      if (kept === undefined) throw new NoSuchRuleError(id);
      return kept;
    },
    async versions(query) {
      const found = await store.versions(query);
      if (found.length === 0 && (await store.versions({ id: query.id, limit: 1 })).length === 0)
        throw new NoSuchRuleError(query.id);
      return found;
    },
    async change(edit, author, dryRun = false) {
      for (let tries = 0; tries < TRIES_MAX; tries++) {
        const before = await store.read();
        const rules = rulesAfter(edit, before);
        validate(rules);
        const { set, versions } = nextSet(before, rules, author);
        const changes = changesBetween(before.rules, rules, read);
        const wasThere = versionNow(edit, before) !== undefined;
        if (changes.length === 0) return { set: before, changes, wasThere };
        if (dryRun || (await store.replace(before, set, versions)))
          return { set, changes, wasThere };
      }
      throw new UndecidedError('other changes of the rules kept coming first');
    },
  };
}

/**
 * The rules that there are to be.
 *
 * @throws NoSuchRuleError, RuleChangedError, VersionRequiredError
 */
function rulesAfter(edit: RuleEdit, before: RuleSet): readonly StoredRule[] {
  const rules = before.rules.map(({ rule }) => rule);
  switch (edit.kind) {
    case 'put': {
      const { rule, condition } = edit;
      const was = rules.find(({ id }) => id === rule.id);
      if (isSameJson(was, rule) && condition.kind === 'versions') return rules;
      assertMeant(edit, before);
      return [...rules.filter(({ id }) => id !== rule.id), rule];
    }
    case 'delete':
      if (versionNow(edit, before) === undefined) throw new NoSuchRuleError(edit.id);
      assertMeant(edit, before);
      return rules.filter(({ id }) => id !== edit.id);
    case 'replace': {
      const isSame = nextSet(before, edit.rules, NOBODY).versions.length === 0;
      if (!isSame || edit.condition.kind !== 'versions') assertMeant(edit, before);
      return edit.rules;
    }
  }
}

/** Who compares, and changes nothing. */
const NOBODY: Authorship = { at: new Date(0), by: { kind: 'local', id: 'local' } };

/** The version of what is to be changed; undefined where there is none. */
function versionNow(edit: RuleEdit, before: RuleSet): number | undefined {
  if (edit.kind === 'replace') return before.revision === 0 ? undefined : before.revision;
  const id = edit.kind === 'put' ? edit.rule.id : edit.id;
  return before.rules.find(({ rule }) => rule.id === id)?.version;
}

/** @throws RuleChangedError, VersionRequiredError where the change is for another state than there is */
function assertMeant(edit: RuleEdit, before: RuleSet): void {
  const now = versionNow(edit, before);
  const what =
    edit.kind === 'replace'
      ? 'the set of rules'
      : `rule ${JSON.stringify(edit.kind === 'put' ? edit.rule.id : edit.id)}`;
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
