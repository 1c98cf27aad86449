import { waysOf } from '../support/command-ways.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { RULES, useHttpService } from '../client/fixture.ts';
import { useDatabase } from '../support/database.ts';
import { handlersOn } from '../support/service-on-database.ts';

const database = useDatabase();
const service = useHttpService(database, () => handlersOn(database, RULES, { FOUR_EYES: 'all' }));
beforeEach(() => database.db.collection('proposals').deleteMany({}));

const WAYS = waysOf(database, () => service.url, { FOUR_EYES: 'all' });
const [{ run: overDatabase }] = WAYS;
const ID = /npx --no-install headroom proposals approve (\S+) --reason <text> --by <name>/;

describe.each(WAYS)('a change that needs a second person, by $by', ({ run }) => {
  const subject = ['user', 'u-1'];
  const propose = async (): Promise<string> => {
    const given = ['user-life', '--max-amount', '905', '--reason', 'a car'];
    const { code, out, err } = await run('override', [...subject, ...given, '--by', 'jane']);
    expect({ code, err }).toEqual({ code: 2, err: '' });
    expect(out).toMatch(/^Nothing changed yet: a second person must run this before 20/);
    return ID.exec(out)?.[1] ?? '';
  };

  it('is listed and shown, and takes effect when another approves', async () => {
    const id = await propose();
    const list = await run('proposals', ['list']);
    expect(list).toMatchObject({ code: 0, err: '' });
    expect(list.out).toMatch(
      new RegExp(`${id}  open +override user:u-1 user-life +9.05 CNY +.*jane.*"a car"`),
    );
    const { out } = await run('proposals', ['show', id]);
    expect(out).toContain(`${id} is open\noverride user:u-1 user-life, proposed at`);
    for (const told of [out, list.out.slice(list.out.indexOf(`\n\n${id}\n`))])
      expect(told).toMatch(/\n {2}FROM +UNTIL +BEFORE +AFTER\n {2}20\S+ +- +\S+ CNY +9\.05 CNY\n/);
    const own = await run('proposals', ['approve', id, '--reason', 'mine', '--by', 'jane']);
    expect(own).toMatchObject({ code: 2, out: '' });
    expect(own.err).toMatch(/^Nothing was decided: .* \(WRONG_PERSON\)\n$/);
    const words = ['approve', id, '--reason', 'seen', '--by', 'joe'];
    const approved = await run('proposals', words);
    expect(approved).toMatchObject({ code: 0, err: '' });
    expect(approved.out).toMatch(new RegExp(`^${id} is approved\n.*\nat .* for joe: "seen"\n$`));
    const approver = /, approved by \S+.* for joe/;
    expect((await run('terms', subject)).out).toMatch(/user-life +9\.05 CNY .*jane/);
    expect((await run('terms', subject)).out).toMatch(approver);
    expect((await run('terms', [...subject, '--changes'])).out).toMatch(approver);
    expect((await run('proposals', ['list'])).out).toBe('There is no such proposal.\n');
    expect((await run('proposals', ['list', '--state', 'all'])).out).toContain('approved');
    await run('override', [...subject, 'user-life', '--end', '--reason', 'x', '--by', 'jane']);
  });

  it('of a subject that is frozen meanwhile says so to the second person', async () => {
    const id = await propose();
    expect((await run('proposals', ['show', id])).out).not.toContain('frozen');
    const frozen = await run('freeze', [...subject, '--reason', 'stolen', '--by', 'jane']);
    const second = ['--reason', 'seen', '--by', 'joe'];
    await run('proposals', ['approve', ID.exec(frozen.out)?.[1] ?? '', ...second]);
    expect((await run('proposals', ['show', id])).out).toContain(
      'user:u-1 is frozen: every new payment is refused.',
    );
    await database.db.collection('counters').deleteMany({});
  });

  it('is rejected, taken back, or told as JSON', async () => {
    const first = await propose();
    const rejected = await run('proposals', ['reject', first, '--reason', 'no', '--by', 'joe']);
    expect(rejected.out).toContain('is rejected');
    const second = await propose();
    const words = ['withdraw', second, '--reason', 'a mistake', '--by', 'jane', '--json'];
    const withdrawn = JSON.parse((await run('proposals', words)).out) as { readonly state: string };
    expect(withdrawn.state).toBe('withdrawn');
    const gone = await run('proposals', ['show', 'p-0']);
    expect(gone).toMatchObject({ code: 2, out: '' });
    expect(gone.err).toMatch(/^Not read: there is no proposal "p-0".*\(NO_SUCH_PROPOSAL\)\n$/);
  });
});

it('rules import proposes, where the environment asks for a second person', async () => {
  const rules = ['import', 'examples/rules.yaml', '--drop', '--by', 'jane'];
  const { code, err } = await overDatabase('rules', rules);
  expect(code).toBe(2);
  expect(err).toMatch(/^Nothing changed yet: a second person/);
  const id = ID.exec(err)?.[1] ?? '';
  const shown = await overDatabase('proposals', ['show', id]);
  expect(shown.out).toMatch(/user-day: added\n {4}title: /);
  expect(shown.out).toContain('\n  user-life: deleted\n');
  const words = ['approve', id, '--reason', 'seen', '--by', 'joe'];
  expect(await overDatabase('proposals', words)).toMatchObject({ code: 0 });
  const history = await overDatabase('rules', ['history', 'user-day']);
  expect(history.out).toMatch(/jane, approved by .*joe/);
  const { out } = await overDatabase('rules', ['diff', 'examples/rules.yaml']);
  expect(out).toMatch(/, 0 changes; nothing was stored\n$/);
});

describe.each(WAYS)('headroom caller, by $by', ({ run }) => {
  it('says who you are, what you may do, and what needs a second person', async () => {
    const { code, out, err } = await run('caller', ['--by', 'jane@example.com']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(
      /^you are {8}(local|command \S+) for jane@example\.com\nrights {9}rules:read, .*approve.*\nsecond person {2}every change needs one\n$/,
    );
    const { out: json } = await run('caller', ['--json']);
    expect(JSON.parse(json)).toMatchObject({
      fourEyes: 'all',
      by: { id: expect.any(String) as string },
    });
  });
});
