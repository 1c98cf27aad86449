import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { MongoClient } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { useFolder } from '../support/folder.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const bundleSchema = z.object({
  alias: z.record(z.string(), z.string()),
  external: z.array(z.string()),
});

const folder = useFolder();
let BundledClient: typeof MongoClient;

/** The options that a client read from a connection string, or why it refused. */
function read(Client: typeof MongoClient, uri: string): unknown {
  try {
    const { hosts, srvHost, credentials, dbName, replicaSet, tls, writeConcern, readPreference } =
      new Client(uri).options;
    const seen = { srvHost, credentials, dbName, replicaSet, tls, writeConcern, readPreference };
    const plain: unknown = JSON.parse(JSON.stringify(seen));
    return { hosts: hosts.map(String), plain };
  } catch (error) {
    return String(error);
  }
}

beforeAll(async () => {
  const settings = bundleSchema.parse(
    parse(readFileSync(join(ROOT, 'infra/serverless/bundle.yml'), 'utf8')),
  );
  const outfile = folder.path('driver.cjs');
  await build({
    stdin: { contents: "export { MongoClient } from 'mongodb';", resolveDir: ROOT },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile,
    logLevel: 'error',
    ...settings,
  });
  // The line above is the bundle's export.
  const bundled = createRequire(import.meta.url)(outfile) as { MongoClient: typeof MongoClient };
  BundledClient = bundled.MongoClient;
});

describe('the bundled driver, which reads connection strings with the URL of Node', () => {
  it.each([
    'mongodb://127.0.0.1:27017/?directConnection=true',
    'mongodb://a.example:27017,b.example:27018,c.example/headroom?replicaSet=rs0&w=majority',
    'mongodb+srv://service:p%40ss@cluster0.example.net/?retryWrites=true&appName=headroom',
    'mongodb://us%40er:p%3Aa%2Fss%25@a.example/admin?authMechanism=SCRAM-SHA-256',
    'mongodb://a.example/?READPREFERENCE=secondaryPreferred&readPreferenceTags=dc:sh,rack:1&readPreferenceTags=',
    'mongodb://[::1]:27017/',
    'mongodb://%2Ftmp%2Fmongodb.sock/headroom',
    'mongodb://a.example/数据库?tls=true&tlsAllowInvalidHostnames=false',
    'mongodb://a.example?replicaSet=a%20b+c',
    'mongodb://',
    'mongodb://user:p@ss@a.example/',
    'mongodb://a.example:99999/',
    'mongodb://a b/',
    'mongodb+srv://a.example:27017/',
    'http://a.example/',
    '',
  ])('reads %j like the driver itself', (uri) => {
    expect(read(BundledClient, uri)).toEqual(read(MongoClient, uri));
  });

  it('is a comparison of two things: the bundle does not hold the copy it replaces', () => {
    expect(folder.read('driver.cjs')).not.toContain('whatwg-url/lib');
    expect(BundledClient).not.toBe(MongoClient);
  });
});
