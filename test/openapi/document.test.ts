import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { formatted } from '../../tools/formatted.ts';
import {
  DURATION_PATTERN,
  HOLD_PATTERN,
  STALE_PATTERN,
} from '../../tools/openapi/duration-patterns.ts';
import { SPAN_PATTERN } from '../../contract/words.ts';
import { DOCUMENT_PATH } from '../../tools/openapi/document-path.ts';
import { components } from '../../tools/openapi/schemas.ts';
import { clientTypes } from '../../tools/openapi/client-types.ts';
import { openApiDocument } from '../../tools/openapi/document.ts';
import { durationMs, durationText } from '../../lib/shared/duration.ts';
import type { Schema } from './contract.ts';
import { DOCUMENT, fits, OPERATIONS } from './contract.ts';
import { problemCodes } from '../../contract/problem-kinds.ts';

const ROOT = join(import.meta.dirname, '..', '..');

it('docs/openapi.json is what the schemas say; write it again with -u', async () => {
  const text = await formatted(DOCUMENT_PATH, JSON.stringify(openApiDocument()));
  await expect(text).toMatchFileSnapshot(DOCUMENT_PATH);
});

it("packages/client/src/api.ts has the document's types; write it again with -u", async () => {
  const path = join(ROOT, 'packages', 'client', 'src', 'api.ts');
  const types = clientTypes(components(), problemCodes());
  await expect(await formatted(path, types)).toMatchFileSnapshot(path);
});

it('is OpenAPI 3.1', async () => {
  const validator = new Validator();
  // It changes what it is given.
  const result = await validator.validate(structuredClone(openApiDocument()));
  expect(result).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
});

it('would not be, were anything in it wrong', async () => {
  const wrong = { ...openApiDocument(), paths: { '/v1/check': { post: { responses: 'none' } } } };
  expect((await new Validator().validate(wrong)).valid).toBe(false);
});

it('has every code of a problem, and each is said of some call or order', () => {
  const codes = problemCodes().toSorted();
  const PROBLEM = { $ref: '#/components/schemas/Problem' };
  const problem = { ...DOCUMENT.components.examples.NOT_FOUND?.value };
  for (const code of codes.filter(
    (each) => !['INVALID_REQUEST', 'REFUND_TOO_LARGE', 'INCOMPLETE_ORDER'].includes(each),
  ))
    expect({ code, fits: fits(PROBLEM, { ...problem, code }) }).toEqual({ code, fits: true });
  expect(fits(PROBLEM, { ...problem, code: 'NO_SUCH_CODE' })).toBe(false);
  const said = JSON.stringify(DOCUMENT.paths);
  const unsaid = codes.filter((each) => !said.includes(`\`${each}\``));
  expect(unsaid).toEqual(['NOT_ALL_ALLOWED']); // only ever the problem of one of many orders
});

/** Every object in the document. */
function objectsIn(value: unknown): readonly Schema[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? [] : [value as Schema]; // it is an object
  return [...own, ...Object.values(value).flatMap(objectsIn)];
}

it('refers to every component, and to none that is not there', () => {
  const { schemas, examples } = DOCUMENT.components;
  const ids = Object.entries({ schemas, examples }).flatMap(([kind, named]) =>
    Object.keys(named).map((id) => `#/components/${kind}/${id}`),
  );
  const references = objectsIn(DOCUMENT).flatMap(({ $ref }) => $ref ?? []);
  expect([...new Set(references)].sort()).toEqual(ids.sort());
});

it('has no pattern that another language reads otherwise', () => {
  const patterns = objectsIn(DOCUMENT).flatMap(({ pattern }) =>
    typeof pattern === 'string' ? [pattern] : [],
  );
  expect(patterns.length).toBeGreaterThan(5);
  // \d and \w are Unicode's in Python, look-around is unknown in Go and Rust, {1,32768} too large there.
  expect(patterns.filter((each) => /\\[dwsbp]|\(\?[=!<]|\{\d*,?\d{4,}\}/i.test(each))).toEqual([]);
});

type Content = { readonly schema: Schema; readonly example?: unknown };

it('has examples of every request and answer, and they fit', () => {
  const contents = Object.values(OPERATIONS).flatMap(({ id, requestBody, responses }) => [
    { id: `${id} request`, content: requestBody?.content['application/json'] },
    { id: `${id} answer`, content: responses[200]?.content['application/json'] },
  ]) as { id: string; content?: Content }[];
  const present = contents.flatMap(({ id, content }) =>
    content === undefined ? [] : [{ id, ...content }],
  );
  const bodies = Object.values(OPERATIONS).filter(({ requestBody }) => requestBody !== undefined);
  expect(present).toHaveLength(Object.keys(OPERATIONS).length + bodies.length);
  for (const { id, schema, example } of present)
    expect({ id, fits: fits(schema, example) }).toEqual({ id, fits: true });
});

it('has an example of every problem of every answer, each of which fits', () => {
  const problems = Object.values(OPERATIONS).flatMap(({ id, responses }) =>
    Object.entries(responses).flatMap(([status, { content }]) => {
      const problem = content['application/problem+json'];
      return problem === undefined ? [] : [{ id: `${id} ${status}`, ...problem }];
    }),
  );
  expect(problems.length).toBeGreaterThan(100);
  for (const { id, schema, examples = {} } of problems) {
    const [, codes = ''] = /"enum":\[([^\]]*)\]/.exec(JSON.stringify(schema)) ?? [];
    expect({
      id,
      codes: Object.keys(examples)
        .map((code) => `"${code}"`)
        .join(),
    }).toEqual({
      id,
      codes,
    });
    for (const [code, { $ref }] of Object.entries(examples)) {
      expect($ref).toBe(`#/components/examples/${code}`);
      const value = DOCUMENT.components.examples[code]?.value;
      expect({ id, code: value?.code, fits: fits(schema, value) }).toEqual({
        ...{ id, code, fits: true },
      });
    }
  }
});

