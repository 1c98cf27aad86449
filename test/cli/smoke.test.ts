import { useHttpService } from '../client/fixture.ts';
import { createHash, createHmac } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Fault } from '../client/http-service.ts';
import { useDatabase } from '../support/database.ts';
import { runCommand } from '../support/run-command.ts';
import { handlersOn } from '../support/service-on-database.ts';

// prettier-ignore
const RULES = [
  { id: 'day',  per: ['user'], currency: 'CNY', window: { unit: 'day', timeZone: 'UTC' }, max: { amount: 500 } },
  { id: 'till', per: ['till'], currency: 'EUR', window: 'lifetime',                       max: { amount: 500 } },
];

const database = useDatabase({ withIndexes: true });
const service = useHttpService(database, () =>
  handlersOn(database, RULES, { AUDIT: 'best-effort' }),
);
afterEach(() => {
  vi.unstubAllEnvs();
});

const run = (words: readonly string[] = [], set = {}) =>
  runCommand('smoke', [...words, '--url', service.url], set);

/** Without the times, which are those of the machine. */
const untimed = (out: string): readonly string[] =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/ +\d+ ms {2}/, ' … ').replace(/smoke-[0-9a-f]{8}/, 'smoke-…'));

describe('headroom smoke', () => {
  it('takes the currency of a rule that counts for its subject, and makes five calls', async () => {
    const { code, out, err } = await run();
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(untimed(out)).toEqual([
      'rules … the currency CNY, of day',
      'dry check … allowed by 1 rule',
      'check … allowed, and held',
      'confirm … confirmed, and counted',
      'check … allowed, and held',
      'rollback … rolledBack',
      'All 6 calls are right, for user:smoke-….',
    ]);
    expect(service.arrived.map(({ url }) => url.replace(/^.*\/v1\//, ''))).toEqual([
      'rules',
      'check',
      'check',
      'confirm',
      'check',
      'rollback',
    ]);
  });

  it('takes the currency of the subject that is named', async () => {
    const { code, out } = await run(['till:2']);
    expect({ code, first: untimed(out)[0] }).toEqual({
      code: 0,
      first: 'rules … the currency EUR, of till',
    });
  });

  it('counts what it confirmed, and leaves nothing held', async () => {
    expect((await run(['user:counted', '--amount', '7'])).code).toBe(0);
    const usage = await runCommand('usage', ['user:counted', '--url', service.url, '--json']);
    const { rules } = JSON.parse(usage.out) as { readonly rules: readonly object[] }; // our own
    expect(rules).toMatchObject([{ rule: 'day', used: { amount: 7 }, held: { amount: 0 } }]);
  });

  it('asks what it is told to ask', async () => {
    const { code, out } = await run(['till:1', '--currency', 'EUR', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      subjects: { till: '1' },
      steps: [{ name: 'dry check', isRight: true }, {}, {}, {}, { name: 'rollback' }],
    });
  });

  it.each([
    {
      words: ['--currency', 'XAU'],
      says: 'no rule applies to the probe',
      look: 'the rules (headroom',
    },
    {
      words: ['--currency', 'CNY', '--amount', '501'],
      says: 'refused by day',
      look: 'these rules. Name a subject',
    },
  ])('with $words ends at the first call: $says', async ({ words, says, look }) => {
    const { code, out, err } = await run(words);
    expect(code).toBe(2);
    expect(out.trimEnd().split('\n')).toHaveLength(1);
    expect(out).toContain(says);
    expect(err).toMatch(/^The dry check failed for user:smoke-[0-9a-f]{8}\. Look at /);
    expect(err).toContain(look);
  });
});

describe('a smoke test that fails', () => {
  const gateway = (status: number): Fault => ({ status, body: '{"message":"Forbidden"}' });

  it.each([
    { status: 403, look: 'the credentials. With IAM: HEADROOM_IAM_REGION' },
    { status: 404, look: 'the address: everything before /v1' },
  ])('after HTTP $status of API Gateway says: look at $look', async ({ status, look }) => {
    service.faults.push(gateway(status));
    const { code, out, err } = await run();
    expect({ code, look: err.includes(`Look at ${look}`) }).toEqual({ code: 2, look: true });
    expect(out).toContain(`HTTP ${status}`);
  });

  it('asks for a currency where the application may not read rules', async () => {
    const problem = { code: 'RIGHT_MISSING', status: 403, detail: 'no', requestId: 'r-1' };
    service.faults.push({ status: 403, body: JSON.stringify(problem) });
    const { code, err } = await run();
    expect(code).toBe(2);
    expect(err).toContain('The rules failed for user:smoke-');
    expect(err).toContain('Look at a currency of your rules (--currency), or the right rules:read');
  });

  it('names the function whose log says more', async () => {
    service.lost.add('/v1/confirm');
    const { code, out, err } = await run();
    expect(code).toBe(2);
    expect(untimed(out).slice(1, 3)).toEqual([
      'dry check … allowed by 1 rule',
      'check … allowed, and held',
    ]);
    expect(err).toMatch(/^The confirm failed .*\/aws\/lambda\/headroom-<stage>-confirm/);
  });

  it('says where nobody listens', async () => {
    const { code, err } = await runCommand('smoke', ['--url', 'http://127.0.0.1:9']);
    expect(code).toBe(2);
    expect(err).toMatch(/^Not asked: nothing answers at http:\/\/127\.0\.0\.1:9 \(/);
  });
});

it('asks nobody where IAM is to decide and there are no AWS credentials', async () => {
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE'])
    vi.stubEnv(name, '');
  for (const name of ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE'])
    vi.stubEnv(name, '/does/not/exist');
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  const { code, err } = await run([], { HEADROOM_IAM_REGION: 'eu-central-1' });
  expect(code).toBe(2);
  expect(err).toBe(
    'Not asked: HEADROOM_IAM_REGION asks for signed calls, and there are no AWS credentials. Run aws configure, or set AWS_PROFILE\n',
  );
  expect(service.arrived).toEqual([]);
});

describe('where IAM authenticates', () => {
  const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
  const hmac = (key: string | Buffer, text: string): Buffer =>
    createHmac('sha256', key).update(text).digest();
  const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

  it('signs every call as AWS describes it (Signature Version 4)', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', SECRET);
    expect((await run([], { HEADROOM_IAM_REGION: 'eu-central-1' })).code).toBe(0);
    expect(service.arrived).toHaveLength(6);
    for (const { method, url, headers, body } of service.arrived) {
      const [, day = '', names = '', signature = ''] =
        /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/(\d{8})\/eu-central-1\/execute-api\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/.exec(
          headers.authorization ?? '',
        ) ?? [];
      const lines = names.split(';').map((name) => `${name}:${String(headers[name])}\n`);
      const canonical = [method, url, '', lines.join(''), names, digest(body)].join('\n');
      const scope = `${day}/eu-central-1/execute-api/aws4_request`;
      const text = `AWS4-HMAC-SHA256\n${String(headers['x-amz-date'])}\n${scope}\n${digest(canonical)}`;
      const key = ['eu-central-1', 'execute-api', 'aws4_request'].reduce<Buffer>(
        (before, part) => hmac(before, part),
        hmac(`AWS4${SECRET}`, day),
      );
      expect(names).toContain('host');
      expect(signature).toBe(hmac(key, text).toString('hex'));
    }
  });
});
