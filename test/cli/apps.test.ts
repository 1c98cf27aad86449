import { afterAll, describe, expect, it } from 'vitest';
import { environmentOf, useDatabase } from '../support/database.ts';
import { runCommand } from '../support/run-command.ts';
import { answerTo } from '../support/routed-call.ts';
import { APPS_KEY_TEXT, eventOf, signed, signedServiceOn } from '../support/signed-call.ts';
import { handlersOf } from '../support/handlers.ts';

const CHECK = { orderId: 'o-1', subjects: { user: 'u-1' }, amount: 1, currency: 'CNY' };
const SECRET = /hrs_[A-Za-z0-9_-]{43}/;

const database = useDatabase();

async function runApps(parameters: string, set: Readonly<Record<string, string>> = {}) {
  const parts = parameters.split(' ').filter((part) => part !== '');
  const { code, out, err } = await runCommand('apps', parts, {
    ...environmentOf(database),
    APPS_KEY: APPS_KEY_TEXT,
    ...set,
  });
  return { code, said: out + err };
}

const others: string[] = [];
afterAll(() => Promise.all(others.map((name) => database.client.db(name).dropDatabase())));

/** Names a database without any application, which is dropped in the end. */
function elsewhere(name: string): string {
  others.push(`${database.db.databaseName}-${name}`);
  return others.at(-1) ?? '';
}

function secretIn({ said }: { readonly said: string }): string {
  const [secret] = SECRET.exec(said) ?? [];
  if (secret === undefined) throw new Error(said);
  return secret;
}

/** The status with which a call is answered, signed with a secret. */
async function statusOf(secret: string): Promise<unknown> {
  const { check } = handlersOf(signedServiceOn(database).service);
  const sent = signed({ id: 'shop', secret }, 'check', CHECK);
  return (await answerTo(check, eventOf(sent))).status;
}

