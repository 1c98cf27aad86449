import type { TermsBook } from '../lib/domain/terms-book.ts';
import { createTermsBook } from '../lib/calls/terms-book.ts';
import { mongoTermsStore } from '../lib/store/mongo-terms-store.ts';
import { secondPersonOn } from './second-person.ts';
import type { Service } from './service.ts';

/** Puts the terms book of a service's database together. */
export function termsBookOf({ db, rules, settings }: Service): TermsBook {
  const [home] = settings.homeKinds;
  return createTermsBook({
    store: mongoTermsStore(db, settings.storeTimeoutMs),
    rules,
    alwaysAsked: [...new Set([...(home === undefined ? [] : [home]), ...settings.freezableKinds])],
    version: () => crypto.randomUUID(),
    second: secondPersonOn(db, settings.storeTimeoutMs, settings.fourEyes),
    machineNow: () => new Date(),
  });
}
