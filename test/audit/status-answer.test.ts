import { expect, it } from 'vitest';
import type { AuditRow } from '../../lib/audit/audit.ts';
import { statusAnswerJson } from '../../lib/audit/status-call.ts';
import type { Refusal } from '../../lib/http/refusal.ts';

/** Lambda's limit of 6 MB, read as the smaller of its two meanings. */
const RESPONSE_BYTES_MAX = 6_000_000;
/** JSON writes it with six characters, and once more in the envelope with seven. */
const LONGEST = '\u0001'.repeat(256);
const END = new Date('9999-12-31T00:00:00.000Z');
const MOST = { amountMinor: Number.MAX_SAFE_INTEGER, count: Number.MAX_SAFE_INTEGER };

const REFUSAL: Refusal = {
  rule: 'r'.repeat(64),
  outcome: 'exceeded',
  currency: 'X'.repeat(64),
  window: {
    ...{
      kind: 'calendar',
      unit: 'quarter',
      every: 100,
      timeZone: 'America/Argentina/ComodRivadavia',
    },
    ...{ dayStartMinutes: 1_439, weekStart: 'wednesday', monthDay: 28 },
  },
  period: { start: END, end: END },
  ...{ min: MOST, max: MOST, used: MOST, held: MOST },
  override: { reason: LONGEST, until: END, own: MOST },
  version: Number.MAX_SAFE_INTEGER,
};
const ROW: AuditRow = {
  ...{ id: 'row', appId: 'default', orderId: LONGEST, operation: 'check', outcome: 'refused' },
  ...{ effective: false, at: END, requestId: 'r'.repeat(64), subjects: {}, currency: 'CNY' },
  ...MOST,
  violations: Array.from({ length: 50 }, () => REFUSAL.rule),
  refusals: Array.from({ length: 50 }, () => REFUSAL),
  reason: 'frozen',
  frozen: Array.from({ length: 10 }, () => {
    return { kind: 'k'.repeat(64), id: LONGEST, reason: LONGEST, until: END };
  }),
  ...{ documents: [], shares: [] },
};

it.each(['en', 'zh'] as const)(
  'the longest answer of status fits into what Lambda returns, in %s',
  (language) => {
    const history = Array.from({ length: 100 }, () => ({ ...ROW }));
    const status = { orderId: LONGEST, state: 'refused', now: END, history } as const;
    const answer = statusAnswerJson(status, language);
    const bytes = Buffer.byteLength(JSON.stringify(JSON.stringify(answer)));
    expect(bytes).toBeGreaterThan(1_500_000);
    expect(bytes).toBeLessThan(RESPONSE_BYTES_MAX);
  },
);
