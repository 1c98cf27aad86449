import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseRuleFile } from '../../cli/rules/rule-file.ts';
import { readRules } from '../support/stored-rules.ts';
import { environmentOf, useDatabase } from '../support/database.ts';
import { useFolder } from '../support/folder.ts';
import { runCommand } from '../support/run-command.ts';
import { storedCounters } from '../support/stored-buckets.ts';

const DAY = '{ unit: day, timeZone: Asia/Shanghai }';
const FIRST = `rules:
  - { id: a, per: [user], window: lifetime, max: { count: 1 } }
  - { id: b, per: [user], currency: CNY, window: ${DAY}, max: { amount: 500 } }
`;
const SECOND = `rules:
  - { id: b, per: [user], currency: CNY, window: ${DAY}, max: { amount: 700 } }
  - { id: c, per: [card], window: lifetime, max: { count: 1 } }
`;

const database = useDatabase();
const folder = useFolder();
const fileOf = (text: string): string => folder.write('rules.yaml', text);

const MEANT = ['--drop', '--begin-anew'];

const runRules = (...parameters: readonly string[]) =>
  runCommand('rules', parameters, environmentOf(database));

const stored = async () => readRules(database.db);

describe('npm run rules', () => {
  it('stores the rules of a file in place of what is stored, and says what that changes', async () => {
    const { databaseName } = database.db;
    const added = [
      'a: added',
      '  per: ["user"]',
      '  window: lifetime',
      '  max: count 1',
      '  begins at zero: earlier payments do not count',
      'b: added',
      '  per: ["user"]',
      '  currency: CNY',
      '  window: {"unit":"day","timeZone":"Asia/Shanghai"}',
      '  max: amount 5.00 CNY (500)',
      '  begins at zero: earlier payments do not count',
      'Warning: a payment in a currency other than CNY has no limit on its amount: a applies to every currency, so ON_NO_RULE=refuse allows it; give a a currency, or set ON_NO_RULE=refuse-unlimited',
      `2 rules, 2 changes; ${databaseName} has the rules of the file`,
      '',
    ];
    expect(await runRules(fileOf(FIRST))).toEqual({ code: 0, out: added.join('\n'), err: '' });
    expect(await stored()).toEqual(parseRuleFile(FIRST, 'first'));

    const second = await runRules('import', fileOf(SECOND), '--dry-run');
    expect(second).toMatchObject({ code: 0, err: '' });
    expect(second.out).toContain(
      'b: changed\n  max.amount: 5.00 CNY (500) → 7.00 CNY (700)\n  keeps its sum\n',
    );
    expect(second.out).toMatch(/^a: deleted\n {2}stops counting/m);
    expect(second.out).toMatch(/^2 rules, 3 changes; nothing was stored$/m);
    expect(await stored()).toEqual(parseRuleFile(FIRST, 'first'));
  });

  it('adds the rules of a pack to those that are stored, and says where they come from', async () => {
    await runRules(fileOf(FIRST), ...MEANT);
    const { code, out, err } = await runRules('import', '--pack', 'us-cash');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(
      /^Currency transaction reports\n {2}from 31 CFR 1010\.311 .*; read in the official text, /,
    );
    expect(out).toMatch(/^ {2}left out: Casinos have a rule of their own/m);
    expect(out).toMatch(/^This is no legal advice: /m);
    expect(out).toMatch(/^4 rules, 2 changes; .* has the rules of the pack us-cash, too$/m);
    expect((await stored()).map(({ id }) => id).sort()).toEqual([
      'a',
      'b',
      'us-cash-in',
      'us-cash-out',
    ]);
    const again = await runRules('import', '--pack', 'us-cash');
    expect(again.out).toMatch(/^4 rules, 0 changes; /m);
    const own = FIRST.replace('id: b,', 'id: us-cash-in,');
    await runRules(fileOf(own), '--drop', '--begin-anew');
    expect((await runRules('import', '--pack', 'us-cash')).err).toBe(
      'Nothing was done: another rule is stored as us-cash-in; add --drop to put that of the pack in its place.\n',
    );
    expect(await stored()).toEqual(parseRuleFile(own, 'own'));
    expect((await runRules('import', '--pack', 'us-cash', '--drop', '--begin-anew')).code).toBe(0);
    expect(await runRules('import', '--pack', 'us')).toEqual({
      code: 2,
      out: '',
      err: 'Nothing was done: there is no pack "us", expected one of card-reattempts, cbn-tiers, pboc-accounts, pboc-bank-accounts, pboc-barcode, pix, psd2, ukgc-deposits, upi, us-cash, wrong-pin.\n',
    });
  });

  it('deletes no rule, and lets none begin at zero, unless that is said', async () => {
    await runRules(fileOf(FIRST), ...MEANT);
    const next = SECOND.replace('Shanghai', 'Tokyo');
    const refused = await runRules('import', fileOf(next));
    expect(refused).toMatchObject({
      code: 2,
      err: 'Nothing was done: it needs --drop to delete a, and --begin-anew to let b begin at zero.\n',
    });
    expect(refused.out).toMatch(/begins at zero, because its window changed/);
    expect((await runRules('import', fileOf(next), '--drop')).err).toMatch(
      /^Nothing was done: it needs --begin-anew to let b begin at zero\.$/m,
    );
    expect(await stored()).toEqual(parseRuleFile(FIRST, 'first'));
    const meant = ['--drop', '--begin-anew', '--reason', '改到东京', '--by', 'jane'];
    expect((await runRules('import', fileOf(next), ...meant)).code).toBe(0);
    expect(await stored()).toEqual(parseRuleFile(next, 'next'));
    expect(await runRules('history', 'nope')).toMatchObject({
      code: 1,
      out: 'There never was a rule nope.\n',
    });
    const { out } = await runRules('history', 'b');
    expect(out.split('\n')[0]).toMatch(
      /^\d+ {2}\S+Z {2}b changed by command \S+ for jane: 改到东京$/,
    );
    expect(out.split('\n').slice(1, 3)).toEqual([
      '  window.timeZone: "Asia/Shanghai" → "Asia/Tokyo"',
      '  max.amount: 500 → 700',
    ]);
  });

  it('takes the last change back: what it added, changed and deleted', async () => {
    await runRules(fileOf(FIRST), ...MEANT);
    await runRules(fileOf(SECOND), ...MEANT);
    const { databaseName } = database.db;
    expect(await runRules('undo', '--dry-run')).toMatchObject({ code: 0, err: '' });
    expect(await stored()).toEqual(parseRuleFile(SECOND, 'second'));
    // The rule a was deleted, and its sum with it.
    expect(await runRules('undo', '--reason', 'refused everybody', '--by', 'jane')).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(
        new RegExp(
          `a: added\n[^]*c: deleted\n[^]*3 changes; ${databaseName} has the rules from before`,
        ),
      ) as unknown,
    });
    expect([...(await stored())].sort((left, right) => left.id.localeCompare(right.id))).toEqual(
      parseRuleFile(FIRST, 'first'),
    );
    expect((await runRules('history', 'b')).out).toMatch(
      /^\d+ {2}\S+Z {2}b changed .* for jane: r/,
    );
    // Again, it takes the undoing back.
    await runRules('undo');
    expect((await stored()).map(({ id }) => id).sort()).toEqual(['b', 'c']);
  });

  it('takes a change back that resets a sum only where that is said', async () => {
    await runRules(fileOf(FIRST), ...MEANT);
    await runRules(fileOf(FIRST.replace('Shanghai', 'Tokyo')), ...MEANT);
    expect(await runRules('undo')).toMatchObject({
      code: 2,
      err: 'Nothing was done: it needs --begin-anew to let b begin at zero.\n',
    });
    expect((await runRules('undo', '--begin-anew')).code).toBe(0);
    expect(await stored()).toEqual(parseRuleFile(FIRST, 'first'));
  });

  it('says it as one JSON value with --json, what it refuses and what happened, too', async () => {
    const json = async (...words: readonly string[]) => {
      const { code, out } = await runRules(...words, '--json');
      return { code, value: JSON.parse(out) as Readonly<Record<string, unknown>> };
    };
    await runRules(fileOf(FIRST), ...MEANT);
    const changes = [
      { id: 'a', change: 'deleted', counter: 'ends' },
      { id: 'b', change: 'changed', counter: 'kept', sharedWith: [] },
      { id: 'c', change: 'added', says: 'begins at zero: earlier payments do not count' },
    ];
    const warnings = expect.arrayContaining([
      expect.stringMatching(/^c: no other rule has the subject kind "card"/),
    ]) as unknown;
    const looked = { changed: false, dryRun: true, changes, warnings };
    expect(await json('diff', fileOf(SECOND))).toMatchObject({ code: 1, value: looked });
    expect(await json('import', fileOf(SECOND))).toMatchObject({ code: 2, value: looked });
    const stores = { changed: true, dryRun: false, changes, warnings };
    const meant = await json('import', fileOf(SECOND), '--drop', '--reason', 'a trial');
    expect(meant).toMatchObject({ code: 0, value: stores });
    const { value: history } = await json('history', 'b');
    expect((history.versions as readonly unknown[])[0]).toMatchObject({
      id: 'b',
      version: meant.value.revision,
      change: 'changed',
      reason: 'a trial',
      by: { kind: 'command' },
      before: { max: { amount: 500 } },
      after: { max: { amount: 700 } },
    });
    expect(await json('history', 'nope')).toEqual({ code: 1, value: { versions: [] } });
    expect(await json('export')).toMatchObject({
      code: 0,
      value: { rules: [{ id: 'b' }, { id: 'c' }] },
    });
  });

  it('only says what differs, and ends with 1 where something does', async () => {
    await runRules(fileOf(FIRST), ...MEANT);
    expect(await runRules('diff', fileOf(FIRST))).toEqual({
      code: 0,
      out: '2 rules, 0 changes; nothing was stored\n',
      err: '',
    });
    expect((await runRules('diff', fileOf(SECOND))).code).toBe(1);
    expect(await stored()).toEqual(parseRuleFile(FIRST, 'first'));
  });

  it('warns once of a currency whose amounts nothing limits', async () => {
    const [head, , second] = FIRST.split('\n');
    await runRules(fileOf(`${head}\n${second}\n`), ...MEANT);
    const warning =
      'Warning: a payment in a currency other than CNY has no limit on its amount: a applies to every currency, so ON_NO_RULE=refuse allows it; give a a currency, or set ON_NO_RULE=refuse-unlimited\n';
    expect((await runRules('import', fileOf(FIRST), '--dry-run')).out).toContain(warning);
    expect((await runRules(fileOf(FIRST), ...MEANT)).out).toContain(warning);
    expect((await runRules(fileOf(FIRST.replace('500', '600')))).out).not.toContain(
      'in a currency',
    );
  });

  // prettier-ignore
  it.each([
    { text: FIRST.replace('amount: 500 ', 'amount: 5 '), warns: /^Warning: b: max\.amount is 0\.05 CNY \(5\)\. .* Did you mean 5\.00 CNY \(500\)\?$/m, why: 'it is a hundredth of what it was' },
    { text: FIRST.replace('CNY', 'RMB'), warns: /^Warning: b: ISO 4217 has no currency RMB\. Did you mean CNY\?/m, why: 'nobody has such a currency' },
    { text: FIRST.replace('[user], currency', '[user, wallet], currency'), warns: /^Warning: b: no other rule has the subject kind "wallet"/m, why: 'nobody has such a subject' },
    { text: FIRST.replace('per: [user], w', 'per: [user], match: { type: PAYMNT }, w'), warns: /^Warning: a: no other rule has the type "PAYMNT"/m, why: 'nobody has such a type' },
    { text: FIRST.replace('per: [user], w', 'per: [user], when: { hours: "20:00-06:00", timeZone: UTC }, w'), warns: /^Warning: a: it is not in effect at all times \(`when`\)/m, why: 'an order at noon has no rule' },
    { text: FIRST.replace('per: [user], w', 'per: [user], match: { verfied: false }, w'), warns: /^Warning: a: no other rule has the attribute "verfied". a does not limit a payment without it/m, why: 'no other rule has such an attribute' },
  ])('warns where $why', async ({ text, warns }) => {
    await runRules(fileOf(FIRST), ...MEANT);
    const { out } = await runRules('diff', fileOf(text));
    expect(out).toMatch(warns);
    expect(out.match(/^Warning: [ab]:/gm)).toHaveLength(1);
  });

  it('warns of no name that something has used', async () => {
    await runRules(fileOf(FIRST), ...MEANT);
    const counters = storedCounters(database.db);
    await counters.insertOne({ _id: 'wallet:w-1' });
    await database.db.collection('audit').insertOne({ currency: 'RMB', type: 'PAYMNT' });
    const text = FIRST.replace('CNY', 'RMB').replace('per: [user], w', 'per: [wallet], w');
    const { out } = await runRules(
      'diff',
      fileOf(text.replace('lifetime', 'lifetime, match: { type: PAYMNT }')),
    );
    expect(out).not.toMatch(/^Warning: .* no other rule/m);
    await counters.deleteMany({});
    await database.db.collection('audit').deleteMany({});
  });

  it('exports into a file whose comments, order and style stay', async () => {
    const text = `# The limits of a wallet.
rules:
  # At most once.
  - { id: z, per: [user], window: lifetime, max: { count: 1 } } # for ever

  - id: b # its days are Shanghai's
    per: [user]
    currency: CNY
    window: ${DAY}
    # five yuan
    max: { amount: 500 } # minor units
    mode: shadow

  - id: gone
    per: [user]
    window: lifetime
    max: { count: 9 }
`;
    await runRules(fileOf(text), ...MEANT);
    const next = text
      .slice(0, text.indexOf('\n  - id: gone'))
      .replace('amount: 500', 'amount: 700')
      .replace('    mode: shadow\n', '');
    const more = `${next}  - { id: new, per: [card], window: lifetime, max: { count: 1 } }\n`;
    await runRules(fileOf(more), '--drop');
    const path = fileOf(text);
    const { code, out } = await runRules('export', '--into', path);
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^3 rules; /) as string,
    });
    expect(readFileSync(path, 'utf8')).toBe(`${next}  - id: new
    per:
      - card
    window: lifetime
    max:
      count: 1
`);
    expect((await runRules('diff', path)).code).toBe(0);
  });

  it('exports into a file that repeats by reference what went with a rule', async () => {
    const rule = (id: string, window: string, per = '[user]'): string =>
      `  - { id: ${id}, per: ${per}, window: ${window}, max: { count: 1 } }\n`;
    const text = `rules:\n${rule('a', `&w ${DAY}`, '[&p user]')}${rule('b', '*w', '[*p]')}${rule('c', '*w')}`;
    await runRules(fileOf(text), ...MEANT);
    await runRules(fileOf(`rules:\n${rule('b', DAY)}${rule('c', DAY)}`), '--drop');
    const path = fileOf(text);
    expect(await runRules('export', '--into', path)).toMatchObject({ code: 0, err: '' });
    expect(parseRuleFile(readFileSync(path, 'utf8'), path)).toEqual(await stored());
  });

  it('exports into the file that was imported without touching a byte', async () => {
    const text = readFileSync('examples/rules.yaml', 'utf8');
    const path = fileOf(text);
    expect((await runRules('import', path, ...MEANT)).code).toBe(0);
    await runRules('export', '--into', path);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('exports the digits of private currencies once, into a file with others too', async () => {
    const coin =
      '{ id: a, per: [user], currency: USDT, window: lifetime, max: { amount: 90000000 } }';
    const text = `# coins\ncurrencies: { USDT: { digits: 6 } }\nrules:\n  - ${coin}\n`;
    const path = fileOf(text);
    const { out } = await runRules(path, ...MEANT);
    expect(out).toContain('max: amount 90.000000 USDT (90000000)');
    expect(await stored()).toMatchObject([{ id: 'a', currency: 'USDT', digits: 6 }]);
    expect((await runRules()).out).toMatch(/^currencies:\n {2}USDT:\n {4}digits: 6\nrules:\n/);
    for (const before of [text, text.replace('6', '8'), `rules:\n  - ${coin}\n`]) {
      const into = fileOf(before);
      expect(await runRules('export', '--into', into)).toMatchObject({ code: 0, err: '' });
      expect(parseRuleFile(readFileSync(into, 'utf8'), into)).toEqual(await stored());
    }
    await runRules('export', '--into', fileOf(text));
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('puts right what no function can read', async () => {
    const { matchedCount } = await database.db
      .collection<{ _id: string }>('rules')
      .updateOne({ _id: 'current' }, { $set: { 'rules.1.rule.window': 'forever' } });
    expect(matchedCount).toBe(1);
    expect((await stored())[1]).toMatchObject({ window: 'forever' });
    expect((await runRules(fileOf(FIRST), ...MEANT)).code).toBe(0);
    expect(await stored()).toEqual(parseRuleFile(FIRST, 'first'));
  });

  it('prints what is stored, as a file that can be stored again', async () => {
    await runRules(fileOf(SECOND), ...MEANT);
    const { code, out } = await runRules();
    expect(code).toBe(0);
    expect(parseRuleFile(out, 'printed')).toEqual(parseRuleFile(SECOND, 'second'));
  });

  it('validates a file, and warns of payments of another currency, without a database', async () => {
    const validate = (path: string) => runCommand('rules', ['validate', path]);
    expect(await validate('examples/rules.yaml')).toEqual({
      ...{ code: 0, out: 'examples/rules.yaml: 14 rules, all right\n', err: '' },
    });
    expect(await validate('packs/psd2.yaml')).toEqual({
      ...{ code: 0, out: 'packs/psd2.yaml: 4 rules, all right\n', err: '' },
    });
    const scoped = FIRST.replace(
      'per: [user], w',
      'per: [user], match: { verfied: false }, w',
    ).replace('[user], currency', '[user], match: { verified: true }, currency');
    expect((await validate(fileOf(scoped))).out).toMatch(
      /^Warning: a: no other rule has the attribute "verfied"/m,
    );
    const required = scoped.replace('}, w', '}, require: [verfied], w');
    expect((await validate(fileOf(required))).out).not.toMatch('a: no other rule');
    const left = fileOf(FIRST.replace('per: [user], w', 'per: [card], outcome: expired, w'));
    const { code, err } = await validate(left);
    expect({ code, err }).toEqual({
      code: 1,
      err: `The rules of ${left} are wrong:\n  - rules[a].outcome is "expired", expected no expired beside a per that begins with card: begin it with user, the first of HOME_KINDS\n`,
    });
    const path = fileOf(FIRST.replace('500', '50000'));
    expect(await validate(path)).toEqual({
      code: 0,
      out: `Warning: a payment in a currency other than CNY has no limit on its amount: a applies to every currency, so ON_NO_RULE=refuse allows it; give a a currency, or set ON_NO_RULE=refuse-unlimited\n${path}: 2 rules, no mistake, 1 warning\n`,
      err: '',
    });
  });

  it.each([
    {
      text: SECOND.replace('700', '7.5').replace('lifetime', 'forever'),
      says: /^Nothing was done: The rules of .*rules\.yaml are wrong:\n {2}- rules\[b\]\.max\.amount is 7\.5, .*\n {2}- rules\[c\]\.window is "forever", /,
      why: 'a file is taken as a whole or not at all',
    },
    {
      text: 'rules: []',
      says: /^Nothing was done: .* has no rule\. Without a rule, Headroom refuses every order, or none\.$/m,
      why: 'an empty file would refuse everything, or lift every limit',
    },
  ])('stores nothing of $text, because $why', async ({ text, says }) => {
    await runRules(fileOf(FIRST), ...MEANT);
    const { code, err } = await runRules(fileOf(text));
    expect(code).toBe(2);
    expect(err).toMatch(says);
    expect(await stored()).toEqual(parseRuleFile(FIRST, 'first'));
  });

  it.each([
    { option: '--by', text: '' },
    { option: '--by', text: 'j'.repeat(257) },
    { option: '--reason', text: '' },
    { option: '--reason', text: 'x'.repeat(257) },
  ])('keeps no change with $option of "$text"', async ({ option, text }) => {
    await runRules(fileOf(FIRST), ...MEANT);
    const { code, err } = await runRules(fileOf(SECOND), ...MEANT, option, text);
    expect(code).toBe(2);
    expect(err).toMatch(new RegExp(`^${option} is ".*, expected text of 1 to 256 characters`));
    expect(await stored()).toEqual(parseRuleFile(FIRST, 'first'));
  });

  // prettier-ignore
  it.each([
    { parameters: ['no-such.yaml'], says: /^Nothing was done: no-such\.yaml cannot be read: there is no such file\.$/m },
    { parameters: ['a.yaml', 'b.yaml'], says: /^Too many arguments for 'rules'\. Expected 1 argument but got 2\./ },
    { parameters: ['--dry-run'], says: /^--dry-run of which file\?/ },
    { parameters: ['import'], says: /^Expected a file, or --pack with the name of a pack\./ },
    { parameters: ['import', 'rules.yaml', '--pack', 'pix'], says: /^Expected a file, or --pack/ },
    { parameters: ['diff', 'a', 'b'], says: /^Too many arguments for 'diff'\. Expected 1 argument but got 2\./ },
    { parameters: ['export', 'a.yaml'], says: /^Too many arguments for 'export'/ },
    { parameters: ['export', '--into', 'no-such.yaml'], says: /no-such\.yaml cannot be read: there is no such file\.$/m },
  ])('says what is wrong with $parameters', async ({ parameters, says }) => {
    const { code, out, err } = await runRules(...parameters);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(says);
  });
});
