import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AboutPack, Pack } from '../../cli/rules/packs.ts';
import { packNames, readPack } from '../../cli/rules/packs.ts';
import { hardSentencesOf } from '../docs/prose.ts';
import { oddWordsOf } from '../docs/texts.ts';
import type { Handlers } from '../support/handlers.ts';
import { environmentOf, useDatabase } from '../support/database.ts';
import { callOverHttp, handlersOn } from '../support/service-on-database.ts';
import { callSubjects } from '../support/subjects-call.ts';

const database = useDatabase();
const PACKS = packNames().map(readPack);

type Case = AboutPack['cases'][number];

const clockOf = ({ at }: Case) => ({ 'x-headroom-now': new Date(at).toISOString() });

/** Gives the subject of a case its own maxima. */
async function giveOwn(handlers: Handlers, { about, rules }: Pack, one: Case): Promise<void> {
  for (const [rule, { amount, effectiveAfter }] of Object.entries(one.own ?? {})) {
    const per = rules.find(({ id }) => id === rule)?.per as readonly string[]; // of a rule that was read
    const [kind = ''] = per;
    const id = { ...about.order.subjects, ...one.subjects }[kind] ?? '';
    const { status } = await callSubjects(handlers.subjects, {
      ...{ method: 'PUT', path: 'overrides', kind, id, rule, headers: clockOf(one) },
      body: { max: { amount }, reason: 'a case', ...(effectiveAfter && { effectiveAfter }) },
    });
    expect({ rule, status }).toEqual({ rule, status: 200 });
  }
}

/** Plays a case, and says what its answer was in the words of cases. */
async function played(handlers: Handlers, { about: { order } }: Pack, one: Case, place: string) {
  const { amount, type = order.type, proofs, fails } = one;
  const payment = {
    ...order,
    type,
    amount,
    orderId: `o-${place}`,
    subjects: { ...order.subjects, ...one.subjects },
    attributes: { ...order.attributes, ...one.attributes },
    ...(proofs === undefined ? {} : { proofs }),
    capture: fails === undefined,
    report: 'none',
  };
  const clock = clockOf(one);
  const { body } = await callOverHttp(handlers.check, payment, clock);
  if (fails !== undefined && body.decision === 'allowed') {
    const { orderId, subjects } = payment;
    const failed = { orderId, subjects, reasonCode: fails };
    const { body: told } = await callOverHttp(handlers.rollback, failed, clock);
    expect(told).toMatchObject({ state: 'rolledBack' });
  }
  const exceeded = (body.exceeded ?? []) as readonly { readonly rule: string }[];
  const by = exceeded.map(({ rule }) => rule);
  if (body.decision === 'allowed')
    return by.length === 0 ? { is: 'allowed' } : { is: 'notified', by };
  return body.reason === 'challenge'
    ? { is: 'challenge', by: body.refusedBy, prove: body.challenges }
    : { is: 'refused', by: body.refusedBy };
}

it('are there for the command line that a clone builds of its sources', () => {
  const words = ['bin/headroom.mjs', 'rules', 'import', '--pack', 'us-cash', '--dry-run'];
  const { status, stdout } = spawnSync(process.execPath, words, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...environmentOf(database) },
  });
  expect({ status, said: stdout.split('\n').at(-2) }).toEqual({
    status: 0,
    said: '2 rules, 2 changes; nothing was stored',
  });
});

it('each is named in docs/rules.md', () => {
  const page = readFileSync('docs/rules.md', 'utf8');
  const [, table = ''] = page.split('## Packs of published limits');
  const named = [...table.matchAll(/^\| `([a-z0-9-]+)`/gm)].map(([, name]) => name);
  expect(named).toEqual(packNames());
});

describe.each(PACKS)('the pack $name', (pack) => {
  const { about, rules } = pack;

  it('says where its limits are published, what it leaves out, and each rule in its language', () => {
    expect(about.sources.length).toBeGreaterThan(0);
    expect(about.leavesOut.length).toBeGreaterThan(0);
    for (const { title } of rules)
      expect(Object.keys(title as object)).toEqual(Object.keys(about.title));
  });

  it('can be understood at the first reading', async () => {
    const said = [...about.leavesOut, ...about.cases.flatMap(({ why = [] }) => why)];
    expect((await Promise.all(said.map(hardSentencesOf))).flat()).toEqual([]);
    expect(said.flatMap(oddWordsOf)).toEqual([]);
  });

  it('has a case in which each rule refuses or notifies, and one that passes', () => {
    expect(new Set(about.cases.flatMap(({ by = [] }) => by))).toEqual(
      new Set(rules.map(({ id }) => id)),
    );
    expect(about.cases.some(({ is }) => is === 'allowed')).toBe(true);
  });

  it('does in each case what it says', async () => {
    const handlers = await handlersOn(database, rules, { LOCAL_CLOCK: 'on', ON_NO_RULE: 'allow' });
    for (const [place, one] of about.cases.entries()) {
      const { is, by, prove, times = 1 } = one;
      const expected = { is, ...(by && { by }), ...(prove && { prove }) };
      await giveOwn(handlers, pack, one);
      for (let turn = 1; turn <= times; turn++) {
        const named = `${pack.name}-${place}-${turn}`;
        expect({ named, ...(await played(handlers, pack, one, named)) }).toEqual({
          named,
          ...expected,
        });
      }
    }
  });
});
