import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { readRules } from '../support/stored-rules.ts';
import { useDatabase } from '../support/database.ts';
import { useFolder } from '../support/folder.ts';
import { handlersOf } from '../support/handlers.ts';
import { APPS_KEY_TEXT } from '../support/signed-call.ts';
import { startFunction, variablesOf } from '../support/started-function.ts';
import { callDirectly, serviceOn } from '../support/service-on-database.ts';
import { pageAt, ROOT } from './pages.ts';

const DEPLOY = pageAt('docs/deploy.md').text;
const RUNBOOK = pageAt('docs/runbook.md').text;
const COMMANDS = [DEPLOY, RUNBOOK, pageAt('docs/operations.md').text].flatMap(commandsIn);

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
const LOG = `arn:aws:logs:${HERE}:log-group:/aws/lambda/headroom-production-check:*`;
const DEAD = `arn:aws:sqs:${HERE}:headroom-production-settlements-dead`;
const MAPPING = `arn:aws:lambda:${HERE}:event-source-mapping:00000000-0000-0000-0000-000000000000`;
const ROLE = 'arn:aws:iam::123456789012:role/headroom-production-eu-central-1-lambdaRole';
const BOUNDED = { 'iam:PermissionsBoundary': 'arn:aws:iam::123456789012:policy/headroom-boundary' };
/** As serverless attaches it where the functions run in private subnets. */
const VPC_POLICY = 'arn:aws:iam::aws:policy/service-role/AWSLambdaVPCAccessExecutionRole';
const BUCKET = 'arn:aws:s3:::headroom-production-serverlessdeploymentbucket-1a2b';

/**
 * The actions that IAM asks for, by command. Source: the service authorization reference, and for
 * `serverless` the requests in the sources of osls.
 */
const ACTIONS: Readonly<
  Record<string, readonly (readonly [action: string, on: string, context?: Context])[]>
> = {
  'aws cloudformation continue-update-rollback': [['cloudformation:ContinueUpdateRollback', STACK]],
  'aws ec2 describe-subnets': [['ec2:DescribeSubnets', '*']],
  'aws ec2 describe-security-groups': [['ec2:DescribeSecurityGroups', '*']],
  'aws lambda get-account-settings': [['lambda:GetAccountSettings', '*']],
  'aws lambda invoke': [['lambda:InvokeFunction', FUNCTION]],
  'aws lambda list-event-source-mappings': [['lambda:ListEventSourceMappings', '*']],
  'aws lambda update-event-source-mapping': [['lambda:UpdateEventSourceMapping', MAPPING]],
  'aws logs get-query-results': [['logs:GetQueryResults', '*']],
  'aws logs start-query': [['logs:StartQuery', LOG]],
  'aws logs tail': [['logs:FilterLogEvents', LOG]],
  'aws logs describe-log-groups': [
    ['logs:DescribeLogGroups', '*'],
    ['logs:DeleteLogGroup', LOG],
  ],
  'aws sqs delete-queue': [
    ['sqs:GetQueueUrl', DEAD],
    ['sqs:DeleteQueue', DEAD],
  ],
  'aws sqs start-message-move-task': [
    ['sqs:StartMessageMoveTask', DEAD],
    ['sqs:ReceiveMessage', DEAD],
    ['sqs:DeleteMessage', DEAD],
    ['sqs:SendMessage', DEAD.replace('-dead', '')],
  ],
  'aws lambda put-function-concurrency': [['lambda:PutFunctionConcurrency', FUNCTION]],
  'aws secretsmanager create-secret': [['secretsmanager:CreateSecret', SECRET]],
  'aws secretsmanager get-secret-value': [['secretsmanager:GetSecretValue', SECRET]],
  'aws secretsmanager put-secret-value': [['secretsmanager:PutSecretValue', SECRET]],
  'aws secretsmanager replicate-secret-to-regions': [
    ['secretsmanager:ReplicateSecretToRegions', SECRET],
  ],
  'npx --no-install headroom smoke': [
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
    ['iam:CreateRole', ROLE, BOUNDED],
    ['iam:PutRolePolicy', ROLE, BOUNDED],
    ['iam:AttachRolePolicy', ROLE, { ...BOUNDED, 'iam:PolicyARN': VPC_POLICY }],
    ['iam:PassRole', ROLE, { 'iam:PassedToService': 'lambda.amazonaws.com' }],
    ['s3:ListBucket', BUCKET],
    ['s3:PutObject', `${BUCKET}/serverless/headroom/production/check.zip`],
    ['lambda:GetFunction', FUNCTION],
  ],
  'npx serverless info': [['cloudformation:DescribeStacks', STACK]],
  'npx serverless remove': [
    ['cloudformation:DeleteStack', STACK],
    ['iam:DeleteRole', ROLE, BOUNDED],
    ['iam:DeleteRolePolicy', ROLE, BOUNDED],
    ['iam:DetachRolePolicy', ROLE, { ...BOUNDED, 'iam:PolicyARN': VPC_POLICY }],
    ['s3:DeleteObject', `${BUCKET}/serverless/headroom/production/check.zip`],
  ],
  'npx serverless rollback': [
    ['cloudformation:UpdateStack', STACK],
    ['s3:GetObject', `${BUCKET}/serverless/headroom/production/state.json`],
  ],
};

