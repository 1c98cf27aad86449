import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { parse } from 'yaml';
import * as handlers from '../../functions/handlers.ts';
import {
  CALLS,
  FUNCTIONS,
  OPERATIONS as OPERATIONS_OF_APPS,
  RIGHTS,
  type CallRow,
  type FunctionName,
} from '../../contract/calls.ts';
import { HeadroomClient } from '../../packages/client/src/client.ts';
import { BacktestCalls } from '../../packages/client/src/backtest-calls.ts';
import { ProposalCalls } from '../../packages/client/src/proposal-calls.ts';
import { RuleCalls } from '../../packages/client/src/rule-calls.ts';
import type { CallName } from '../../packages/client/src/calls.ts';
import { OPERATIONS } from '../openapi/contract.ts';
import { ROOT } from '../support/sources.ts';

const ROWS: readonly (CallRow & { readonly name: string })[] = Object.entries(CALLS).map(
  ([name, row]) => ({ name, ...row }),
);

type Deployed = {
  readonly events: readonly {
    readonly httpApi?: { readonly method: string; readonly path: string };
  }[];
};
const DEPLOYED = Object.entries(
  parse(readFileSync(join(ROOT, 'infra/serverless/functions.yml'), 'utf8')) as Readonly<
    Record<string, Deployed> // as its own test says
  >,
).flatMap(([by, { events }]) =>
  events.flatMap(({ httpApi }) =>
    httpApi === undefined ? [] : [{ by, route: `${httpApi.method} ${httpApi.path}` }],
  ),
);

/** The method of the client that makes a call: `rules.list` of listRules. */
function hasMethod({ name, by }: { readonly name: string; readonly by: string }): boolean {
  const short = name.replace(/^rule|^backtest|Rules?$|Proposals?$|Backtests?$/g, '');
  const method = `${short.charAt(0).toLowerCase()}${short.slice(1)}`;
  const owner =
    { rules: RuleCalls, proposals: ProposalCalls, backtests: BacktestCalls }[by] ?? HeadroomClient;
  return [owner, HeadroomClient].some(({ prototype }) => method in prototype);
}

describe.each(ROWS)('the call $name', ({ name, by, route }) => {
  it('is deployed', () => {
    expect(DEPLOYED).toContainEqual({ by, route });
  });
  it('has a handler, and the file of a function', () => {
    expect(Object.keys(handlers)).toContain(by);
    expect(existsSync(join(ROOT, 'functions', `${by}.ts`))).toBe(true);
  });
  it('has a method of the client', () => {
    expect(hasMethod({ name, by })).toBe(true);
  });
  it('is described in docs/openapi.json', () => {
    const found = Object.values(OPERATIONS).find(({ id }) => id === name);
    expect(`${found?.method} ${found?.path}`).toBe(route);
  });
});

it('no other call is deployed, answered or described', () => {
  expect(DEPLOYED.length).toBe(ROWS.length);
  expect(Object.keys(handlers).sort()).toEqual([...FUNCTIONS].sort());
  expect(Object.values(OPERATIONS).length).toBe(ROWS.length);
  expectTypeOf<CallName>().toEqualTypeOf<FunctionName>();
});

it('each right stands in docs/signing.md', () => {
  const page = readFileSync('docs/signing.md', 'utf8');
  expect(RIGHTS.filter((right) => !page.includes(`\`${right}\``))).toEqual([]);
});

it('each call that changes something needs something by which one may change', () => {
  const changing = new Set<string>([...OPERATIONS_OF_APPS, ...RIGHTS]);
  for (const read of ['status', 'rules:read', 'usage:read', 'health:read']) changing.delete(read);
  const changes = ROWS.filter(({ route }) => !route.startsWith('GET '));
  const others = changes.filter(({ needs }) => !needs.some((need) => changing.has(need)));
  // Its author alone takes a proposal back: only who may propose has made one.
  expect(others.map(({ name }) => name)).toEqual(['withdraw']);
});

it('each right is needed by a call', () => {
  const needed = new Set(ROWS.flatMap(({ needs }) => needs));
  expect(RIGHTS.filter((right) => !needed.has(right))).toEqual([]);
});
