import { join } from 'node:path';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { FUNCTION_NAMES } from '../support/function-names.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** What Lambda's runtime has, and companions of the driver that are not installed. */
const OPTIONAL = [
  '@aws-sdk/client-eventbridge',
  '@aws-sdk/credential-providers',
  '@mongodb-js/zstd',
  'aws4',
  'gcp-metadata',
  'kerberos',
  'mongodb-client-encryption',
  'snappy',
  'socks',
];

/** Packages and own files that each function loads when it starts. */
const loadedBy = new Map<string, readonly string[]>();

beforeAll(async () => {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: FUNCTION_NAMES.map((name) => `functions/${name}.ts`),
    outdir: 'bundles',
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    mainFields: ['module', 'main'],
    logLevel: 'error',
    external: OPTIONAL,
  });
  for (const { entryPoint = '', inputs } of Object.values(metafile.outputs)) {
    const used = Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
    loadedBy.set(
      entryPoint,
      used.map(([path]) => path),
    );
  }
});

describe.each(FUNCTION_NAMES)('a cold start of %s', (name) => {
  it('loads neither the reader of rule files nor the whole of zod', () => {
    const loaded = loadedBy.get(`functions/${name}.ts`) ?? [];
    const unwanted =
      /node_modules\/yaml\/|rule-file|zod\/v4\/(classic|locales)\/|node_modules\/@(aws-sdk|smithy)\//;
    expect(loaded.filter((path) => unwanted.test(path))).toEqual([]);
    expect(loaded).toContain(`functions/${name}.ts`);
  });
});
