import type { Db } from 'mongodb';
import type { Settings } from '../lib/edge/settings.ts';
import type { HistoryBook } from '../lib/audit/history/history.ts';
import { mongoHistory } from '../lib/audit/history/mongo-history.ts';
import { auditCollection } from '../lib/audit/mongo-audit-store.ts';
import { readableRules } from '../lib/rule-file/rule-list.ts';
import type { FourEyes } from '../lib/four-eyes/four-eyes.ts';
import { mongoProposalStore } from '../lib/four-eyes/mongo-proposal-store.ts';
import type { ProposalBook } from '../lib/proposals/proposal-book.ts';
import { createProposalBook } from '../lib/proposals/proposal-book.ts';
import type { SecondPerson } from '../lib/four-eyes/proposal.ts';
import { mongoRuleStore, readVersionedRules } from '../lib/rule-book/mongo-rule-store.ts';
import type { OwnersOf, RuleBook } from '../lib/rule-book/rule-book.ts';
import { createRuleBook } from '../lib/rule-book/rule-book.ts';
import { ownersOf } from '../lib/terms/mongo-owners.ts';
import { mongoTermsStore } from '../lib/terms/mongo-terms-store.ts';
import type { TermsBook } from '../lib/terms/terms-book.ts';
import { createTermsBook } from '../lib/terms/terms-book.ts';
import type { Service } from './service.ts';

const machineNow = (): Date => new Date();

/** Which changes need a second person, and where they wait in a database. */
export function secondPersonOn(db: Db, timeoutMs: number, fourEyes: FourEyes): SecondPerson {
  return { fourEyes, store: mongoProposalStore(db, timeoutMs) };
}

/** Puts the rule book of a database together: for the functions, and for commands. */
export function ruleBookOn(
  db: Db,
  timeoutMs: number,
  { fourEyes, homeKinds }: Pick<Settings, 'fourEyes' | 'homeKinds'>,
): RuleBook {
  const second = secondPersonOn(db, timeoutMs, fourEyes);
  const owners: OwnersOf = (names) => ownersOf(db, timeoutMs, names, machineNow());
  return createRuleBook(mongoRuleStore(db, timeoutMs), second, homeKinds, owners);
}

/** Puts the rule book of a service's database together. */
export function ruleBookOf({ db, settings }: Service): RuleBook {
  return ruleBookOn(db, settings.storeTimeoutMs, settings);
}

/** Puts the terms book of a service's database together. */
export function termsBookOf({ db, settings }: Service): TermsBook {
  const { homeKinds, freezableKinds, storeTimeoutMs, fourEyes } = settings;
  return createTermsBook({
    store: mongoTermsStore(db, storeTimeoutMs),
    // Not those that checks remember: what is a raise is measured by the rule as it is.
    rules: async () => readableRules(await readVersionedRules(db, storeTimeoutMs)),
    alwaysAsked: [...new Set([...homeKinds.slice(0, 1), ...freezableKinds])],
    version: () => crypto.randomUUID(),
    second: secondPersonOn(db, storeTimeoutMs, fourEyes),
    machineNow,
  });
}

/** Puts the proposal book of a service's database together. */
export function proposalBookOf(service: Service): ProposalBook {
  return createProposalBook({
    store: service.proposals,
    rules: ruleBookOf(service),
    terms: termsBookOf(service),
    machineNow,
  });
}

/** Puts together what tells of the past of a service's database. */
export function historyBookOf({ db, rules, settings }: Service): HistoryBook {
  const { audit, storeTimeoutMs, homeKinds, freezableKinds } = settings;
  return mongoHistory({
    rows: audit === 'off' ? undefined : auditCollection(db),
    timeoutMs: storeTimeoutMs,
    rules,
    knownKinds: [...homeKinds, ...freezableKinds],
    machineNow,
  });
}
