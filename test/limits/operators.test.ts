import { beforeAll, describe, expect, it } from 'vitest';
import { COUNTERS } from '../../lib/document/mongo-counter-store.ts';
import { useDatabase } from '../support/database.ts';
import { USER_DAY, checkOf, limitsOver, orderOf, sentDuring } from '../support/limits-fixture.ts';
import { ORDER, holdAsk } from '../support/statement-asks.ts';
import type { Sent } from '../support/statements-sent.ts';
import { statementsOf } from '../support/statements-sent.ts';
import { STATEMENTS } from './statement-rows.ts';
import { operatorsIn, SINCE } from '../support/statement-operators.ts';

/** `$$NOW` is newer than `$filter`, and an expression in a projection newer than both. */
const OLDEST = { NOW: 4.2, projection: 4.4 };

let sent: readonly Sent[] = [];
beforeAll(async () => {
  sent = await Promise.all(Object.values(STATEMENTS).map((statement) => statement()));
});

describe('the statements of the core', () => {
  it('use only operators of the table, which are no newer than 4.4', () => {
    const used = new Set(sent.flatMap(({ parts }) => operatorsIn(parts)));
    expect([...used].filter((name) => SINCE[name] === undefined)).toEqual([]);
    const newest = Math.max(...Object.values(SINCE), ...Object.values(OLDEST));
    expect(newest).toBe(4.4);
  });

  it('use each operator of the table', () => {
    const used = new Set(sent.flatMap(({ parts }) => operatorsIn(parts)));
    expect(Object.keys(SINCE).filter((name) => !used.has(name))).toEqual([]);
  });

  it('are plain updates, all but the one that makes a document', () => {
    for (const { kind, parts } of sent) {
      expect(Array.isArray(parts.pipeline)).toBe(kind === 'make');
      if (kind !== 'update') continue;
      const names = Object.keys(parts.update ?? {});
      expect(names.length).toBeGreaterThan(0);
      expect(names.filter((name) => !name.startsWith('$'))).toEqual([]);
    }
  });
});

/** Texts of a request that could be taken for expressions, fields or operators. */
const TEXTS = ['$$CURRENT', '$nonce', '$where', '$expires'];

/** Texts that a server would evaluate: those under `$expr`, in projections and in the pipeline, no literals. */
function evaluatedIn({ parts }: Sent): readonly string[] {
  const filter = parts.filter as Readonly<Record<string, unknown>>; // every statement has one
  return [filter.$expr, parts.projection, parts.pipeline].flatMap(textsIn);
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (value === null || typeof value !== 'object' || value instanceof Date) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$literal' ? [] : textsIn(inner),
  );
}

it.each([
  { first: 'a plain add', isNew: false },
  { first: 'the pipeline that makes a document', isNew: true },
])('a text of a request is never evaluated, beginning with $first', async ({ isNew }) => {
  const [id = '', nonce = '', digest = '', other = ''] = TEXTS;
  const order = { ...ORDER, id, nonce, digest, others: [other] };
  const all = await statementsOf(
    async (counters) => {
      await counters.hold({ ...{ ...holdAsk([order]), document: id, isNew }, document: id });
      await counters.settle(id, [{ id, nonce, to: 'confirmed' }], new Date(0));
    },
    [{ now: new Date(0) }],
  );
  expect(all.length).toBeGreaterThan(1);
  const evaluated = all.flatMap(evaluatedIn);
  for (const text of TEXTS) expect(evaluated).not.toContain(text);
  expect(evaluated).toContain('$$NOW'); // the search does find texts
});

const database = useDatabase({ monitorCommands: true });

it('what a database is sent is no pipeline in any update of counters, but where a document is made', async () => {
  const limits = limitsOver(database.db, [
    USER_DAY,
    {
      ...USER_DAY,
      id: 'shop-hour',
      per: ['merchant'],
      window: { rollingMs: 3_600_000, stepMs: 60_000 },
    },
  ]);
  const subjects = { user: 'plain', merchant: 'plain' };
  const at = new Date('2026-03-02T10:00:00.000Z');
  const later = new Date('2026-03-02T10:20:00.000Z');
  const sent = await sentDuring(database.client, async () => {
    for (const orderId of ['o-1', 'o-2', 'o-3', 'o-4'])
      await limits.check(checkOf({ orderId, subjects }), at);
    await limits.check(checkOf({ orderId: 'o-5', subjects, count: 9 }), at);
    await limits.confirm(orderOf('o-1', subjects), at);
    await limits.rollback(orderOf('o-2', subjects), at);
    await limits.confirm(orderOf('o-3', subjects), later);
    await limits.check(checkOf({ orderId: 'o-6', subjects, capture: true }), later);
  });
  const updates = sent.flatMap(({ commandName, command }) => {
    if (command[commandName] !== COUNTERS) return [];
    if (commandName === 'findAndModify') return [command.update as unknown];
    if (commandName !== 'update') return [];
    return (command.updates as { readonly u: unknown }[]).map(({ u }) => u); // the wire's shape
  });
  expect(updates.length).toBeGreaterThan(12);
  const pipelines = updates.filter((one): one is object[] => Array.isArray(one));
  expect(pipelines.map((pipeline) => pipeline.flatMap(Object.keys))).toEqual([
    ['$replaceWith'],
    ['$replaceWith'],
  ]);
});