describe('npm run apps', () => {
  it('makes an application, changes its secret and its operations, and stops it', async () => {
    const made = await runApps('add shop check,confirm');
    expect(made).toEqual({
      code: 0,
      said: expect.stringMatching(
        /^The new secret of application shop, shown this once: hrs_\S+\nApplication shop may call check, confirm\.\n$/,
      ) as string,
    });
    const first = secretIn(made);
    expect(await statusOf(first)).toBe(200);

    const rotated = await runApps('rotate shop');
    expect(rotated.said).toMatch(/Both work.*npm run apps -- retire shop/);
    const second = secretIn(rotated);
    expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200]);

    expect(await runApps('rotate shop')).toEqual({
      code: 2,
      said: 'Application shop has two secrets already. Remove the older one first: npm run apps -- retire shop\n',
    });
    expect((await runApps('retire shop')).code).toBe(0);
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);
    expect((await runApps('retire shop')).said).toMatch(
      /^Application shop has one secret, which is in use/,
    );

    expect((await runApps('allow shop rollback')).said).toBe(
      'Application shop may call rollback.\n',
    );
    expect(await statusOf(second)).toBe(403);
    expect((await runApps('allow shop all')).code).toBe(0);
    expect((await runApps('disable shop')).said).toBe('Application shop is disabled.\n');
    expect(await statusOf(second)).toBe(401);
    expect((await runApps('list')).said).toMatch(
      /^shop {2}disabled {2}check,confirm,rollback,status,refund,record {2}s2 of \d{4}-\d\d-\d\d\n$/,
    );
    expect((await runApps('enable shop')).code).toBe(0);
    expect(await statusOf(second)).toBe(200);

    const everything = JSON.stringify(await database.db.collection('apps').find().toArray());
    expect(everything).not.toMatch(SECRET);
  });

  it('says it as one JSON value with --json, a secret among it once', async () => {
    const json = async (words: string): Promise<unknown> =>
      JSON.parse((await runApps(`${words} --json`)).said);
    const till = { id: 'till', status: 'active', operations: ['check', 'confirm'], rights: [] };
    const secrets = [{ id: 's1', createdAt: expect.stringMatching(/Z$/) as string }];
    expect(await json('add till check,confirm')).toEqual({
      ...till,
      secrets,
      secret: expect.stringMatching(SECRET) as string,
    });
    expect(await json('grant till usage:read')).toEqual({
      ...till,
      rights: ['usage:read'],
      secrets,
    });
    expect(await json('rotate till')).toMatchObject({
      secrets: [{ id: 's1' }, { id: 's2' }],
      secret: expect.stringMatching(SECRET) as string,
    });
    expect(await json('disable till')).toMatchObject({ id: 'till', status: 'disabled' });
    const { said } = await runApps('list --json', {
      APPS_KEY: Buffer.alloc(32, 7).toString('base64'),
    });
    expect((JSON.parse(said) as { apps: unknown[] }).apps).toContainEqual(
      expect.objectContaining({
        id: 'till',
        secrets: [
          expect.objectContaining({ id: 's1', opens: false }),
          expect.objectContaining({ id: 's2', opens: false }),
        ],
      }),
    );
    expect(said).not.toMatch(SECRET);
  });

  it('gives rights beyond its own orders, none by default, and removes them', async () => {
    const may = async () => /^desk .*$/m.exec((await runApps('list')).said)?.[0].split('  ')[2];
    const made = await runApps('add desk status --rights usage:read,rules:read');
    expect(made.said).toMatch(
      /\nApplication desk may call status\.\nApplication desk has the rights rules:read, usage:read\.\n$/,
    );
    expect(await may()).toBe('status,rules:read,usage:read');
    expect((await runApps('grant desk rules:write,rules:read')).said).toBe(
      'Application desk has the rights rules:read, rules:write, usage:read.\n',
    );
    expect((await runApps('revoke desk rules:read,usage:read')).code).toBe(0);
    expect((await runApps('rotate desk')).code).toBe(0);
    expect(await may()).toBe('status,rules:write');
    expect((await runApps('revoke desk rules:write')).said).toBe(
      'Application desk has no right.\n',
    );
  });

  it('bounds its holds and its part of the open ones, each alone, and takes a bound away', async () => {
    await runApps('add till');
    const line = async () =>
      /^till .*$/m
        .exec((await runApps('list')).said)?.[0]
        .split('  ')
        .slice(3, -1);
    expect(await line()).toEqual([]);
    expect(await runApps('limit till --hold PT1H')).toEqual({
      code: 0,
      said: 'Application till may hold an order for PT1H at most, and have all of the open holds of a document.\n',
    });
    expect((await runApps('limit till --open 25')).code).toBe(0);
    expect(await line()).toEqual(['holds of PT1H', '25 % of open holds']);
    await runApps('grant till usage:read');
    expect(await line()).toEqual(['holds of PT1H', '25 % of open holds']);
    await runApps('limit till --hold none');
    expect(await line()).toEqual(['25 % of open holds']);
    const told = JSON.parse((await runApps('limit till --open none --json')).said) as object;
    expect(told).not.toHaveProperty('openPercent');
    expect(await line()).toEqual([]);
  });

  // prettier-ignore
  it.each([
    { given: '',               says: 'Neither --hold nor --open is given; expected one of them, or both.' },
    { given: '--hold PT5M',    says: '--hold is "PT5M", expected none, or an ISO 8601 duration from PT15M to P7D, such as PT1H.' },
    { given: '--hold P8D',     says: '--hold is "P8D", expected none' },
    { given: '--open 0',       says: '--open is "0", expected none, or a whole number from 1 to 100.' },
    { given: '--open 25%',     says: '--open is "25%", expected none' },
  ])('refuses the bounds "$given"', async ({ given, says }) => {
    const { code, said } = await runApps(`limit till ${given}`);
    expect(code).not.toBe(0);
    expect(said).toContain(says);
  });

  it('says that there is none, and how one is made', async () => {
    expect(await runApps('list', { MONGODB_DATABASE: 'test-no-applications' })).toEqual({
      code: 0,
      said: 'There is no application; npm run apps -- add <id> makes one.\n',
    });
  });

  it('says which secrets another APPS_KEY made, which the functions cannot open', async () => {
    await runApps('add other');
    const { said } = await runApps('list', { APPS_KEY: Buffer.alloc(32, 9).toString('base64') });
    expect(said).toMatch(/^other {2}active .* s1 of \S+ \(not of this APPS_KEY\)$/m);
  });

  it('makes no secret under another APPS_KEY than that of those that are there, unless it is meant', async () => {
    const set = { MONGODB_DATABASE: elsewhere('new-key') };
    const other = { ...set, APPS_KEY: Buffer.alloc(32, 9).toString('base64') };
    expect((await runApps('add shop', set)).code).toBe(0);
    expect((await runApps('add desk', set)).code).toBe(0);
    const refused = {
      code: 2,
      said: 'APPS_KEY does not open the secrets of the applications desk, shop, because another key made them. Set APPS_KEY to the key of the functions. If that key is lost or you replace it, add --new-key, and give each application a new secret.\n',
    };
    expect(await runApps('add third', other)).toEqual(refused);
    expect(await runApps('rotate shop', other)).toEqual(refused);
    expect((await runApps('list', set)).said).not.toMatch(/third|s2/);

    expect((await runApps('rotate shop --new-key', other)).said).toMatch(SECRET);
    expect((await runApps('rotate desk', other)).said).toMatch(
      /of the application desk, because another key made/,
    );
    expect((await runApps('rotate desk --new-key', other)).said).toMatch(SECRET);
    expect((await runApps('add third', other)).code).toBe(0);
  });

  it('asks nothing of the secrets of an application that is stopped', async () => {
    const set = { MONGODB_DATABASE: elsewhere('stopped') };
    const other = { ...set, APPS_KEY: Buffer.alloc(32, 9).toString('base64') };
    await runApps('add shop', set);
    await runApps('disable shop', set);
    expect((await runApps('add desk', other)).code).toBe(0);
  });

  // prettier-ignore
  it.each([
    { given: 'allow other all --new-key', says: /^Unknown option '--new-key'\./ },
    { given: 'add other', says: /^There is an application other already. For a new secret: npm run/ },
    { given: 'add Shop', says: /^"Shop" is no application's id; expected 1 to 64 lower-case/ },
    { given: 'add third pay', says: /^"pay" is no operation; expected all, or some of check,/ },
    { given: 'rotate nobody', says: /^There is no application nobody; npm run apps -- list/ },
    { given: 'allow other', says: /^Missing required argument 'operations'\./ },
    { given: 'disable', says: /^Missing required argument 'id'\./ },
    { given: 'remove other', says: /^Unknown command 'remove'\.\n\(Did you mean revoke\?\)\nRun it with --help to see all options\.\n$/ },
    { given: 'toString other', says: /^Unknown command 'toString'\./ },
    { given: '', says: /^Usage: headroom apps / },
    { given: 'list other', says: /^Too many arguments for 'list'\./ },
    { given: 'rotate other check', says: /^Too many arguments for 'rotate'\./ },
    { given: 'add third', set: { APPS_KEY: '' }, says: /^APPS_KEY is not set\./ },
    { given: 'add third', set: { APPS_KEY: 'short' }, says: /^APPS_KEY is a text of 5 characters; expected 32 random bytes in base64/ },
  ])('$given $set: says what is wrong, without a stack trace', async ({ given, set, says }) => {
    const { code, said } = await runApps(given, set);
    expect(code).toBe(2);
    expect(said).toMatch(says);
    expect(said).not.toMatch(/\n {4}at |hrs_/);
  });
});
