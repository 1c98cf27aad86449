import { USER_LIFE } from '../support/stored-rules.ts';
import { waysOf } from '../support/command-ways.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeIndexes, useDatabase } from '../support/database.ts';
import { runCommand } from '../support/run-command.ts';
import { addApplication, signedServiceOn } from '../support/signed-call.ts';
import { handlersOf } from '../support/handlers.ts';
import { callOverHttp, handlersOn } from '../support/service-on-database.ts';
import type { HttpService } from '../client/http-service.ts';
import { startHttpService } from '../client/http-service.ts';
import type { Handlers } from '../support/handlers.ts';

const RULES = [{ ...USER_LIFE, max: { amount: 1_000_000, count: 5 } }];
const SHOWN_AT = /^at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/m;

const database = useDatabase();
const services: HttpService[] = [];
let url: string;
let pay: (user: string) => Promise<object>;
beforeAll(async () => {
  await makeIndexes(database.db);
  const { subjects, check } = await handlersOn(database, RULES);
  pay = async (user) => {
    const order = { orderId: 'o-1', type: 'PAYMENT', amount: 1, currency: 'CNY', report: 'none' };
    return (await callOverHttp(check, { ...order, subjects: { user } })).body;
  };
  ({ url } = await serve({ subjects }));
});
afterAll(() => Promise.all(services.map((service) => service.stop())));

async function serve(handlers: Partial<Handlers>): Promise<HttpService> {
  const service = await startHttpService(handlers);
  services.push(service);
  return service;
}

