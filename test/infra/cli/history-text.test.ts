import { describe, expect, it } from 'vitest';
import { transactionsText } from '../../../infra/cli/history-text.ts';
import { subjectTermsText } from '../../../infra/cli/terms-text.ts';

const NOW = '2026-11-21T10:12:09.402Z';

describe('what callers said', () => {
  it('rules no terminal, in the order and the reason of a refused check', () => {
    const text = transactionsText({
      subjects: { user: 'u-1' },
      transactions: [
        {
          ...{ orderId: 'o-1\u001b[2J\n', app: 'shop', subjects: { user: 'u-1' }, at: NOW },
          ...{ operation: 'check', outcome: 'refused', amount: 1, currency: 'CNY' },
          frozen: [
            {
              ...{ subject: { user: 'u-1' }, at: NOW, until: null, reason: 'lost' },
              ...{ by: { kind: 'local', id: 'local' }, sentence: 'frozen: \u202etsol' },
            },
          ],
        },
      ],
      next: null,
    } as unknown as Parameters<typeof transactionsText>[0]); // the rest of an answer is not written
    expect(text.split('\n\n').at(-1)).toBe('o-1\\u001b[2J\\u000a  frozen: \\u202etsol');
    expect(text).not.toContain('\u001b');
  });

  it('rules no terminal, in the reason of a freeze', () => {
    const freeze = {
      ...{ inForce: true, from: NOW, until: null, at: NOW, reason: 'lost \u009b2J' },
      by: { kind: 'local', id: 'local' } as const,
    };
    const text = subjectTermsText({ subject: { user: 'u-1' }, freeze, overrides: [], now: NOW });
    expect(text).toContain('"lost \\u009b2J"');
  });
});
