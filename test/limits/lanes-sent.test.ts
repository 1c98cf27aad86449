import { describe, expect, it } from 'vitest';
import type { Lane } from '../../lib/limits/document/statements.ts';
import { learningLanes } from '../../lib/limits/document/statements.ts';
import type { CheckAnswer } from '../../lib/limits/answer.ts';
import type { Limits } from '../../lib/limits.ts';
import { createLimits } from '../../lib/limits.ts';
import { USER_DAY, checkOf, orderOf } from '../support/limits-fixture.ts';
import { mingoStore } from '../support/mingo-store.ts';
import { libRule } from '../support/service-under-test.ts';

const AT = new Date('2026-03-02T06:00:00.000Z');
const FULL = 'user:full';

/** Says how many of the next checks of a document the general lane is asked for at once. */
function generalFirst(lanes: ReturnType<typeof learningLanes>, documentId: string): number {
  let calls = 0;
  while (!lanes.takesPlain(documentId, 'hold')) calls += 1;
  return calls;
}

describe('which lane is asked first', () => {
  it('is the plain one of a document of which nothing is known', () => {
    const lanes = learningLanes();
    expect(lanes.takesPlain(FULL, 'hold')).toBe(true);
    expect(lanes.takesPlain(FULL, 'settle')).toBe(true);
  });

  it('is the general one for eight checks after it refused, and the plain one then', () => {
    const lanes = learningLanes();
    lanes.learn(FULL, false);
    expect(generalFirst(lanes, FULL)).toBe(8);
    expect(generalFirst(lanes, FULL)).toBe(0);
    lanes.learn(FULL, false);
    lanes.learn(FULL, false);
    expect(generalFirst(lanes, FULL)).toBe(8);
  });

  it('is the plain one of other documents, of settlements, and after what was held', () => {
    const lanes = learningLanes();
    lanes.learn(FULL, false);
    expect(lanes.takesPlain('user:other', 'hold')).toBe(true);
    for (let call = 0; call < 20; call++) expect(lanes.takesPlain(FULL, 'settle')).toBe(true);
    lanes.learn('user:other', true);
    expect(lanes.takesPlain('user:other', 'hold')).toBe(true);
    expect(generalFirst(lanes, FULL)).toBe(8);
  });

  it('is remembered of 1,000 documents, those that refused last', () => {
    const lanes = learningLanes();
    const documents = Array.from({ length: 1_003 }, (_, index) => `user:${index}`);
    for (const document of documents.slice(0, 1_000)) lanes.learn(document, false);
    lanes.learn('user:0', false); // again: it is no more the oldest
    for (const document of documents.slice(1_000)) lanes.learn(document, false);
    const learned = documents.filter((document) => !lanes.takesPlain(document, 'hold'));
    expect(learned).toHaveLength(1_000);
    const forgotten = documents.filter((document) => !learned.includes(document));
    expect(forgotten).toEqual(['user:1', 'user:2', 'user:3']);
  });
});

function service(): { readonly limits: Limits; readonly lanes: Lane[] } {
  const lanes: Lane[] = [];
  const counters = mingoStore({ lanes: learningLanes((lane) => lanes.push(lane)) });
  const rules = [libRule({ ...USER_DAY, max: { count: 2 } })];
  return { limits: createLimits({ counters, rules: () => Promise.resolve(rules) }), lanes };
}

const SUBJECTS = { user: 'u-1' };

function check(limits: Limits, orderId: string, subjects = SUBJECTS): Promise<CheckAnswer> {
  return limits.check(checkOf({ orderId, subjects }), AT);
}

describe('the lane that decides', () => {
  it('is the general one of a new document, of what is known and of what is refused, and the plain one else', async () => {
    const { limits, lanes } = service();
    await check(limits, 'o-1');
    await check(limits, 'o-2');
    const answer = await check(limits, 'o-2');
    expect(answer).toMatchObject({ kind: 'allowed', repeated: true });
    await check(limits, 'o-3');
    expect(lanes).toEqual(['general', 'plain', 'general', 'general']);
  });

  it('is the plain one again once a document that was full was read to have room', async () => {
    const { limits, lanes } = service();
    await check(limits, 'o-1');
    await check(limits, 'o-2');
    await check(limits, 'o-3');
    await limits.rollback(orderOf('o-1', SUBJECTS), AT);
    lanes.length = 0;
    for (let index = 0; index < 10; index++) {
      const told = await check(limits, `later-${index}`);
      expect(told.kind).toBe('allowed');
      await limits.rollback(orderOf(`later-${index}`, SUBJECTS), AT);
    }
    const checks = lanes.filter((_, index) => index % 2 === 0);
    expect(checks).toEqual(['general', ...Array.from({ length: 9 }, () => 'plain')]);
  });
});
