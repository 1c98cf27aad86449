import { describe, expect, it } from 'vitest';
import type { RuleChange } from '../../lib/changes/rule-change.ts';
import { changeSentence, rulesChangedJson } from '../../lib/rule-book/rules-answer.ts';

/** Lambda's limit of 6 MB, read as the smaller of its two meanings. */
const RESPONSE_BYTES_MAX = 6_000_000;

const IDS = Array.from({ length: 1_000 }, (_, index) => `r${index}-`.padEnd(64, 'x'));
const changeOf = (id: string): RuleChange => ({
  ...{ id, kind: 'changed', counter: 'anew', because: ['per', 'currency', 'counts', 'window'] },
  overrides: { kind: 'end', name: id },
  owners: { documents: IDS.map((each) => `user:${each.padEnd(256, '\u0001')}`), isAll: true },
  sharedWith: IDS.filter((other) => other !== id),
});

describe('what a change of rules is answered', () => {
  it('fits into what Lambda returns, although a thousand rules share one counter', () => {
    const answer = rulesChangedJson(
      {
        set: { revision: 2, rules: [] },
        changes: IDS.map(changeOf),
        warnings: IDS.map((says) => ({ says: says.repeat(6) })),
      },
      false,
      true,
    );
    expect(Buffer.byteLength(JSON.stringify(JSON.stringify(answer)))).toBeLessThan(
      RESPONSE_BYTES_MAX,
    );
  });

  it('names the first twenty of them, and how many more there are', () => {
    const sentence = changeSentence({ ...changeOf('r'), sharedWith: IDS.slice(0, 22) });
    expect(sentence).toContain(`${IDS.slice(0, 20).join(', ')} and 2 more, because its per`);
  });
});
