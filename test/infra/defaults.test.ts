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

it.each(['default', 'production', 'local'])(
  'where nobody chooses anything stage %s works as the settings say',
  (stage) => {
    const variables = variablesOf(stage);
    expect(Object.keys(variables).length).toBeGreaterThan(10);
    expect(readSettings(variables)).toEqual(readSettings({ MONGODB_URI: URI }));
  },
);

describe('a setting', () => {
  /** The variables that are looked at, where callers sign. */
  function variablesRead(): readonly string[] {
    const looked = new Set<string>();
    const given: Readonly<Record<string, string>> = {
      ...{ MONGODB_URI: URI, AUTH: 'hmac', FOUR_EYES: 'raises' },
      APPS_KEY: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
    };
    readSettings(
      new Proxy(given, {
        get(variables, name: string) {
          looked.add(name);
          return variables[name];
        },
      }),
    );
    return [...looked];
  }

  it('reaches a deployed function, each but the clock of this machine, and nothing else does', () => {
    const here = ['LOCAL_CLOCK', 'AWS_EXECUTION_ENV', 'IS_OFFLINE'];
    const deployed = variablesRead().filter((name) => !here.includes(name));
    expect(deployed.length).toBeGreaterThan(15);
    const others = ['POWERTOOLS_SERVICE_NAME', 'NODE_OPTIONS'];
    expect(Object.keys(environment).sort()).toEqual([...deployed, ...others].sort());
  });
});
