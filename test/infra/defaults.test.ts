import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readSettings } from '../../lib/edge/settings.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'infra', 'serverless');
const URI = 'mongodb://127.0.0.1/';

function yamlOf(name: string): unknown {
  return parse(readFileSync(join(FOLDER, name), 'utf8'));
}

const textSchema = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const parameters = z
  .record(z.string(), z.record(z.string(), textSchema))
  .parse(yamlOf('parameters.yml'));
const environment = z.record(z.string(), z.string()).parse(yamlOf('environment.yml'));

/** The settings that a stage gives its functions, by their variables, where nobody chooses anything. */
function variablesOf(stage: string): Readonly<Record<string, string>> {
  const found = Object.entries(environment).flatMap(([variable, reference]) => {
    const [, parameter = ''] = /^\$\{param:(\w+)[,}]/.exec(reference) ?? [];
    const text = parameters[stage]?.[parameter] ?? parameters.default?.[parameter];
    const otherwise = /^\$\{env:\w+, '(.*)'\}$/.exec(text ?? '')?.[1];
    return text === undefined ? [] : [[variable, otherwise ?? text] as const];
  });
  return { ...Object.fromEntries(found), MONGODB_URI: URI };
}

describe('where nobody chooses anything', () => {
  it.each(['default', 'production', 'local'])('stage %s works as the settings say', (stage) => {
    const variables = variablesOf(stage);
    expect(Object.keys(variables).length).toBeGreaterThan(10);
    expect(readSettings(variables)).toEqual(readSettings({ MONGODB_URI: URI }));
  });
});