const words = z.union([z.string(), z.array(z.string())]).transform((each) => [each].flat());
const policySchema = z.object({
  Statement: z.array(
    z.object({
      Action: words,
      Resource: words,
      Condition: z
        .partialRecord(z.enum(['StringEquals', 'ArnLike']), z.record(z.string(), words))
        .optional(),
    }),
  ),
});
type Policy = z.infer<typeof policySchema>;
/** What IAM knows of a request beside its action, such as the boundary of a role. */
type Context = Readonly<Record<string, string>>;

const policyAt = (name: string): Policy =>
  policySchema.parse(JSON.parse(readFileSync(join(ROOT, 'examples', name), 'utf8')));
const DEPLOYS = policyAt('deploy-policy.json');
const BOUNDARY = policyAt('permissions-boundary.json');

/** Says whether a pattern of IAM, in which a star stands for any text, has a value. */
function has(pattern: string, value: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[$.+?^{}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(value);
}

function allows(action: string, on: string, context: Context = {}, by: Policy = DEPLOYS): boolean {
  return by.Statement.some(
    ({ Action, Resource, Condition = {} }) =>
      Action.some((each) => has(each, action)) &&
      Resource.some((each) => has(each, on)) &&
      Object.values(Condition).every((keys) =>
        Object.entries(keys).every(([key, patterns]) =>
          patterns.some((pattern) => has(pattern, context[key] ?? '')),
        ),
      ),
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
    expect(actions.filter(([action, on, context]) => !allows(action, on, context))).toEqual([]);
  });

  it('allows nothing of others', () => {
    expect(allows('lambda:InvokeFunction', `arn:aws:lambda:${HERE}:function:billing`)).toBe(false);
    expect(allows('ec2:CreateVpcEndpoint', '*')).toBe(false); // the administrator's
    expect(allows('iam:CreateUser', 'arn:aws:iam::123456789012:user/headroom-x')).toBe(false);
  });

  const ADMINISTRATOR = { 'iam:PolicyARN': 'arn:aws:iam::aws:policy/AdministratorAccess' };
  const POLICY = BOUNDED['iam:PermissionsBoundary'];
  const OTHER = { 'iam:PermissionsBoundary': 'arn:aws:iam::123456789012:policy/headroom-deploy' };
  // prettier-ignore
  it.each([
    { action: 'iam:CreateRole',                    on: ROLE,   context: {},                                why: 'a role without a boundary may do anything' },
    { action: 'iam:CreateRole',                    on: ROLE,   context: OTHER,                             why: 'another boundary is wider' },
    { action: 'iam:PutRolePolicy',                 on: ROLE,   context: {},                                why: 'a role of somebody else has no boundary' },
    { action: 'iam:AttachRolePolicy',              on: ROLE,   context: { ...BOUNDED, ...ADMINISTRATOR },  why: 'no function needs it' },
    { action: 'iam:UpdateAssumeRolePolicy',        on: ROLE,   context: BOUNDED,                           why: 'they could take the role on' },
    { action: 'iam:DeleteRolePermissionsBoundary', on: ROLE,   context: BOUNDED,                           why: 'the boundary would be gone' },
    { action: 'iam:PutRolePermissionsBoundary',    on: ROLE,   context: BOUNDED,                           why: 'the boundary would be another' },
    { action: 'iam:CreatePolicyVersion',           on: POLICY, context: {},                                why: 'the boundary would be wider' },
    { action: 'iam:PassRole',                      on: ROLE,   context: { 'iam:PassedToService': 'ec2.amazonaws.com' }, why: 'a machine would have the role' },
  ])('does not let its holder become administrator by $action, because $why', ({ action, on, context }) => {
    expect(allows(action, on, context)).toBe(false);
  });
});

