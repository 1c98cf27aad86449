import type { TermsBook } from '../lib/rules/terms/terms-book.ts';
import { createTermsBook } from '../lib/rules/terms/terms-book.ts';
import { readableRules } from '../lib/rules/file/rule-list.ts';
import { mongoTermsStore } from '../lib/rules/terms/mongo-terms-store.ts';
import { readVersionedRules } from '../lib/rules/mongo-rule-store.ts';
import { secondPersonOn } from './second-person.ts';
import type { Service } from './service.ts';

/** Puts the terms book of a service's database together. */
export function termsBookOf({ db, settings }: Service): TermsBook {
  const [home] = settings.homeKinds;
  return createTermsBook({
    store: mongoTermsStore(db, settings.storeTimeoutMs),
    // Not those that checks remember: what is a raise is measured by the rule as it is.
    rules: async () => readableRules(await readVersionedRules(db, settings.storeTimeoutMs)),
    alwaysAsked: [...new Set([...(home === undefined ? [] : [home]), ...settings.freezableKinds])],
    version: () => crypto.randomUUID(),
    second: secondPersonOn(db, settings.storeTimeoutMs, settings.fourEyes),
    machineNow: () => new Date(),
  });
}
