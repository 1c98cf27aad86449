import { describe, expect, it } from 'vitest';
import type { Proposal } from '../../lib/four-eyes/proposal.ts';
import type { StoredRule } from '../../lib/rule-file/rule-set.ts';
import { nextSet } from '../../lib/changes/rule-change.ts';
import { proposalLookJson } from '../../lib/proposals/proposal-answer.ts';
import { validateRuleSet } from '../../lib/rule-file/rule-list.ts';

const RESPONSE_BYTES_MAX = 6_000_000;
const NOW = new Date('2026-03-02T04:00:00Z');
const author = { at: NOW, by: { kind: 'local', id: 'local' } } as const;

/** Rules with as many signs as JSON writes with two, and once more in an envelope. */
const rulesWith = (count: number, most: number): readonly StoredRule[] =>
  Array.from({ length: count }, (_, n) => ({
    id: `rule-${n}`.padEnd(64, 'x'),
    ...{ per: ['user'], currency: 'CNY', window: { unit: 'day', timeZone: 'UTC' } },
    ...{ title: { en: '"'.repeat(256), zh: '"'.repeat(256) }, max: { count: most } },
  }));

function look(count: number) {
  return lookAt(rulesWith(count, 1), rulesWith(count, 2));
}

function lookAt(before: readonly StoredRule[], after: readonly StoredRule[]) {
  validateRuleSet(after, ['user']); // they may be stored
  const condition = { kind: 'versions', versions: [1] } as const;
  const edit = { kind: 'replace', rules: after, condition } as const;
  const until = new Date('2026-03-09T04:00:00Z');
  const change = { about: 'rules', edit } as const;
  const proposal: Proposal = { id: 'p-1', state: 'open', ...author, until, change };
  const { set } = nextSet({ revision: 0, rules: [] }, before, author);
  const { changes } = nextSet(set, after, author);
  const answer = proposalLookJson({ proposal, changes }, NOW, 'en', { kind: 'local', id: 'local' });
  const bytes = Buffer.byteLength(JSON.stringify({ body: JSON.stringify(answer) }));
  return { before, after, answer, bytes };
}

describe('a proposal of a whole set, and what it would change', () => {
  it('fits into what Lambda returns; where it would not, it is without the rules that there are', () => {
    const { after, answer, bytes } = look(1_000);
    expect(bytes).toBeLessThan(RESPONSE_BYTES_MAX);
    expect(answer.asked).toMatchObject({ rules: after });
    const changes = answer.changes as readonly object[];
    expect(changes).toHaveLength(1_000);
    expect(changes[0]).toMatchObject({ change: 'changed', counter: 'kept' });
    expect(changes[0]).not.toHaveProperty('before');
  });

  it('fits where all count again, in one counter, and the set is as large as one may be', () => {
    const title = { en: '"'.repeat(256), zh: '"'.repeat(256), de: '"'.repeat(256) };
    const largest = (unit: string): readonly StoredRule[] =>
      rulesWith(1_000, 1).map((rule) => ({
        ...rule,
        ...{ title: { ...title, fr: '"'.repeat(170) }, window: { unit, timeZone: 'UTC' } },
      }));
    const { after, answer, bytes } = lookAt(largest('day'), largest('week'));
    expect(JSON.stringify(after).length).toBeGreaterThan(2_050_000);
    expect(bytes).toBeLessThan(RESPONSE_BYTES_MAX);
    expect(answer.asked).toMatchObject({ rules: after });
    const [first, second] = ['rule-0', 'rule-100'].map((id) => id.padEnd(64, 'x'));
    expect((answer.changes as readonly object[])[0]).toMatchObject({
      ...{ id: first, sharedWith: [second] },
      says: `begins at zero, in one counter with ${second} and 998 more, because its window changed: its sum until now no longer counts`,
    });
  });

  it('has them otherwise', () => {
    const { before, answer } = look(100);
    expect((answer.changes as readonly object[])[0]).toMatchObject({ before: before[0] });
  });
});
