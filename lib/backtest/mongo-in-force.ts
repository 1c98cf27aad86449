import type { Db } from 'mongodb';
import { settingsCollection, type SettingsDocument } from '../audit/mongo-settings.ts';
import type { StoredTerms } from '../document/stored-terms.ts';
import { readTerms } from '../document/stored-terms.ts';
import { compile } from '../plan/compile.ts';
import { NEEDED_RULES, type OnNoRule } from '../plan/plan.ts';
import { readableRules } from '../rule-file/rule-list.ts';
import { nextSet } from '../changes/rule-change.ts';
import type { RuleSet, StoredRule } from '../rule-file/rule-set.ts';
import { RULE_VERSIONS } from '../rule-book/mongo-rule-store.ts';
import type { Authorship } from '../shared/actor.ts';
import { OPEN_HOLDS_DEFAULT, OPEN_SHARES_DEFAULT } from '../shared/bounds.ts';
import { groupedBy } from '../shared/grouped.ts';
import { TERMS_CHANGES } from '../terms/mongo-terms-store.ts';
import type { InForce, RulesFrom, SettingsFrom, TermsFrom } from './history.ts';

const READ = { readPreference: 'secondaryPreferred' } as const;

/** Reads the rules and the settings of all time, and the terms that were in force up to an instant. */
export async function readInForce(db: Db, to: Date): Promise<InForce> {
  const [rules, terms, settings] = await Promise.all([
    readPastRules(db),
    readTermsChanges(db, to),
    readPastSettings(db),
  ]);
  return { rules, terms, settings };
}

type RuleThen = Authorship & {
  readonly rule: string;
  readonly version: number;
  readonly after?: StoredRule;
};

/** Every set of rules that there was, from every change of one. Rows tell theirs, also one of a clock that is ahead. */
async function readPastRules(db: Db): Promise<readonly RulesFrom[]> {
  const changes = await db
    .collection<RuleThen>(RULE_VERSIONS)
    .find(
      {},
      { ...READ, sort: { version: 1, rule: 1 }, projection: { before: 0 }, allowDiskUse: true },
    )
    .toArray();
  const rules = new Map<string, StoredRule>();
  const sets: RulesFrom[] = [];
  let set: RuleSet = { revision: 0, rules: [] };
  for (const [, ofVersion] of groupedBy(changes, ({ version }) => String(version))) {
    const [first] = ofVersion;
    if (first === undefined) continue;
    for (const { rule, after } of ofVersion)
      if (after === undefined) rules.delete(rule);
      else rules.set(rule, after);
    const { at, by, version } = first;
    set = nextSet({ ...set, revision: version - 1 }, [...rules.values()], { at, by }).set;
    sets.push({ at, rules: compile(readableRules(set)) });
  }
  return sets;
}

type TermsThen = {
  readonly document: string;
  readonly at: Date;
  readonly after?: StoredTerms;
};

async function readTermsChanges(db: Db, to: Date): Promise<readonly TermsFrom[]> {
  const changes = await db
    .collection<TermsThen>(TERMS_CHANGES)
    .find(
      { at: { $lt: to } },
      {
        ...READ,
        sort: { at: 1 },
        projection: { document: 1, at: 1, after: 1 },
        allowDiskUse: true,
      },
    )
    .toArray();
  return changes.map(({ document, at, after }) => ({
    document,
    at,
    terms: after && readTerms(after),
  }));
}

/** Rows from before the first settings that are noted are taken for decided by these. */
async function readPastSettings(db: Db): Promise<InForce['settings']> {
  const noted = await settingsCollection(db)
    .find({}, { ...READ, sort: { at: 1 } })
    .toArray();
  const settings = noted.map(settingsFrom);
  return [{ ...(settings[0] ?? DEFAULTS), at: new Date(0), isAssumed: true }, ...settings];
}

const DEFAULTS: Omit<SettingsFrom, 'at'> = {
  by: {
    homeKinds: ['user'],
    askedKinds: [],
    needsRule: NEEDED_RULES.refuse,
    openHoldsMax: OPEN_HOLDS_DEFAULT,
    openSharesMax: OPEN_SHARES_DEFAULT,
  },
  attributes: 'all',
};

/** As functions note them: see `DECIDING` of functions/service.ts. */
function settingsFrom({ at, settings }: SettingsDocument): SettingsFrom {
  const { by, attributes } = DEFAULTS;
  const { homeKinds, freezableKinds, onNoRule, openHoldsMax, openSharesMax } = settings;
  const { auditAttributes } = settings;
  const isKnown = (said: unknown): said is OnNoRule =>
    typeof said === 'string' && Object.hasOwn(NEEDED_RULES, said);
  return {
    at,
    by: {
      homeKinds: listIn(homeKinds) ?? by.homeKinds,
      askedKinds: listIn(freezableKinds) ?? by.askedKinds,
      needsRule: isKnown(onNoRule) ? NEEDED_RULES[onNoRule] : by.needsRule,
      openHoldsMax: typeof openHoldsMax === 'number' ? openHoldsMax : by.openHoldsMax,
      openSharesMax: typeof openSharesMax === 'number' ? openSharesMax : by.openSharesMax,
    },
    attributes: auditAttributes === 'none' ? 'none' : (listIn(auditAttributes) ?? attributes),
  };
}

function listIn(said: unknown): readonly string[] | undefined {
  return Array.isArray(said) ? said.map(String) : undefined;
}
