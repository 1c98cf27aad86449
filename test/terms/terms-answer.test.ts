import { describe, expect, it } from 'vitest';
import type { Override } from '../../lib/rule/own-terms.ts';
import type { TermsChanged } from '../../lib/changes/terms-change.ts';
import { readRowPlace } from '../../lib/http/page.ts';
import { readStoredRule } from '../../lib/rule-file/rule-list.ts';
import { USER_DAY } from '../support/stored-rules.ts';
import { changesJson } from '../../lib/terms/terms-answer.ts';

/** Lambda's limit of 6 MB, read as the smaller of its two meanings. */
const RESPONSE_BYTES_MAX = 6_000_000;

const SUBJECT = { kind: 'user', id: '\u0001'.repeat(256) };
const person = 'j'.repeat(256);
/** Of all overrides: with the longest id and currency. */
const RULE = readStoredRule({
  ...USER_DAY,
  id: 'r-'.padEnd(64, 'x'),
  currency: 'ABCDEFGHIJKL',
});
const RULE_OF = () => RULE;
const author = {
  by: { kind: 'application', id: 'a'.repeat(64), person } as const,
  reason: '\u0001'.repeat(256), // JSON writes it with six characters, and in the envelope with seven
};

/** Changes a minute apart, the newest first, each of as many overrides as there may be. */
function changes(count: number, overrides: number): readonly TermsChanged[] {
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(Date.UTC(2026, 2, 2, 12) - index * 60_000);
    const override = {
      ...author,
      at,
      from: at,
      until: at,
      max: { amountMinor: 1e15, count: 1e15 },
    };
    const all = Array.from({ length: overrides }, (__, each): Override => ({
      ...override,
      id: `00000000-0000-4000-8000-${String(each).padStart(12, '0')}`,
      rule: `r${each}-`.padEnd(64, 'x'),
    }));
    const terms = { version: 'v', overrides: all, freeze: { ...author, at } };
    const change = { version: `v-${index}`, subject: SUBJECT, change: 'override' as const, at };
    return { ...author, ...change, rule: 'r', before: terms, after: terms };
  });
}

describe('a page of the changes of a subject’s terms', () => {
  it('fits into what Lambda returns, and the next one begins where it ends', () => {
    const found = changes(101, 50);
    const page = changesJson(SUBJECT, 100, found, RULE_OF);
    expect(Buffer.byteLength(JSON.stringify(JSON.stringify(page)))).toBeLessThan(
      RESPONSE_BYTES_MAX,
    );
    const { changes: told, next } = page;
    expect(told.length).toBeGreaterThan(1);
    expect(told.length).toBeLessThan(100);
    const last = found[told.length - 1];
    expect(last).toMatchObject({ at: new Date(told.at(-1)?.at ?? '') });
    expect(readRowPlace(next)).toEqual({ at: last?.at, id: last?.version });
  });

  it('has as many as were asked for where they are ordinary', () => {
    const found = changes(101, 1);
    const page = changesJson(SUBJECT, 100, found, RULE_OF);
    expect(page.changes).toHaveLength(100);
    expect(readRowPlace(page.next)).toEqual({ at: found[99]?.at, id: 'v-99' });
    expect(changesJson(SUBJECT, 100, found.slice(1), RULE_OF).next).toBeNull();
  });
});
