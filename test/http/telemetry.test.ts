import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { UndecidedError } from '../../lib/shared/errors.ts';
import { readSettings } from '../../lib/edge/settings.ts';
import type { CallRecord } from '../../lib/http/telemetry.ts';
import { createTelemetry, describeFault } from '../../lib/http/telemetry.ts';

const REFUSED: CallRecord = {
  call: 'check',
  requestId: 'r-1',
  durationMs: 3.2,
  outcome: 'refused',
  refusedBy: ['user-day'],
  payload: { request: { subjects: { user: 'u-secret' } }, answer: { amount: 4711 } },
};

let lines: string[];
beforeEach(() => {
  vi.stubEnv('POWERTOOLS_SERVICE_NAME', 'headroom');
  lines = [];
  const take = (chunk: unknown): boolean => {
    lines.push(String(chunk));
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(take);
  vi.spyOn(process.stderr, 'write').mockImplementation(take);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Everything that was written, line by line. */
function written(set: Readonly<Record<string, string>>, record: CallRecord): readonly unknown[] {
  createTelemetry(readSettings({ MONGODB_URI: 'mongodb://127.0.0.1/', ...set })).record(record);
  return lines.map((line) => JSON.parse(line) as unknown);
}

describe('the log', () => {
  it('has one line a call, without subjects and amounts', () => {
    const [line, metrics, ...others] = written({}, REFUSED);
    expect(line).toMatchObject({
      level: 'INFO',
      service: 'headroom',
      call: 'check',
      requestId: 'r-1',
      durationMs: 3.2,
      outcome: 'refused',
      refusedBy: ['user-day'],
    });
    expect(metrics).toHaveProperty('_aws');
    expect(others).toEqual([]);
    expect(lines.join()).not.toMatch(/u-secret|4711/);
  });

  it.each([
    { more: { warning: 'no rule applies to …' }, why: 'somebody should look at it' },
    {
      more: { reason: 'no such application' },
      why: 'a caller who cannot call is somebody’s fault',
    },
  ])('warns, because $why', ({ more }) => {
    const [line] = written({}, { ...REFUSED, ...more });
    expect(line).toMatchObject({ level: 'WARN', ...more });
  });

  it('has subjects and amounts where the settings say so', () => {
    const [line] = written({ LOG_PAYLOADS: 'on' }, REFUSED);
    expect(line).toMatchObject({ payload: REFUSED.payload });
  });

  it.each([
    { outcome: 'undecided', code: 'UNDECIDED', level: 'WARN' },
    { outcome: 'failed', code: 'CLOCK_SKEW', level: 'WARN' },
    { outcome: 'failed', code: 'INTERNAL', level: 'ERROR' },
    { outcome: 'rejected', code: 'NOT_FOUND', level: 'INFO' },
  ] as const)('says $code as $level', ({ outcome, code, level }) => {
    expect(written({}, { ...REFUSED, outcome, code })[0]).toMatchObject({ level, code });
  });
});

describe('metrics', () => {
  it.each([
    { outcome: 'allowed', name: 'Allowed' },
    { outcome: 'refused', name: 'Refused' },
    { outcome: 'undecided', name: 'Undecided' },
    { outcome: 'heldBack', name: 'HeldBack' },
    { outcome: 'confirmed', name: 'Confirmed' },
    { outcome: 'rolledBack', name: 'RolledBack' },
    { outcome: 'rejected', name: 'Rejected' },
    { outcome: 'failed', name: 'Errors' },
  ] as const)('count $outcome as $name, whatever the log level', ({ outcome, name }) => {
    const [metrics, ...others] = written({ LOG_LEVEL: 'SILENT' }, { ...REFUSED, outcome });
    expect(others).toEqual([]);
    expect(metrics).toMatchObject({
      _aws: { CloudWatchMetrics: [{ Namespace: 'Headroom', Dimensions: [['service', 'call']] }] },
      service: 'headroom',
      call: 'check',
      [name]: 1,
    });
  });

  it('count orders that no rule applied to', () => {
    const record: CallRecord = { ...REFUSED, outcome: 'allowed', withoutRules: 1 };
    expect(written({ LOG_LEVEL: 'SILENT' }, record)).toMatchObject([
      { Allowed: 1, WithoutRules: 1 },
    ]);
  });

  it('count late confirms too', () => {
    const record: CallRecord = { ...REFUSED, call: 'confirm', outcome: 'confirmed', late: true };
    expect(written({ LOG_LEVEL: 'SILENT' }, record)).toMatchObject([{ Confirmed: 1, Late: 1 }]);
  });
});

describe('what got lost, or could not be loaded again', () => {
  const away = new UndecidedError('no answer within 500 ms');
  // prettier-ignore
  it.each<{ of: 'lostRows' | 'lostNear' | 'staleRules' | 'staleApps'; many: number; line: object; metric: object }>([
    { of: 'lostRows',   many: 3,      line: { rows: 3 },       metric: { AuditLost: 3 } },
    { of: 'lostNear',   many: 2,      line: { crossings: 2 },  metric: { NearLost: 2 } },
    { of: 'staleRules', many: 11_000, line: { ageMs: 11_000, message: expect.stringMatching(/^rules could not/) as string }, metric: { StaleRules: 1 } },
    { of: 'staleApps',  many: 12_000, line: { ageMs: 12_000, message: expect.stringMatching(/^applications/) as string },    metric: { StaleApplications: 1 } },
  ])('is told without what stood in it, and counted, whatever the log level: $of', (row) => {
    for (const LOG_LEVEL of ['INFO', 'SILENT'])
      createTelemetry(readSettings({ MONGODB_URI: 'mongodb://127.0.0.1/', LOG_LEVEL }))[row.of](
        away,
        row.many,
      );
    const metric = { service: 'headroom', ...row.metric };
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 'WARN', ...row.line, fault: { name: 'UndecidedError' } },
      metric,
      metric,
    ]);
  });
});