describe('the boundary of the roles that a stack makes', () => {
  const within = (action: string, on: string, context: Context = {}) =>
    allows(action, on, context, BOUNDARY);

  it('has what the functions need', () => {
    const queue = DEAD.replace('-dead', '');
    const bus = `arn:aws:events:${HERE}:event-bus/payments`;
    for (const action of ['CreateLogStream', 'CreateLogGroup', 'TagResource', 'PutLogEvents'])
      expect({ action, may: within(`logs:${action}`, LOG) }).toEqual({ action, may: true });
    for (const action of ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'])
      expect({ action, may: within(`sqs:${action}`, queue) }).toEqual({ action, may: true });
    expect(within('events:PutEvents', bus, { 'events:source': 'headroom' })).toBe(true);
    const backtest = `arn:aws:lambda:${HERE}:function:headroom-production-backtest`;
    expect(within('lambda:InvokeFunction', backtest)).toBe(true);
    // Of AWSLambdaVPCAccessExecutionRole, as AWS's reference of managed policies has it.
    for (const action of [
      'CreateNetworkInterface',
      'DescribeNetworkInterfaces',
      'DescribeSubnets',
      'DeleteNetworkInterface',
      'AssignPrivateIpAddresses',
      'UnassignPrivateIpAddresses',
    ])
      expect({ action, may: within(`ec2:${action}`, '*') }).toEqual({ action, may: true });
  });

  it('has no rights of people, and nothing of others', () => {
    const services = BOUNDARY.Statement.flatMap(({ Action }) =>
      Action.map((each) => each.split(':')[0]),
    );
    expect([...new Set(services)].sort()).toEqual(['ec2', 'events', 'lambda', 'logs', 'sqs']);
    expect(within('events:PutEvents', `arn:aws:events:${HERE}:event-bus/x`)).toBe(false);
    expect(within('sqs:ReceiveMessage', `arn:aws:sqs:${HERE}:billing`)).toBe(false);
    const check = `arn:aws:lambda:${HERE}:function:headroom-production-check`;
    expect(within('lambda:InvokeFunction', check)).toBe(false);
    expect(within('ec2:RunInstances', '*')).toBe(false);
  });
});

describe('the first application where only the functions reach the database', () => {
  const database = useDatabase();
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('is made by the payload of the page', async () => {
    const [, payload = ''] = /headroom-production-apps [^']*'([^']+)'/.exec(DEPLOY) ?? [];
    const apps = await startFunction('apps', {
      ...variablesOf(database),
      AUTH: 'hmac',
      APPS_KEY: APPS_KEY_TEXT,
    });
    const made = await apps(JSON.parse(payload), { awsRequestId: 'r-1' });
    expect(made).toMatchObject({ id: 'shop', secret: expect.stringMatching(/^hrs_/) as unknown });
  });
});

describe('rules for a database that only the functions reach', () => {
  const database = useDatabase();
  const folder = useFolder();

  const rulesIn = (text: string) => folder.write('rules.yaml', text);
  const SHIPPED = readFileSync(join(ROOT, 'examples', 'rules.yaml'), 'utf8');

  /** What the line of a page that makes rules.json makes. */
  async function payloadBy(page: string): Promise<object> {
    const [, made = ''] = /^(\(echo .*)$/m.exec(page) ?? [];
    const line = made
      .replace('npx --no-install yaml', 'yaml')
      .replace('git show HEAD~1:rules.yaml', 'cat rules.yaml');
    await promisify(execFile)('bash', ['-euc', line], {
      cwd: folder.path(''),
      env: {
        ...process.env,
        PATH: `${join(ROOT, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`,
      },
    });
    return JSON.parse(folder.read('rules.json')) as object;
  }

  it('are stored by the payload that the page makes, if there are none yet, and put back', async () => {
    rulesIn(SHIPPED);
    const { rules } = handlersOf(await serviceOn(database, [], {}));
    const payload = await payloadBy(DEPLOY);
    expect(await callDirectly(rules, payload)).toMatchObject({ status: 200 });
    expect((await readRules(database.db)).length).toBeGreaterThan(5);
    expect(await callDirectly(rules, payload)).toMatchObject({ body: { code: 'RULE_CHANGED' } });
    // At night, those of the last commit are sent over whatever is stored.
    rulesIn(SHIPPED.replace('max: { count: 20 }', 'max: { count: 19 }'));
    expect(await callDirectly(rules, await payloadBy(RUNBOOK))).toMatchObject({
      status: 200,
      body: { revision: expect.any(Number) as unknown },
    });
  });
});