describe.each(waysOf(database, () => url))('by $by', ({ by, run }) => {
  const actor = by === '--url' ? /^local/ : /^command \S+/;
  const id = `u ${by}/ü`;

  it('a subject has no terms at first', async () => {
    const { code, out, err } = await run('terms', ['user', id]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(
      new RegExp(
        `^user:${id} has no terms of its own\\.\n\nHeadroom knows no order of user:${id}\\. Is the id right\\?\n\nat `,
      ),
    );
    const changes = await run('terms', ['user', id, '--changes']);
    expect(changes.out).toBe(`user:${id} was never changed.\n`);
  });

  it('an override is given, shown with who gave it and why, and ended', async () => {
    const given = await run('override', [
      ...['user', id, 'life', '--max-amount', '5000000', '--max-count', 'none'],
      ...['--until', '2099-12-01T00:00:00+08:00', '--reason', 'a wedding', '--by', 'jane'],
    ]);
    expect({ code: given.code, err: given.err }).toEqual({ code: 0, err: '' });
    const [heading, row = ''] = given.out.split('\n');
    expect(heading).toMatch(/^RULE +AMOUNT +PAYMENTS +NOW +FROM +UNTIL +BY +REASON +ID$/);
    const cells = row.split(/ {2,}/);
    expect([...cells.slice(0, 4), ...cells.slice(5, 6)]).toEqual([
      ...['life', '50,000.00 CNY', 'any number of payments', 'in force'],
      '2099-11-30T16:00:00.000Z',
    ]);
    expect(cells[6]).toMatch(actor);
    expect(row).toMatch(/ for jane +"a wedding" +\S{36}$/);
    const [before, after] = ['10,000.00 CNY; 5 payments', '50,000.00 CNY; any number of payments'];
    const effect = given.out.slice(given.out.indexOf('FROM', given.out.indexOf('\nat ')));
    expect(effect.split('\n').map((line) => line.split(/ {2,}/).slice(1))).toEqual([
      ['UNTIL', 'BEFORE', 'AFTER'],
      ['2099-11-30T16:00:00.000Z', before, after],
      ['-', before, before],
      [],
    ]);
    for (const words of [
      ['user', id],
      ['user', id, 'life'],
    ]) {
      const { out } = await run('override', words);
      expect(out.split('\n')[1]).toBe(row);
      expect(out).toMatch(SHOWN_AT);
    }
    const ended = await run('override', ['user', id, 'life', '--end', '--reason', 'over']);
    expect(ended.out).toMatch(/ has no terms of its own\./);
    const again = await run('override', ['user', id, 'life', '--end', '--reason', 'over']);
    expect({ code: again.code, out: again.out }).toEqual({ code: 2, out: '' });
    expect(again.err).toMatch(
      /^Nothing was changed: .* has no override of rule "life": .* \(NO_SUCH_TERMS\)\n$/,
    );
  });

  it('an override that looks like major units is warned of, and given', async () => {
    const words = ['user', `${id}-4`, 'life', '--max-amount', '50', '--reason', 'x'];
    const { code, err } = await run('override', words);
    expect(code).toBe(0);
    expect(err).toBe(
      'Warning: life: max.amount is 0.50 CNY (50). Amounts are minor units. Did you mean 50.00 CNY (5000)?\n',
    );
  });

  it('an override may begin after a delay, and is to come until then', async () => {
    const words = ['user', `${id}-2`, 'life', '--max-count', '9', '--after', 'PT24H'];
    const { out } = await run('override', [...words, '--reason', 'raise']);
    expect(out).toMatch(/^life +as below +9 payments +to come +/m);
  });

  it('of two overrides each may end alone, and what lies below is in force again', async () => {
    const subject = ['user', `${id}-5`, 'life'];
    await run('override', [...subject, '--max-amount', '500000', '--reason', 'fraud']);
    const raise = ['--max-amount', '2000000', '--until', '2099-12-01T00:00:00Z', '--reason', 'x'];
    const dry = await run('override', [...subject, ...raise, '--dry-run']);
    expect(dry.out).toMatch(
      /^Nothing changed: a dry run\.\n\nHeadroom knows no order of .*\n\nFROM .*\n.*5,000.00 CNY.*20,000.00 CNY/,
    );
    await run('override', [...subject, ...raise]);
    const both = (await run('override', subject)).out.split('\n');
    expect(both[1]).toMatch(/^life +5,000.00 CNY +as below +covered /);
    expect(both[2]).toMatch(/^life +20,000.00 CNY +as below +in force /);
    const { err } = await run('override', [...subject, '--end', '--reason', 'over']);
    const [, raised] = [...err.matchAll(/"(\S{36})"/g)].map(([, one = '']) => one);
    expect(err).toMatch(/ has 2 overrides of rule "life": end one by its overrideId /);
    const usage = await run('usage', [`user:${id}-5`]);
    if (by === 'the database')
      expect(usage.out).toContain(
        '  life, from 2099-12-01T00:00:00.000Z: 5,000.00 CNY; 5 payments',
      );
    const ended = await run('override', [...subject, '--end', raised ?? '', '--reason', 'over']);
    expect(ended.out).toMatch(/^life +5,000.00 CNY +as below +in force /m);
    await run('override', [...subject, ...raise]);
    const none = await run('override', [...subject, '--end', 'all', '--reason', 'over']);
    expect(none.out).toMatch(/ has no terms of its own\./);
  });

  it('a freeze is set, shown, ended, and every change is listed', async () => {
    const frozen = await run('freeze', ['user', `${id}-3`, '--reason', 'stolen']);
    expect({ code: frozen.code, err: frozen.err }).toEqual({ code: 0, err: '' });
    expect(frozen.out).toMatch(/^user:\S+.* is FROZEN from \S+Z: "stolen", by /);
    const { out } = await run('terms', ['user', `${id}-3`, '--json']);
    expect(JSON.parse(out)).toMatchObject({ freeze: { inForce: true, reason: 'stolen' } });
    const ended = await run('freeze', ['user', `${id}-3`, '--end', '--reason', 'found']);
    expect(ended.out).toMatch(/^user:\S+.* is no longer frozen\.\n\nat \S+\n$/);
    expect(frozen.out).toMatch(/\S+Z +- +not frozen +frozen\n$/);
    const changes = await run('terms', ['user', `${id}-3`, '--changes', '--limit', '1']);
    const [, newest = '', ...rest] = changes.out.split('\n');
    expect(newest).toMatch(/Z +unfreeze +- +.* +"found"$/);
    expect(rest.join('\n')).toMatch(/^\nOlder ones: --changes --before \S+\n$/);
  });

  it('a change says before and after that no order of the subject is known, until there is one', async () => {
    const seen = `${id}-6`;
    const changes = [
      ['freeze', ['--reason', 'stolen']],
      ['override', ['life', '--max-count', '9', '--reason', 'x']],
    ] as const;
    const outs = async (): Promise<readonly string[]> => {
      const said: string[] = [];
      for (const [name, words] of changes)
        for (const dry of [['--dry-run'], []])
          said.push((await run(name, ['user', seen, ...words, ...dry])).out);
      return said;
    };
    const says = `Headroom knows no order of user:${seen}. Is the id right?\n`;
    expect((await outs()).map((out) => out.includes(says))).toEqual([true, true, true, true]);
    expect((await run('freeze', ['user', seen, '--end', '--reason', 'x'])).code).toBe(0);
    expect(await pay(seen)).toMatchObject({ decision: 'allowed' });
    expect((await outs()).map((out) => out.includes('knows no order'))).toEqual(
      Array(4).fill(false),
    );
  });

  // prettier-ignore
  it.each([
    { name: 'override', words: ['user', 'u-1', 'nope', '--max-count', '1', '--reason', 'x'], says: /^Nothing was changed: there is no rule "nope" in force: .* \(TERMS_REFUSED\)\n$/ },
    { name: 'override', words: ['user', 'u-1', 'life', '--max-amount', '1.5', '--reason', 'x'], says: /^--max-amount is "1\.5", expected a whole number, or none\./ },
    { name: 'override', words: ['user', 'u-1', 'life', '--until', '2099-01-01T00:00:00Z', '--reason', 'x'], says: /^Expected --max-amount, --max-count, both, or --end\./ },
    { name: 'override', words: ['user', 'u-1', 'life', '--end', '--max-count', '1', '--reason', 'x'], says: /^--end stands beside a maximum or an instant\./ },
    { name: 'override', words: ['user', 'u-1', '--end'], says: /^Expected a rule\./ },
    { name: 'override', words: ['user', 'u-1', 'life', '--max-count', '1'], says: /^Expected --reason, which Headroom stores with the change\./ },
    { name: 'freeze', words: ['user', 'u-1', '--until', 'soon', '--reason', 'x'], says: /^Nothing was changed: until is "soon", expected an instant .* \(INVALID_REQUEST\)\n$/ },
    { name: 'freeze', words: ['user', 'u-1', '--until', 'soon', '--end', '--reason', 'x'], says: /^--until stands beside --end\./ },
    { name: 'freeze', words: ['user', 'u-1', '--by', 'j'.repeat(257), '--reason', 'x'], says: /^--by is "j+…" \(257 characters\), expected / },
    { name: 'freeze', words: ['user', 'u-1'], says: /^Required option '--reason <text>' not/ },
    { name: 'terms', words: ['user', 'u-1', '--limit', '3'], says: /^--limit and --before need --changes/ },
  ])('$name $words is one sentence, and ends with 2', async ({ name, words, says }) => {
    const { code, out, err } = await run(name, words);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(says);
    expect(err).not.toMatch(/\n {4}at /);
  });
});

describe('over HTTP', () => {
  it('HEADROOM_APP_ID and HEADROOM_SECRET sign, and the application is who acts', async () => {
    const { secret } = await addApplication(database, 'desk', [], ['subjects:write']);
    const { service } = signedServiceOn(database);
    const words = ['user', 'u-9', '--reason', 'a wish/with &=?', '--url'];
    const { url: signedUrl } = await serve(handlersOf(service));
    const set = { HEADROOM_APP_ID: 'desk', HEADROOM_SECRET: secret };
    const frozen = await runCommand('freeze', [...words, signedUrl], set);
    expect(frozen).toMatchObject({ code: 0, err: '' });
    expect(frozen.out).toMatch(/by application desk\n/);
    const ended = await runCommand('freeze', [...words, signedUrl, '--end'], set);
    expect(ended).toMatchObject({ code: 0, err: '' });
    const unsigned = await runCommand('freeze', [...words, signedUrl]);
    expect(unsigned.err).toMatch(/\(BAD_SIGNATURE\)\n$/);
  });

  it('says where nothing answers, and how to find out what was changed', async () => {
    const nowhere = ['--url', 'http://127.0.0.1:1'];
    const { code, err } = await runCommand('freeze', ['user', 'u-1', '--reason', 'x', ...nowhere]);
    expect(code).toBe(2);
    expect(err).toMatch(
      /^Perhaps it was changed: headroom terms with --changes shows it: no answer from \S+ \(.+\)\n$/,
    );
  });

  it('sends a name of any letters, and none that cannot be kept', async () => {
    const words = (by: string) => ['user', 'u-1', '--by', by, '--reason', 'x', '--url', url];
    expect(await runCommand('freeze', [...words('张三'), '--json'])).toMatchObject({
      ...{ code: 0, out: expect.stringContaining('"person": "张三"') as string },
    });
    const { code, err } = await runCommand('freeze', words('张\n三'));
    expect(code).toBe(2);
    expect(err).toMatch(/^--by is "张\\n三", expected one person in 1 to 256 characters/);
  });

  it('says where what answers is not Headroom', async () => {
    const { err } = await runCommand('terms', ['user', 'u-1', '--url', `${url}/prod/x`]);
    expect(err).toMatch(/^Not read: HTTP 404 with .*, expected an answer or a problem of Headroom/);
  });

  // prettier-ignore
  it.each([
    { why: 'a proxy that waits no longer has not said what became of it', answer: { status: 504, body: '{"code":"GATEWAY_TIMEOUT","detail":"upstream timed out"}' } },
    { why: 'a code that Headroom has, too, says nothing of a change that went through to it', answer: { status: 502, body: '{"code":"NOT_FOUND","detail":"no upstream"}' } },
    { why: 'what is done elsewhere may have been done here', answer: { status: 200, body: '{"code":"OK","detail":"done"}' } },
  ])('takes no stranger for one that knows that nothing was changed: $why', async ({ answer }) => {
    const elsewhere = await serve({});
    elsewhere.faults.push(answer);
    const words = ['user', 'u-1', '--reason', 'x', '--url', elsewhere.url];
    const { code, err } = await runCommand('freeze', words);
    expect(code).toBe(2);
    expect(err).toMatch(
      /^Perhaps it was changed: headroom terms with --changes shows it: HTTP \d+ with \{"code".*, expected an answer or a problem of Headroom/,
    );
  });

  it('takes no page for signing in for an answer: nobody is frozen by it', async () => {
    const elsewhere = await serve({});
    for (const json of [[], ['--json']]) {
      elsewhere.faults.push({ status: 200, body: '{"signIn":"https://login.example.com"}' });
      const words = ['user', 'u-1', '--reason', 'x', '--url', elsewhere.url, ...json];
      expect(await runCommand('freeze', words)).toMatchObject({
        ...{ code: 2, out: '' },
        err: expect.stringMatching(
          /HTTP 200 with \{"signIn".*, expected an answer or a problem of Headroom/,
        ) as string,
      });
    }
  });
});