it('names no dialect, of which the page of the calls would warn', () => {
  expect(DOCUMENT).not.toHaveProperty('jsonSchemaDialect');
});

describe('the lengths of a hold', () => {
  const pattern = new RegExp(HOLD_PATTERN, 'u');
  const isTaken = (text: string): boolean => {
    const ms = durationMs(text);
    return ms !== undefined && ms >= 1_000 && ms <= 604_800_000;
  };

  it.each([
    ...['PT1S', 'PT0S', 'PT0.999S', 'PT1.001S', 'PT1.0001S', 'PT59S', 'PT60S', 'PT99999S'],
    ...['PT599999S', 'PT600000S', 'PT603999S', 'PT604799.999S', 'PT604800S', 'PT604801S'],
    ...['PT604800.001S', 'PT999999S', 'PT1M', 'PT0M', 'PT90M', 'PT10079M59S', 'PT10080M'],
    ...['PT10080M1S', 'PT10081M', 'PT1H', 'PT99H', 'PT167H59M59.999S', 'PT168H', 'PT168H1S'],
    ...['PT169H', 'P1D', 'P6DT23H59M59.999S', 'P7D', 'P7DT1S', 'P8D', 'P1W', 'P1W1D', 'P2W'],
    ...['P1DT12H', 'P1DT5S', 'P1DT5M', 'P1DT1H5S', 'PT1H5S', 'P', 'PT', 'P1DT', 'P1Y', 'P1M'],
    ...['PT1.5M', '-PT1S', 'pt1s', ' PT1S', 'PT1S ', 'PT15', '15', ''],
  ])('%j is in the pattern where it is taken, and nowhere else', (text) => {
    expect(pattern.test(text)).toBe(isTaken(text));
  });

  it.each(['PT1H90M', 'PT05M', 'P0DT1M', 'P1DT36H', 'P0W7D'])(
    '%s is taken and not in the pattern, which names no length twice',
    (text) => {
      expect([isTaken(text), pattern.test(text)]).toEqual([true, false]);
    },
  );
});

describe('other lengths of time', () => {
  const [stale, any, span] = [STALE_PATTERN, DURATION_PATTERN, SPAN_PATTERN].map(
    (pattern) => new RegExp(pattern, 'u'),
  );

  it.each([
    ...['PT1S', 'PT0S', 'PT0.999S', 'PT1.001S', 'PT59S', 'PT60S', 'PT3599.999S', 'PT3600S'],
    ...['PT3600.001S', 'PT3601S', 'PT4000S', 'PT1M', 'PT0M', 'PT59M59.999S', 'PT60M', 'PT60M1S'],
    ...['PT61M', 'PT1H', 'PT1H1S', 'PT2H', 'P1D', 'PT', ''],
  ])('%j is one of usage where it is taken', (text) => {
    const ms = durationMs(text) ?? 0;
    expect(stale?.test(text)).toBe(ms >= 1_000 && ms <= 3_600_000);
  });

  it.each([
    ...['P1W', 'P1D', 'P1W1D', 'P1DT1H', 'P1WT1H', 'P0D', 'PT1H1M1S', 'PT1H1S', 'PT90M', 'PT1.5S'],
    ...['PT0.001S', 'PT1.0001S', 'PT1,5S', 'PT1.S', 'PT1.5M', 'P999999999D', 'P1000000000D'],
    ...['P', 'PT', 'P1DT', 'P1Y', 'P1M', 'P1D1W', 'PT1S1M', '-PT1S', 'pt1s', ' PT1S', '1', ''],
  ])('%j is one where it is read', (text) => {
    expect(any?.test(text)).toBe(durationMs(text) !== undefined);
  });

  it.each([0, 1, 250, 1_250, 60_000, 75_000, 3_600_001, 1_800_000, 31_622_400_000])(
    '%i milliseconds of an answer are one',
    (ms) => {
      expect(span?.test(durationText(ms))).toBe(true);
    },
  );
});
