import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CallName } from '../../packages/client/src/calls.ts';
import { isAnswerOf } from '../../packages/client/src/calls.ts';

type Schema = Readonly<{
  $ref?: string;
  const?: unknown;
  enum?: readonly unknown[];
  required?: readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  oneOf?: readonly Schema[];
  anyOf?: readonly Schema[];
}>;
type Answers = Readonly<Record<string, { content?: { 'application/json'?: { schema: Schema } } }>>;
type Document = Readonly<{
  paths: Readonly<Record<string, Readonly<Record<string, { responses?: Answers }>>>>;
  components: { schemas: Readonly<Record<string, Schema>> };
}>;

const path = join(import.meta.dirname, '..', '..', 'docs', 'openapi.json');
// A test of its own holds it to the schemas, and others hold what is answered to it.
const { paths, components } = JSON.parse(readFileSync(path, 'utf8')) as Document;

type Members = Readonly<Record<string, unknown>>;

/** The fields that each kind of an answer has in any case, and each value where a list has them all. */
function membersOf(schema: Schema): readonly Members[] {
  const name = schema.$ref?.split('/').at(-1);
  const found = name === undefined ? schema : (components.schemas[name] ?? schema);
  const kinds = found.oneOf ?? found.anyOf;
  if (kinds !== undefined) return kinds.flatMap(membersOf);
  const members = (found.required ?? []).map((member) => {
    const { const: only = null, enum: values = [only] } = found.properties?.[member] ?? {};
    return { member, values };
  });
  const most = Math.max(1, ...members.map(({ values }) => values.length));
  return Array.from({ length: most }, (_, index) =>
    Object.fromEntries(
      members.map(({ member, values }) => [member, values[index % values.length]]),
    ),
  );
}

function callOf(route: string): CallName {
  const name = route.split('/')[2];
  if (route === '/v1/transactions/{orderId}') return 'status';
  if (name === 'caller') return 'proposals';
  if (name === 'transactions' || name === 'summary' || route === '/v1/usage/history')
    return 'history';
  return name as CallName; // each of the others has the name of its path
}

const answers = Object.entries(paths).flatMap(([route, methods]) =>
  Object.entries(methods).flatMap(([method, { responses = {} }]) =>
    ['200', '201', '202'].flatMap((status) => {
      const schema = responses[status]?.content?.['application/json']?.schema;
      if (schema === undefined) return [];
      return membersOf(schema).map((members) => ({ route, method, status, members }));
    }),
  ),
);

describe('every answer', () => {
  it('is looked at', () => {
    expect(answers.length).toBeGreaterThanOrEqual(40);
  });

  it.each(answers)(
    '$method $route, $status, is known to be one: $members',
    ({ route, members }) => {
      expect(isAnswerOf(callOf(route), members)).toBe(true);
    },
  );
});