describe('a subject with nearly as much as it may have', () => {
  it('is told without its id, and counted, of each kind once in ten seconds', () => {
    vi.useFakeTimers();
    const telemetry = createTelemetry(readSettings({ MONGODB_URI: 'mongodb://127.0.0.1/' }));
    const tell = (): void => {
      telemetry.crowded({ of: 'shares', kind: 'merchant', open: 1_650, most: 2_000 });
    };
    tell();
    tell();
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 'WARN', kind: 'merchant', open: 1_650, most: 2_000 },
      { service: 'headroom', OpenSharesHigh: 1 },
    ]);
    telemetry.crowded({ of: 'pairs', kind: 'user', windows: 801, most: 950 });
    expect(lines.slice(2).map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 'WARN', kind: 'user', windows: 801, most: 950 },
      { service: 'headroom', PairsHigh: 1 },
    ]);
    vi.advanceTimersByTime(10_000);
    tell();
    expect(lines).toHaveLength(6);
  });
});

describe('a call of many orders', () => {
  const MANY: CallRecord = {
    ...REFUSED,
    call: 'checks',
    outcome: 'answered',
    orders: { allowed: 97, refused: 2, rejected: 1 },
    codes: { ORDER_REUSED: 1 },
  };

  it('is one line with the number of orders that ended so, and counts each', () => {
    const [line, metrics, ...others] = written({}, MANY);
    expect(line).toMatchObject({ level: 'INFO', orders: MANY.orders, codes: MANY.codes });
    expect(metrics).toMatchObject({ call: 'checks', Allowed: 97, Refused: 2, Rejected: 1 });
    expect(metrics).not.toHaveProperty('Undecided');
    expect(others).toEqual([]);
  });

  it.each([
    { orders: { allowed: 99, undecided: 1 }, codes: { UNDECIDED: 1 }, level: 'WARN' },
    { orders: { allowed: 99, failed: 1 }, codes: { CLOCK_SKEW: 1 }, level: 'WARN' },
    { orders: { allowed: 99, failed: 1 }, codes: { INTERNAL: 1 }, level: 'ERROR' },
  ] as const)('is a $level where $codes', ({ orders, codes, level }) => {
    expect(written({}, { ...MANY, orders, codes })[0]).toMatchObject({ level });
  });

  it('counts what was confirmed late', () => {
    const record: CallRecord = { ...MANY, orders: { confirmed: 3 }, lateOrders: 2 };
    expect(written({ LOG_LEVEL: 'SILENT' }, record)).toMatchObject([{ Confirmed: 3, Late: 2 }]);
  });
});

describe('a fault in the log', () => {
  const foreign = Object.assign(new TypeError('key user:u-secret is there'), { code: 11_000 });

  it('tells its name, its code and its lines, not the words of others', () => {
    const told = describeFault(foreign, false);
    expect(told).toMatchObject({ name: 'TypeError', code: 11_000 });
    expect(JSON.stringify(told.stack)).toContain('telemetry.test.ts');
    expect(JSON.stringify(told)).not.toContain('u-secret');
  });

  it('tells all words where the settings say so', () => {
    expect(describeFault(foreign, true)).toMatchObject({ message: 'key user:u-secret is there' });
  });

  it('tells our own words, and the cause', () => {
    const error = new UndecidedError('SomeError', { cause: foreign });
    const told = describeFault(error, false);
    expect(told).toMatchObject({
      name: 'UndecidedError',
      message: error.message,
      cause: { name: 'TypeError' },
    });
    expect(JSON.stringify(told)).not.toContain('u-secret');
  });

  it('ends, although causes may be a circle', () => {
    const error = new Error('round');
    error.cause = error;
    expect(JSON.stringify(describeFault(error, true)).match(/round/g)?.length).toBeLessThan(20);
  });

  it('may be anything', () => {
    expect(describeFault('text', false)).toEqual({ name: 'string' });
  });
});
