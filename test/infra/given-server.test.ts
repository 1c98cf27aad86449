import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { addressThrough, findOneServer } from '../support/given-server.ts';
import { listening } from '../support/listening.ts';
import {
  ALONE_TESTS,
  leftOut,
  leftOutLine,
  LOCAL_ENGINE_TESTS,
} from '../support/local-engine-tests.ts';
import { wireServer } from '../support/wire-server.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/**
 * The modules that only a test of the local engine imports; the key of signed calls, the page, the
 * example, the environment of mongod, ports and what is prepared are no part of it.
 */
const OF_THE_ENGINE =
  /from '[./]*\/(infra\/local\/(?!apps-key|api-page|example-order|mongod-environment|ports|prepare)|support\/kill-server)/;

describe('the tests that are not run on a given server', () => {
  it.each([...LOCAL_ENGINE_TESTS, ...ALONE_TESTS])('%s is there', (file) => {
    expect(existsSync(join(ROOT, file))).toBe(true);
  });

  it('are all that take in the engine', () => {
    const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
      .map((file) => `test/${file.replaceAll('\\', '/')}`)
      .filter((file) => file.endsWith('.test.ts'))
      .filter((file) => OF_THE_ENGINE.test(readFileSync(join(ROOT, file), 'utf8')));
    expect(files.length).toBeGreaterThan(4);
    expect(LOCAL_ENGINE_TESTS).toEqual(expect.arrayContaining(files));
  });
});

const STEP_DOWN = 'test/fault/step-down.test.ts';

describe('a test after which a given server has another primary', () => {
  it.each([
    { asked: [STEP_DOWN], runs: true, why: 'it is named, and nothing else' },
    { asked: ['--no-color', STEP_DOWN], runs: true, why: 'an option names no test' },
    { asked: [], runs: false, why: 'all others run, too' },
    { asked: ['test/fault'], runs: false, why: 'its neighbours reach the server through proxies' },
    { asked: [STEP_DOWN, 'test/race'], runs: false, why: 'others run beside it' },
  ])('runs: $runs of $asked, because $why', ({ asked, runs }) => {
    const left = leftOut(['node', 'vitest', 'run', ...asked]);
    expect(left).toEqual(runs ? [] : ALONE_TESTS);
  });
});

it('a run on a given server says in one line what it leaves out, and why', () => {
  const line = leftOutLine(ALONE_TESTS);
  expect(line).not.toContain('\n');
  for (const file of [...LOCAL_ENGINE_TESTS, ...ALONE_TESTS]) expect(line).toContain(file);
  expect(line).toMatch(/^Left out: \d+ files, for they are about the local engine alone \(.*\); /);
  expect(line).toMatch(
    /; test\/fault\/step-down\.test\.ts, for it changes the primary: npm run vitest -- run test\/fault\/step-down\.test\.ts$/,
  );
  expect(leftOutLine([])).not.toContain('step-down');
});

describe('the address of a given server', () => {
  it.each(['mongodb+srv://example.net/', 'mongodb://a:1/?tls=true', 'mongodb://a:1,b:2/?ssl=true'])(
    '%s is refused in one sentence, because a proxy could not read the traffic',
    async (uri) => {
      await expect(findOneServer(uri)).rejects.toThrow(/^MONGODB_URI asks for TLS .*without TLS/);
    },
  );

  it('that names several members becomes that of the primary', async () => {
    const [, host = ''] = /^mongodb:\/\/([^/]+)/.exec(inject('mongodbUri')) ?? [];
    const { uri } = await findOneServer(`mongodb://127.0.0.1:1,${host}`);
    expect(uri).toBe(`mongodb://${host}/`);
  });

  it('that names several routers becomes that of one that answers, which names no primary', async () => {
    const server = wireServer(() => ({
      ...{ ok: 1, msg: 'isdbgrid', isWritablePrimary: true, helloOk: true },
      ...{ minWireVersion: 0, maxWireVersion: 25, maxBsonObjectSize: 16_777_216 },
    }));
    const router = `127.0.0.1:${await listening(server)}`;
    const found = await findOneServer(`mongodb://127.0.0.1:1,${router}`);
    server.close();
    expect(found).toEqual({ uri: `mongodb://${router}/`, isSharded: true });
  });

  it.each([
    {
      uri: 'mongodb://127.0.0.1:27017/?replicaSet=rs0',
      through: 'mongodb://127.0.0.1:5/?directConnection=true',
      why: 'the driver would go on to the members that the set names',
    },
    {
      uri: 'mongodb://me:p%40ss@db:27017/admin?authSource=x&replicaSet=rs0',
      through: 'mongodb://me:p%40ss@127.0.0.1:5/admin?authSource=x&directConnection=true',
      why: 'the server asks for a password there, too',
    },
  ])('$uri is $through through a proxy, because $why', ({ uri, through }) => {
    expect(addressThrough(uri, 5)).toBe(through);
  });
});
