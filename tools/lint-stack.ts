/**
 * The program of `npm run lint:stack`: cfn-lint over every template that deploys Headroom, and that
 * of a network for it.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildCdk, synthesize } from '../infra/cdk.ts';
import { ROOT } from '../infra/framework.ts';

const VERSION = '1.51.0';
/** Dependencies that are said twice, the framework's and CDK's way; conditions that a parameter has decided. */
const IGNORED = ['--ignore-checks', 'W3005', 'W8003'];

/** cfn-lint as it is installed, or fetched by pipx, which CI's machines have. */
function programOf(): readonly [string, ...string[]] {
  const found = spawnSync('cfn-lint', ['--version'], { encoding: 'utf8' });
  if (found.status === 0) return ['cfn-lint'];
  return ['pipx', 'run', '--spec', `cfn-lint==${VERSION}`, 'cfn-lint'];
}

function lint(templates: readonly string[]): number {
  const [program, ...words] = programOf();
  const { status, error } = spawnSync(program, [...words, ...templates, ...IGNORED], {
    stdio: 'inherit',
  });
  if (error !== undefined) {
    console.error(
      `The templates were not linted: ${program} cannot be started (${error.message}). Expected cfn-lint or pipx. Install one: pip install cfn-lint==${VERSION}`,
    );
    return 2;
  }
  return status ?? 1;
}

/** With everything that has a condition, and bundles made the fast way: the template alone is read. */
const ASKED = [
  '--param=bundlePackages=external',
  '--param=eventBus=payments',
  '--param=nearBus=payments',
  '--param=alarmTopicArn=arn:aws:sns:eu-central-1:123456789012:on-call',
];
const packaged = spawnSync(process.execPath, ['--import', 'tsx', 'tools/package.ts', ...ASKED], {
  cwd: ROOT,
  stdio: ['ignore', 'ignore', 'inherit'],
});
if (packaged.status !== 0) process.exit(1);
const output = mkdtempSync(join(tmpdir(), 'headroom-lint-'));
try {
  buildCdk();
  synthesize('example/app.mjs', output);
  const status = lint([
    join(ROOT, '.serverless', 'cloudformation-template-update-stack.json'),
    join(output, 'Plain.template.json'),
    join(output, 'Whole.template.json'),
    join(ROOT, 'examples', 'network.yml'),
  ]);
  if (status === 0) console.log('✔ cfn-lint finds no mistake in four templates');
  process.exitCode = status;
} finally {
  rmSync(output, { recursive: true, force: true });
}
