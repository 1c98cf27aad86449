import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './framework.ts';

/** The package whose construct deploys Headroom. Its dependencies are installed for it alone. */
export const CDK_FOLDER = join(ROOT, 'packages', 'cdk');

/** No account, and no way to the network: the proxy is a port where nobody listens. */
const OFFLINE = {
  AWS_EC2_METADATA_DISABLED: 'true',
  HTTP_PROXY: 'http://127.0.0.1:1',
  HTTPS_PROXY: 'http://127.0.0.1:1',
  http_proxy: 'http://127.0.0.1:1',
  https_proxy: 'http://127.0.0.1:1',
};

/**
 * Runs a program to its end.
 *
 * @returns what it printed
 * @throws Error with all that it said, where it failed
 */
export function runProgram(
  cwd: string,
  environment: NodeJS.ProcessEnv,
  name: string,
  ...words: readonly string[]
): string {
  const { stdout, stderr, status } = spawnSync(name, words, {
    cwd,
    encoding: 'utf8',
    env: environment,
    shell: name === 'npm' && process.platform === 'win32', // a script there
  });
  if (status !== 0)
    throw new Error(
      `${[name, ...words].join(' ')} ended with ${status}, expected 0:\n${stdout}${stderr}`,
    );
  return stdout;
}

/** Installs what the package needs, unless it is there, and builds it. */
export function buildCdk(): void {
  if (!existsSync(join(CDK_FOLDER, 'node_modules', 'aws-cdk-lib')))
    runProgram(CDK_FOLDER, process.env, 'npm', 'ci', '--no-audit', '--no-fund');
  runProgram(CDK_FOLDER, process.env, process.execPath, '--import', 'tsx', 'build.mts');
}

/**
 * Runs `cdk synth` of an app, without account and network.
 *
 * @param app a program, from the package's folder
 * @param output the folder that gets `<stack>.template.json` of each stack
 */
export function synthesize(app: string, output: string): void {
  const program = join(CDK_FOLDER, 'node_modules', 'aws-cdk', 'bin', 'cdk');
  const words = ['synth', '--quiet', '--app', `"${process.execPath}" ${app}`, '--output', output];
  const quiet = ['--no-notices', '--no-version-reporting'];
  const environment = { PATH: process.env.PATH, HOME: output, ...OFFLINE };
  runProgram(CDK_FOLDER, environment, process.execPath, program, ...words, ...quiet);
}
