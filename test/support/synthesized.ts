import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { runProgram } from '../../infra/cdk.ts';
import { FRAMEWORK_PROGRAM, ROOT } from '../../infra/framework.ts';

const templateSchema = z.object({
  Resources: z.record(z.string(), z.looseObject({ Type: z.string() })),
});

/** A stack, as CloudFormation is given it. */
export type Template = z.infer<typeof templateSchema>;

export function readTemplate(path: string): Template {
  return templateSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
}

/** The files that packaging reads. */
const SOURCES = [
  'serverless.yml',
  'package.json',
  'tsconfig.json',
  'infra',
  'functions',
  'lib',
  'contract',
];

/**
 * Packages serverless.yml in a copy of the project: the framework has one folder for its artifacts, where
 * other tests read.
 */
export function packageElsewhere(...parameters: readonly string[]): Template {
  const copy = mkdtempSync(join(tmpdir(), 'headroom-packaged-'));
  try {
    for (const name of SOURCES) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    mkdirSync(join(copy, 'home'));
    const fast = '--param=bundlePackages=external';
    const own = { HOME: join(copy, 'home'), SLS_SCHEMA_CACHE_BASE_DIR: join(copy, 'home') };
    const environment = { PATH: process.env.PATH, ...own };
    const words = [FRAMEWORK_PROGRAM, 'package', fast, ...parameters];
    runProgram(copy, environment, process.execPath, ...words);
    return readTemplate(join(copy, '.serverless', 'cloudformation-template-update-stack.json'));
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
