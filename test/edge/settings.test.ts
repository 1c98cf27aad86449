import { describe, expect, it } from 'vitest';
import { InvalidConfigurationError } from '../../lib/shared/errors.ts';
import type { Environment } from '../../lib/edge/settings.ts';
import { readDatabaseSettings, readSettings } from '../../lib/edge/settings.ts';

const UNLIMITED = 'refuse-unlimited';
const LEAST = { MONGODB_URI: 'mongodb://127.0.0.1:27017/' };
/** 32 bytes from 0 to 31. */
const APPS_KEY = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const HMAC = {
  kind: 'hmac',
  appsKey: Buffer.from(Array.from({ length: 32 }, (_, byte) => byte)),
  appsCacheMs: 10_000,
  replay: 'changes',
};
/** Every variable that need not be set. */
const EMPTY = Object.fromEntries(
  [
    ...[
      'MONGODB_DATABASE',
      'STORE_TIMEOUT_MS',
      'RULES_CACHE_SECONDS',
      'ON_UNDECIDED',
      'ON_NO_RULE',
    ],
    ...['HOME_KINDS', 'MAX_OPEN_HOLDS', 'MAX_OPEN_SHARES', 'REMEMBERED_OUTCOMES', 'CONSISTENCY'],
    ...['AUDIT', 'AUDIT_DAYS', 'LOG_PAYLOADS', 'LOG_LEVEL', 'LOCAL_CLOCK'],
    ...['AUTH', 'APPS_KEY', 'APPS_CACHE_SECONDS', 'REPLAY'],
  ].map((name) => [name, '']),
);
const DEPLOYED = { AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' };

function problems(environment: Environment): InvalidConfigurationError {
  try {
    readSettings(environment);
  } catch (error) {
    if (error instanceof InvalidConfigurationError) return error;
    throw error;
  }
  throw new Error('the settings were accepted');
}

describe('settings', () => {
  it.each([
    { environment: LEAST, why: 'only the database must be said' },
    {
      environment: { ...LEAST, ...EMPTY },
      why: 'an empty variable is one that is not set',
    },
  ])('have defaults, because $why', ({ environment }) => {
    expect(readSettings(environment)).toEqual({
      mongodbTls: 'required',
      mongodbUri: 'mongodb://127.0.0.1:27017/',
      mongodbDatabase: 'headroom',
      storeTimeoutMs: 2_000,
      rulesCacheMs: 10_000,
      onUndecided: 'refuse',
      onNoRule: 'refuse',
      homeKinds: ['user'],
      freezableKinds: [],
      fourEyes: { kind: 'none' },
      openHoldsMax: 100,
      openSharesMax: 2_000,
      outcomesMax: 100,
      consistency: 'holds',
      audit: 'best-effort',
      auditDays: 400,
      auditAttributes: 'all',
      auditWaitMs: 500,
      backtestFunction: 'headroom-dev-backtest',
      near: 'on',
      logPayloads: false,
      logLevel: 'INFO',
      auth: { kind: 'none' },
      localClock: false,
    });
  });

  it.each([
    { set: { MONGODB_URI: 'mongodb+srv://u:p@example.net/x?y=z' }, is: {}, why: 'hosts by DNS' },
    { set: { STORE_TIMEOUT_MS: '100' }, is: { storeTimeoutMs: 100 }, why: 'it is the least' },
    { set: { STORE_TIMEOUT_MS: '20000' }, is: { storeTimeoutMs: 20_000 }, why: 'it is the most' },
    { set: { RULES_CACHE_SECONDS: '0' }, is: { rulesCacheMs: 0 }, why: 'zero is never cached' },
    { set: { RULES_CACHE_SECONDS: '300' }, is: { rulesCacheMs: 300_000 }, why: 'it is the most' },
    { set: { ON_UNDECIDED: 'allow' }, is: { onUndecided: 'allow' }, why: 'it is a choice' },
    { set: { HOME_KINDS: 'account, user' }, is: { homeKinds: ['account', 'user'] }, why: 'a list' },
    { set: { FREEZABLE_KINDS: 'card' }, is: { freezableKinds: ['card'] }, why: 'a list of one' },
    { set: { MAX_OPEN_HOLDS: '2000' }, is: { openHoldsMax: 2_000 }, why: 'it is the most' },
    { set: { MAX_OPEN_SHARES: '1' }, is: { openSharesMax: 1 }, why: 'it is the least' },
    { set: { REMEMBERED_OUTCOMES: '1000' }, is: { outcomesMax: 1_000 }, why: 'it is the most' },
    { set: { CONSISTENCY: 'session' }, is: { consistency: 'session' }, why: 'it is a choice' },
    { set: { ON_NO_RULE: 'allow' }, is: { onNoRule: 'allow' }, why: 'it is a choice' },
    { set: { ON_NO_RULE: UNLIMITED }, is: { onNoRule: UNLIMITED }, why: 'it is a choice' },
    { set: { AUDIT: 'off' }, is: { audit: 'off' }, why: 'it is a choice' },
    { set: { AUDIT_ATTRIBUTES: 'none' }, is: { auditAttributes: 'none' }, why: 'it is a choice' },
    {
      set: { AUDIT_ATTRIBUTES: 'tier, country' },
      is: { auditAttributes: ['tier', 'country'] },
      why: 'a list',
    },
    { set: { AUDIT: 'session' }, is: { audit: 'session' }, why: 'it is a choice' },
    { set: { AUDIT_DAYS: '3660' }, is: { auditDays: 3_660 }, why: 'it is the most' },
    { set: { NEAR: 'off' }, is: { near: 'off' }, why: 'calls write no rows then' },
    { set: { NEAR_BUS: 'default' }, is: { nearBus: 'default' }, why: 'an account has that one' },
    { set: { NEAR_BUS: '' }, is: { near: 'on' }, why: 'an empty variable is none' },
    {
      set: { BACKTEST_FUNCTION: 'headroom-x-backtest' },
      is: { backtestFunction: 'headroom-x-backtest' },
      why: 'it is a name',
    },
    { set: { LOG_PAYLOADS: 'on' }, is: { logPayloads: true }, why: 'it is a choice' },
    { set: { LOG_LEVEL: 'WARN' }, is: { logLevel: 'WARN' }, why: 'it is a level' },
    { set: { LOCAL_CLOCK: 'on' }, is: { localClock: true }, why: 'this is no deployed function' },
    {
      set: { LOCAL_CLOCK: 'on', ...DEPLOYED, IS_OFFLINE: 'true' },
      is: { localClock: true },
      why: 'a local start imitates a deployed function, and says so',
    },
    { set: { AUTH: 'hmac', APPS_KEY }, is: { auth: HMAC }, why: 'callers sign' },
    {
      set: { AUTH: 'hmac', APPS_KEY, APPS_CACHE_SECONDS: '0' },
      is: { auth: { ...HMAC, appsCacheMs: 0 } },
      why: 'zero is never cached',
    },
    {
      set: { AUTH: 'hmac', APPS_KEY, REPLAY: 'refuse' },
      is: { auth: { ...HMAC, replay: 'refuse' } },
      why: 'it is a choice',
    },
    { set: { APPS_KEY: 'x' }, is: { auth: { kind: 'none' } }, why: 'nothing is signed' },
    {
      set: { MONGODB_URI: 'mongodb://mongo:27017/', MONGODB_TLS: 'off' },
      is: { mongodbUri: 'mongodb://mongo:27017/' },
      why: 'somebody said that it may have no TLS',
    },
    { set: DEPLOYED, is: { localClock: false }, why: 'a deployed function has no local clock' },
  ])('$set is accepted, because $why', ({ set, is }) => {
    expect(readSettings({ ...LEAST, ...set })).toMatchObject(is);
  });

  it.each([
    { set: { MONGODB_URI: undefined }, value: undefined, why: 'it must be said' },
    { set: { MONGODB_URI: '' }, value: undefined, why: 'empty is not said' },
    { set: { MONGODB_URI: 'https://x/' }, value: 'a text of 10 characters', why: 'no such way' },
    { set: { MONGODB_URI: 'mongodb://' }, value: 'a text of 10 characters', why: 'no host' },
    { set: { MONGODB_URI: 'mongodb://db.net/' }, value: 'a text of 17 characters', why: 'no TLS' },
    { set: { MONGODB_TLS: 'on' }, value: '"on"', why: 'choices are required and off' },
    { set: { MONGODB_DATABASE: 'a.b' }, value: '"a.b"', why: 'a dot ends a database name' },
    { set: { MONGODB_DATABASE: 'x'.repeat(64) }, value: `"${'x'.repeat(64)}"`, why: 'too long' },
    { set: { STORE_TIMEOUT_MS: '99' }, value: '"99"', why: 'it is too short' },
    { set: { STORE_TIMEOUT_MS: '20001' }, value: '"20001"', why: 'it is too long' },
    { set: { STORE_TIMEOUT_MS: '2s' }, value: '"2s"', why: 'the unit is in the name' },
    { set: { STORE_TIMEOUT_MS: '1e3' }, value: '"1e3"', why: 'people write 1000' },
    { set: { RULES_CACHE_SECONDS: '301' }, value: '"301"', why: 'rules would be too old' },
    { set: { RULES_CACHE_SECONDS: '-1' }, value: '"-1"', why: 'no time is negative' },
    { set: { ON_UNDECIDED: 'Allow' }, value: '"Allow"', why: 'choices are written exactly' },
    { set: { HOME_KINDS: 'user,,card' }, value: '""', why: 'a kind has a name' },
    { set: { HOME_KINDS: 'User' }, value: '"User"', why: 'no kind begins with a capital' },
    { set: { HOME_KINDS: 'user,user' }, value: '"user,user"', why: 'twice is a mistake' },
    { set: { MAX_OPEN_HOLDS: '0' }, value: '"0"', why: 'nothing could be held' },
    { set: { MAX_OPEN_HOLDS: '2001' }, value: '"2001"', why: 'a document has an end' },
    { set: { MAX_OPEN_SHARES: '5001' }, value: '"5001"', why: 'a document has an end' },
    { set: { REMEMBERED_OUTCOMES: '99' }, value: '"99"', why: 'a call may have 100 orders' },
    { set: { AUDIT_ATTRIBUTES: 'tier,,x' }, value: '""', why: 'a name has letters' },
    { set: { AUDIT_ATTRIBUTES: 'All' }, value: '"All"', why: 'choices are written exactly' },
    { set: { NEAR: 'yes' }, value: '"yes"', why: 'choices are on and off' },
    { set: { NEAR_BUS: 'arn:aws:events:x' }, value: '"arn:aws:events:x"', why: 'it has a name' },
    { set: { LOG_PAYLOADS: 'true' }, value: '"true"', why: 'a guess would log amounts' },
    { set: { LOG_LEVEL: 'LOUD' }, value: '"LOUD"', why: 'there is no such level' },
    { set: { AUTH: 'HMAC' }, value: '"HMAC"', why: 'a guess would let anybody in' },
    { set: { REPLAY: 'off' }, value: '"off"', why: 'off what, nobody knows' },
    { set: { APPS_CACHE_SECONDS: '301' }, value: '"301"', why: 'who is disabled would go on' },
    { set: { LOCAL_CLOCK: '1' }, value: '"1"', why: 'a guess would let callers choose the time' },
    { set: { LOCAL_CLOCK: 'on', ...DEPLOYED }, value: '"on"', why: 'it is deployed' },
  ])('$set is refused, because $why', ({ set, value }) => {
    const [path] = Object.keys(set);
    const expected = expect.any(String) as string;
    expect(problems({ ...LEAST, ...set }).mistakes).toEqual([
      { path, ...(value === undefined ? {} : { value }), expected },
    ]);
  });

  it.each([
    { key: undefined, value: undefined, why: 'it must be said' },
    { key: '', value: undefined, why: 'empty is not said' },
    { key: APPS_KEY.slice(4), value: 'a text of 40 characters', why: 'that is 29 bytes' },
    { key: `${APPS_KEY}\n`, value: 'a text of 45 characters', why: 'a line end is no base64' },
    { key: '0'.repeat(64), value: 'a text of 64 characters', why: 'hexadecimal is no base64' },
  ])('need a key for the secrets of applications: $key is none, because $why', ({ key, value }) => {
    const error = problems({ ...LEAST, AUTH: 'hmac', APPS_KEY: key });
    expect(error.mistakes).toEqual([
      {
        path: 'APPS_KEY',
        ...(value === undefined ? {} : { value }),
        expected: '32 random bytes in base64, as `openssl rand -base64 32` makes them',
      },
    ]);
  });

  it('are refused with every problem at once, a line each', () => {
    const { message } = problems({ MONGODB_URI: 'x', STORE_TIMEOUT_MS: '5', ON_UNDECIDED: 'no' });
    expect(message).toBe(
      [
        'The settings are wrong:',
        '  - MONGODB_URI is a text of 1 characters, expected a connection string that begins with mongodb:// or mongodb+srv://',
        '  - STORE_TIMEOUT_MS is "5", expected a whole number from 100 to 20000',
        '  - ON_UNDECIDED is "no", expected one of refuse, allow',
      ].join('\n'),
    );
  });

  it.each(['root:secret@127.0.0.1/', 'mongo://root:secret@x/', 'mongodb:/root:secret@x/'])(
    'never show the credentials of %s',
    (uri) => {
      expect(problems({ MONGODB_URI: uri }).message).not.toMatch(/root|secret/);
    },
  );
});

describe('settings of a function that verifies no signature', () => {
  it('need no key, and have none', () => {
    const { auth } = readSettings({ ...LEAST, AUTH: 'hmac', APPS_KEY: '' }, 'unread');
    expect(auth).toMatchObject({ kind: 'hmac', appsKey: Buffer.of() });
  });

  it('are where the database is, if it only makes indexes', () => {
    expect(readDatabaseSettings({ ...LEAST, AUTH: 'hmac' })).toEqual({
      mongodbTls: 'required',
      mongodbUri: 'mongodb://127.0.0.1:27017/',
      mongodbDatabase: 'headroom',
    });
    expect(() => readDatabaseSettings({})).toThrow('MONGODB_URI is missing');
  });
});
