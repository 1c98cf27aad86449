import { CHANGES_FIRST_MAX } from '../shared/bounds.ts';
import { UndecidedError } from '../shared/errors.ts';
import { ConsentRequiredError, lossesOf } from './consent.ts';
import { rulesNeedSecond } from './four-eyes/four-eyes.ts';
import type { RuleReader } from './generation.ts';
import { changesBetween } from './rule-change.ts';
import type { RuleBook } from './rules-changed.ts';
import type { RuleEdit } from './rule-edit.ts';
import { consentOf, ruleIdOf } from './rule-edit.ts';
import { NoSuchRuleError, RuleChangedError, VersionRequiredError } from './rule-errors.ts';
import type { Authorship } from '../shared/actor.ts';
import type { RuleSet, StoredRule } from './rule-set.ts';
import { nextSet } from './next-set.ts';
import { isSameJson } from './rule-set.ts';
import type { RuleStore } from './rule-store.ts';
import type { SecondPerson } from './four-eyes/second-person.ts';
import { assertOpen, propose } from './four-eyes/second-person.ts';

type RuleBookOptions = {
  readonly store: RuleStore;
  /** Makes sure of a whole set; throws where it is wrong, with every mistake. */
  readonly validate: (rules: readonly StoredRule[]) => unknown;
  /** Reads one stored rule; undefined where it is wrong. */
  readonly read: RuleReader;
  readonly second: SecondPerson;
};

/** Puts a rule book together. */
export function createRuleBook({ store, validate, read, second }: RuleBookOptions): RuleBook {
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
    async change(edit, author, { dryRun = false, approval } = {}) {
      for (let tries = 0; tries < CHANGES_FIRST_MAX; tries++) {
        const before = await store.read();
        const rules = rulesAfter(edit, before, read);
        validate(rules);
        const { set, versions } = nextSet(before, rules, author, read);
        const changes = changesBetween(before.rules, set.rules, read);
        const wasThere = versionNow(edit, before) !== undefined;
        if (changes.length === 0) return { set: before, changes, wasThere };
        if (dryRun) return { set: before, changes, wasThere };
        const losses = lossesOf(changes, consentOf(edit));
        if (losses !== undefined) throw new ConsentRequiredError(losses);
        if (approval === undefined && rulesNeedSecond(second.fourEyes, changes, read)) {
          const asked = { about: 'rules', edit: forWhatIs(edit, before) } as const;
          const proposed = await propose(second, asked, author);
          return { set: before, changes, wasThere, proposed };
        }
        if (await store.replace(before, set, versions, approval)) return { set, changes, wasThere };
        if (approval !== undefined) await assertOpen(second.store, approval);
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
function rulesAfter(edit: RuleEdit, before: RuleSet, read: RuleReader): readonly StoredRule[] {
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
      const isSame = nextSet(before, edit.rules, NOBODY, read).versions.length === 0;
      if (!isSame || edit.condition.kind !== 'versions') assertMeant(edit, before);
      return edit.rules;
    }
  }
}

/** Who compares, and changes nothing. */
const NOBODY: Authorship = { at: new Date(0), by: { kind: 'local', id: 'local' } };

/** The version of what is to be changed; undefined where there is none. */
function versionNow(edit: RuleEdit, before: RuleSet): number | undefined {
  const id = ruleIdOf(edit);
  if (id === undefined) return before.revision === 0 ? undefined : before.revision;
  return before.rules.find(({ rule }) => rule.id === id)?.version;
}

/**
 * An edit that may wait: for the state that there is now, and no other. One for any version would undo what
 * was changed until somebody approves it, such as a maximum that was lowered to stop a thief.
 */
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
