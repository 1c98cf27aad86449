import { beforeEach, describe, expect, it } from 'vitest';
import type { StoredRule } from '../../lib/rule-file/rule-set.ts';
import { readRules } from '../support/stored-rules.ts';
import { useDatabase } from '../support/database.ts';
import type { Handlers } from '../support/handlers.ts';
import { handlersOf } from '../support/handlers.ts';
import { callRules } from '../support/rules-call.ts';
import type { Answered } from '../support/service-on-database.ts';
import { callDirectly, serviceOn } from '../support/service-on-database.ts';
import { callSubjects } from '../support/subjects-call.ts';
import { telemetryOf } from '../support/telemetry.ts';

const ruleOf = (id: string): StoredRule => ({
  id,
  per: ['user'],
  window: 'lifetime',
  max: { count: 1e6 },
});
const MANY = Array.from({ length: 30 }, (_, index) => index);

/** A change that had no turn in time is sent again, as the pages ask callers to. */
async function inTurn(change: () => Promise<Answered>): Promise<Answered> {
  for (;;) {
    const answer = await change();
    if (answer.status !== 503) return answer;
  }
}

const database = useDatabase({ withIndexes: true });
let handlers: Handlers;
/** What failed behind an answer that says no more than INTERNAL. */
let faults: unknown[];
beforeEach(async () => {
  for (const name of ['rules', 'rule_versions', 'counters', 'terms_changes'])
    await database.db.collection(name).deleteMany({});
  faults = [];
  const telemetry = telemetryOf(({ code, fault }) => {
    if (code === 'INTERNAL') faults.push(fault);
  });
  handlers = handlersOf(await serviceOn(database, [ruleOf('day')], {}, telemetry));
});

describe('thirty changes of the rules at the same moment', () => {
  it('are all made, one after the other', async () => {
    const told = await Promise.all(
      MANY.map(async (index) => {
        const rule = ruleOf(`r-${index}`);
        return inTurn(() =>
          callRules(handlers.rules, { method: 'PUT', id: rule.id, body: { rule } }),
        );
      }),
    );
    expect(told.filter(({ status }) => ![200, 201].includes(status))).toEqual([]);
    expect(await readRules(database.db)).toHaveLength(31);
  });
});

describe('changes of a subject’s terms at the same moment', () => {
  const put = (index: number) =>
    inTurn(() =>
      callSubjects(handlers.subjects, {
        ...{ method: 'PUT', path: 'overrides', id: 'hot', rule: 'day' },
        body: { max: { count: 1_000_000 + index }, reason: 'asked for' },
      }),
    );
  const rows = () => database.db.collection('terms_changes').countDocuments({});

  it('are all made, thirty of them, one after the other', async () => {
    const told = await Promise.all(MANY.map(put));
    expect(told.map(({ status }) => status)).toEqual(MANY.map(() => 200));
    expect(await rows()).toBe(MANY.length);
  });

  it('are made in their turn while twenty callers check the subject all the time', async () => {
    let isOver = false;
    const told: unknown[] = [];
    const checking = Array.from({ length: 20 }, async (_, caller) => {
      for (let index = 0; !isOver; index++) {
        const order = { orderId: `${caller}-${index}`, subjects: { user: 'hot' }, amount: 0 };
        const check = { ...order, currency: 'XXX', capture: true };
        const { body } = await callDirectly(handlers.check, check);
        // On a busy machine twenty callers of one document may not have their turn in time, and ask again.
        if (body.code === 'UNDECIDED') index -= 1;
        else told.push(body.decision ?? body);
      }
    });
    for (const index of [1, 2, 3, 4])
      expect(await put(index), 'an override').toMatchObject({ status: 200 });
    isOver = true;
    await Promise.all(checking);
    expect(faults).toEqual([]);
    expect(new Set(told)).toEqual(new Set(['allowed']));
    expect(await rows()).toBe(4);
  });
});
