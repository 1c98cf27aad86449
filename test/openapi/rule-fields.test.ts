import { beforeAll, describe, expect, it } from 'vitest';
import { makeIndexes, useDatabase } from '../support/database.ts';
import type { Handlers } from '../support/handlers.ts';
import { callRules } from '../support/rules-call.ts';
import { handlersOn } from '../support/service-on-database.ts';
import { fits, requestSchema } from './contract.ts';
import { BASE, FIELDS } from './rule-values.ts';

/**
 * Each value of each field of a rule is sent, in a rule that is right but for it: what the document allows
 * is taken, and anything else is 400. What must hold between two fields is in words, and not tried here.
 */

const database = useDatabase();
let handlers: Handlers;
beforeAll(async () => {
  await makeIndexes(database.db);
  handlers = await handlersOn(database, []);
});

async function isTaken(body: object, id?: string): Promise<boolean> {
  const call = { method: 'PUT', body, ...(id === undefined ? {} : { id }) } as const;
  const { status } = await callRules(handlers.rules, call);
  return status !== 400;
}

describe('a rule is taken where the document allows it', () => {
  it.each(FIELDS)('whatever its %s is', async (name, rule, values) => {
    const found = [];
    for (const value of values) {
      const body = { rule: { ...rule, [name]: value }, dryRun: true };
      const isAllowed = fits(requestSchema('putRule'), body);
      if ((await isTaken(body, 'rule')) !== isAllowed) found.push({ value, isAllowed });
    }
    expect(found).toEqual([]);
  });

  it.each(Object.keys(BASE))('and has its %s, or does without', async (name) => {
    const rule = Object.fromEntries(Object.entries(BASE).filter(([field]) => field !== name));
    const body = { rule, dryRun: true };
    const isInWords = name === 'currency' || name === 'max'; // required with another field, or without
    expect(await isTaken(body, 'rule')).toBe(fits(requestSchema('putRule'), body) && !isInWords);
  });

  it.each([
    { rules: [{ ...BASE, id: 'a' }], why: 'one is enough' },
    { rules: [BASE], why: 'each has its id' },
    { rules: [], why: 'there is one at least' },
    { rules: 'all', why: 'it is a list' },
    { rules: { a: BASE }, why: 'it is a list' },
  ])('in a set, where $why', async ({ rules }) => {
    const body = { rules, dryRun: true };
    expect(await isTaken(body)).toBe(fits(requestSchema('replaceRules'), body));
  });
});
