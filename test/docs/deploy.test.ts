import { execFile } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readRules } from '../support/stored-rules.ts';
import { useDatabase } from '../support/database.ts';
import { useFolder } from '../support/folder.ts';
import { handlersOf } from '../support/handlers.ts';
import { callDirectly, serviceOn } from '../support/service-on-database.ts';
import { pageAt, ROOT } from './pages.ts';

const DEPLOY = pageAt('docs/deploy.md').text;
const COMMANDS = [DEPLOY, pageAt('docs/operations.md').text].flatMap(commandsIn);

/** A command as it is printed, without line breaks. */
function commandsIn(page: string): readonly string[] {
  return [
    ...page
      .replaceAll(/\\\n */g, '')
      .matchAll(/(?<!privateEndpoints )\baws [a-z0-9]+ [a-z-]+[^`\n]*/g),
  ].map(([command]) => command);
}

/** Commands of the page's administrator say so. Every other one is of the user who deploys. */
const ADMIN = '--profile admin';
const HERE = 'eu-central-1:123456789012';
const STACK = `arn:aws:cloudformation:${HERE}:stack/headroom-production/1a2b`;
const SECRET = `arn:aws:secretsmanager:${HERE}:secret:headroom/production/mongodb-uri-AbCdEf`;
const FUNCTION = `arn:aws:lambda:${HERE}:function:headroom-production-check`;
const BUCKET = 'arn:aws:s3:::headroom-production-serverlessdeploymentbucket-1a2b';

/**
 * The actions that IAM asks for, by command. Source: the service authorization reference, and for
 * `serverless` the requests in the sources of osls.
 */
const ACTIONS: Readonly<Record<string, readonly (readonly [action: string, on: string])[]>> = {
  'aws cloudformation continue-update-rollback': [['cloudformation:ContinueUpdateRollback', STACK]],
  'aws ec2 describe-subnets': [['ec2:DescribeSubnets', '*']],
  'aws ec2 describe-security-groups': [['ec2:DescribeSecurityGroups', '*']],
  'aws lambda get-account-settings': [['lambda:GetAccountSettings', '*']],
  'aws lambda invoke': [['lambda:InvokeFunction', FUNCTION]],
  'aws lambda put-function-concurrency': [['lambda:PutFunctionConcurrency', FUNCTION]],
  'aws secretsmanager create-secret': [['secretsmanager:CreateSecret', SECRET]],
  'aws secretsmanager get-secret-value': [['secretsmanager:GetSecretValue', SECRET]],
  'aws secretsmanager put-secret-value': [['secretsmanager:PutSecretValue', SECRET]],
  'aws secretsmanager replicate-secret-to-regions': [
    ['secretsmanager:ReplicateSecretToRegions', SECRET],
  ],
  'npx headroom smoke': [
    ['execute-api:Invoke', `arn:aws:execute-api:${HERE}:a1b2c3/$default/POST/v1/check`],
  ],
  'npx serverless deploy': [
    ['cloudformation:ValidateTemplate', '*'],
    ...['CreateStack', 'CreateChangeSet', 'DescribeChangeSet', 'ExecuteChangeSet'].map(
      (name) => [`cloudformation:${name}`, STACK] as const,
    ),
    ...['DescribeStacks', 'DescribeStackEvents', 'ListStackResources'].map(
      (name) => [`cloudformation:${name}`, STACK] as const,
    ),
    ['secretsmanager:GetSecretValue', SECRET],
    ['s3:ListBucket', BUCKET],
    ['s3:PutObject', `${BUCKET}/serverless/headroom/production/check.zip`],
    ['lambda:GetFunction', FUNCTION],
  ],
  'npx serverless info': [['cloudformation:DescribeStacks', STACK]],
  'npx serverless remove': [
    ['cloudformation:DeleteStack', STACK],
    ['s3:DeleteObject', `${BUCKET}/serverless/headroom/production/check.zip`],
  ],
  'npx serverless rollback': [
    ['cloudformation:UpdateStack', STACK],
    ['s3:GetObject', `${BUCKET}/serverless/headroom/production/state.json`],
  ],
};

const { Statement: STATEMENTS } = z
  .object({
    Statement: z.array(
      z.object({
        Action: z.union([z.string(), z.array(z.string())]).transform((each) => [each].flat()),
        Resource: z.union([z.string(), z.array(z.string())]).transform((each) => [each].flat()),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(join(ROOT, 'examples', 'deploy-policy.json'), 'utf8')));

/** Says whether a pattern of IAM, in which a star stands for any text, has a value. */
function has(pattern: string, value: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[$.+?^{}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(value);
}

function allows(action: string, on: string): boolean {
  return STATEMENTS.some(
    ({ Action, Resource }) =>
      Action.some((each) => has(each, action)) && Resource.some((each) => has(each, on)),
  );
}

describe('the policy of who deploys', () => {
  const own = COMMANDS.filter((command) => !command.includes(ADMIN)).map((command) =>
    command.split(' ').slice(0, 3).join(' '),
  );

  it('is asked for every command of the pages that is not the administrator’s', () => {
    expect(COMMANDS.length - own.length).toBeGreaterThan(15);
    const unknown = own.filter((command) => !(command in ACTIONS));
    expect(unknown).toEqual([]);
    const printed = Object.keys(ACTIONS).filter((command) => command.startsWith('npx'));
    for (const command of printed) expect(DEPLOY).toContain(command);
  });

  it.each(Object.entries(ACTIONS))('allows %s', (_, actions) => {
    expect(actions.filter(([action, on]) => !allows(action, on))).toEqual([]);
  });

  it('allows nothing of others', () => {
    expect(allows('lambda:InvokeFunction', `arn:aws:lambda:${HERE}:function:billing`)).toBe(false);
    expect(allows('ec2:CreateVpcEndpoint', '*')).toBe(false); // the administrator's
    expect(allows('iam:CreateUser', 'arn:aws:iam::123456789012:user/headroom-x')).toBe(false);
  });
});

describe('rules for a database that only the functions reach', () => {
  const database = useDatabase();
  const folder = useFolder();

  it('are stored by the payload that the page makes, if there are none yet', async () => {
    cpSync(join(ROOT, 'examples', 'rules.yaml'), folder.path('rules.yaml'));
    const [, made = ''] = /^(\(echo .*)$/m.exec(DEPLOY) ?? [];
    await promisify(execFile)('bash', ['-euc', made.replace('npx yaml', 'yaml')], {
      cwd: folder.path(''),
      env: {
        ...process.env,
        PATH: `${join(ROOT, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`,
      },
    });
    const payload = JSON.parse(folder.read('rules.json')) as object;
    const { rules } = handlersOf(await serviceOn(database, [], {}));
    expect(await callDirectly(rules, payload)).toMatchObject({ status: 200 });
    expect((await readRules(database.db)).length).toBeGreaterThan(5);
    expect(await callDirectly(rules, payload)).toMatchObject({ body: { code: 'RULE_CHANGED' } });
  });
});
