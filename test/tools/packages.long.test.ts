import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildCdk, CDK_FOLDER, synthesize } from '../../infra/cdk.ts';
import { ROOT } from '../../infra/framework.ts';
import { CALL_NAMES, FUNCTION_NAMES } from '../support/function-names.ts';
import { packageElsewhere, readTemplate, type Template } from '../support/synthesized.ts';

const MINUTES = 600_000;
const TOPIC = 'arn:aws:sns:eu-central-1:123456789012:on-call';

/** The stack that serverless.yml and the construct are both asked for. */
const PARAMETERS = [
  '--param=eventBus=payments',
  '--param=nearBus=payments',
  '--param=logRetentionDays=365',
  `--param=alarmTopicArn=${TOPIC}`,
];
const SAME_APP = `
import { App, Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Headroom } from '@headroom-limits/cdk';
const stack = new Stack(new App(), 'Same', { env: { region: 'eu-central-1' } });
const bus = EventBus.fromEventBusName(stack, 'Bus', 'payments');
const alarmTopic = Topic.fromTopicArn(stack, 'Topic', '${TOPIC}');
new Headroom(stack, 'Limits', { stage: 'dev', alarmTopic, nearBus: bus, settlementEvents: { bus } });
`;

let output: string;
const app = join(CDK_FOLDER, 'example', 'same-as-serverless.mjs');
let templates: (stack: string) => Template;
let same: Template;
let serverless: Template;
beforeAll(() => {
  output = mkdtempSync(join(tmpdir(), 'headroom-cdk-'));
  buildCdk();
  synthesize('example/app.mjs', output);
  templates = (stack) => readTemplate(join(output, `${stack}.template.json`));
  // In the package's folder, for it imports the package by its name.
  writeFileSync(app, SAME_APP);
  synthesize('example/same-as-serverless.mjs', join(output, 'same'));
  same = readTemplate(join(output, 'same', 'Same.template.json'));
  serverless = packageElsewhere(...PARAMETERS);
}, MINUTES);
afterAll(() => {
  rmSync(app, { force: true });
  rmSync(output, { recursive: true, force: true });
});

type Properties = Readonly<Record<string, unknown>>;
const recordSchema = z.record(z.string(), z.unknown());

function of({ Resources }: Template, type: string): readonly Properties[] {
  return Object.values(Resources)
    .filter(({ Type }) => Type === type)
    .map(({ Properties }) => recordSchema.parse(Properties ?? {}));
}

const NAMES = ['FunctionName', 'QueueName', 'LogGroupName', 'AlarmName', 'DashboardName', 'Name'];

function nameOf({ Resources }: Template, id: string): string {
  const { Type, Properties } = Resources[id] ?? { Type: id };
  const properties = recordSchema.parse(Properties ?? {});
  const name = NAMES.map((key) => properties[key]).find((each) => typeof each === 'string');
  return name === undefined ? Type : `${Type} ${name}`;
}

const referenceSchema = z.union([
  z.strictObject({ Ref: z.string() }).transform(({ Ref }) => ({ id: Ref, attribute: 'Ref' })),
  z
    .strictObject({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) })
    .transform(({ 'Fn::GetAtt': [id, attribute] }) => ({ id, attribute })),
]);
const joinSchema = z.strictObject({
  'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]),
});
const chosenSchema = z.strictObject({
  'Fn::If': z.tuple([z.string(), z.unknown(), z.unknown()]),
});

/** Its values, with what it refers to by name, joined texts as one, and what a condition chooses. */
function plain(template: Template, value: unknown): unknown {
  const reference = referenceSchema.safeParse(value);
  if (reference.success) {
    const { id, attribute } = reference.data;
    if (id.startsWith('AWS::')) return `<${id}>`;
    const name = nameOf(template, id);
    // Lambda takes a function's name for its address.
    return name.startsWith('AWS::Lambda::Function') ? `<${name}>` : `<${name} ${attribute}>`;
  }
  const joined = joinSchema.safeParse(value);
  if (joined.success) {
    const [between, parts] = joined.data['Fn::Join'];
    return parts.map((part) => String(plain(template, part))).join(between);
  }
  const chosen = chosenSchema.safeParse(value);
  if (chosen.success) return plain(template, chosen.data['Fn::If'][1]);
  if (Array.isArray(value)) return value.map((each) => plain(template, each));
  const record = recordSchema.safeParse(value);
  if (!record.success) return value;
  return Object.fromEntries(
    Object.entries(record.data).map(([key, each]) => [key, plain(template, each)]),
  );
}

/** The resources that two templates share, by name, with the properties that are compared. */
function compared(
  template: Template,
  type: string,
  name: string,
  without: readonly string[],
): Readonly<Record<string, unknown>> {
  const rows = of(template, type).map((properties) => {
    const kept = Object.entries(properties).filter(([key]) => !without.includes(key));
    return [
      JSON.stringify(plain(template, properties[name])),
      plain(template, Object.fromEntries(kept)),
    ] as const;
  });
  return Object.fromEntries(rows.sort(([left], [right]) => left.localeCompare(right)));
}

/**
 * Leaves out values that can be written in two ways: the newest version of a secret, a whole number, the id of
 * a target, and defaults of CloudFormation.
 */
function comparable(value: unknown): unknown {
  const text = JSON.stringify(value, (key, each: unknown) =>
    ['Sid', 'State', 'TimeoutInMillis'].includes(key)
      ? undefined
      : typeof each === 'number'
        ? String(each)
        : each,
  );
  const short = text
    .replaceAll(':SecretString:::}}', '}}')
    .replaceAll('"Target0"', '"settlements"');
  return JSON.parse(short) as unknown; // what was just written
}

const statementSchema = z.looseObject({
  Action: z.union([z.string(), z.array(z.string())]).transform((each) => [each].flat()),
  Resource: z.unknown(),
});
const policySchema = z.object({ Statement: z.array(statementSchema) });

describe('the construct makes what serverless.yml makes:', () => {
  // prettier-ignore
  it.each([
    { type: 'AWS::Lambda::Function',           by: 'FunctionName',   without: ['Code', 'Role', 'LoggingConfig'] },
    { type: 'AWS::Lambda::EventSourceMapping', by: 'EventSourceArn', without: ['Enabled'] },
    { type: 'AWS::Logs::LogGroup',             by: 'LogGroupName',   without: [] },
    { type: 'AWS::SQS::Queue',                 by: 'QueueName',      without: [] },
    { type: 'AWS::Events::Rule',               by: 'Name',           without: [] },
    { type: 'AWS::ApiGatewayV2::Api',          by: 'Name',           without: [] },
    { type: 'AWS::ApiGatewayV2::Stage',        by: 'StageName',      without: [] },
    { type: 'AWS::ApiGatewayV2::Route',        by: 'RouteKey',       without: [] },
    { type: 'AWS::ApiGatewayV2::Integration',  by: 'IntegrationUri', without: [] },
    { type: 'AWS::CloudWatch::Alarm',          by: 'AlarmName',      without: [] },
    { type: 'AWS::CloudWatch::Dashboard',      by: 'DashboardName',  without: [] },
    { type: 'Custom::HeadroomIndexes',         by: 'Revision',       without: [] },
  ])('$type', ({ type, by, without }) => {
    const wanted = compared(serverless, type, by, without);
    expect(Object.keys(wanted)).not.toEqual([]);
    expect(comparable(compared(same, type, by, without))).toEqual(comparable(wanted));
  });

  it('logs and messages that stay when it is removed', () => {
    for (const template of [same, serverless])
      for (const { Type, DeletionPolicy, UpdateReplacePolicy } of Object.values(template.Resources))
        if (Type === 'AWS::Logs::LogGroup' || Type === 'AWS::SQS::Queue')
          expect({ Type, DeletionPolicy, UpdateReplacePolicy }).toEqual({
            Type,
            DeletionPolicy: 'RetainExceptOnCreate',
            UpdateReplacePolicy: 'Retain',
          });
  });

  it('nothing of another type, but for the place of artifacts and the rights', () => {
    const typesOf = ({ Resources }: Template): ReadonlySet<string> =>
      new Set(Object.values(Resources).map(({ Type }) => Type));
    const own = ['AWS::S3::Bucket', 'AWS::S3::BucketPolicy'];
    expect([...typesOf(same)].sort()).toEqual(
      [...typesOf(serverless)].filter((type) => !own.includes(type)).sort(),
    );
  });

  it('the events of the same bus alone may be put into the queues', () => {
    const sendersOf = (template: Template) =>
      of(template, 'AWS::SQS::QueuePolicy').map(({ Queues, PolicyDocument }) => {
        const { Statement } = policySchema.parse(PolicyDocument);
        return Statement.map(({ Action, Principal, Resource, Condition }) => {
          expect(Action).toContain('sqs:SendMessage');
          return JSON.stringify(plain(template, { Queues, Principal, Resource, Condition }));
        });
      });
    expect(sendersOf(same).flat().sort()).toEqual(sendersOf(serverless).flat().sort());
  });

  it('API Gateway may call the functions that have routes', () => {
    const calledBy = (template: Template) =>
      of(template, 'AWS::Lambda::Permission')
        .filter(({ Principal }) => Principal === 'apigateway.amazonaws.com')
        .map(({ FunctionName }) => plain(template, FunctionName))
        .sort();
    expect(calledBy(same)).toEqual(calledBy(serverless));
    expect(calledBy(same)).toHaveLength(CALL_NAMES.length);
  });
});

describe('the rights of the construct’s functions', () => {
  const roleSchema = z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.literal('Arn')]) });

  const rights = (template: Template): Readonly<Record<string, readonly string[]>> => {
    const policies = of(template, 'AWS::IAM::Policy');
    return Object.fromEntries(
      of(template, 'AWS::Lambda::Function').map(({ FunctionName, Role }) => {
        const [role] = roleSchema.parse(Role)['Fn::GetAtt'];
        const said = policies
          .filter(({ Roles }) => JSON.stringify(Roles) === JSON.stringify([{ Ref: role }]))
          .flatMap(({ PolicyDocument }) => policySchema.parse(PolicyDocument).Statement)
          .flatMap(({ Action, Resource }) =>
            Action.map((action) => `${action} ${String(plain(template, Resource))}`),
          );
        return [String(FunctionName), said.sort()];
      }),
    );
  };

  it('are those that each needs', () => {
    const crossing = ['check', 'checks', 'confirm', 'proposals', 'record', 'settle', 'settlements'];
    const invoking = ['backtests', 'backtest'];
    const backtest =
      'arn:<AWS::Partition>:lambda:eu-central-1:<AWS::AccountId>:function:headroom-dev-backtest';
    const expected = FUNCTION_NAMES.map((name) => {
      const logs = `<AWS::Logs::LogGroup /aws/lambda/headroom-dev-${name} Arn>`;
      const queue = '<AWS::SQS::Queue headroom-dev-settlements Arn>';
      const bus = 'arn:<AWS::Partition>:events:eu-central-1:<AWS::AccountId>:event-bus/payments';
      return [
        `headroom-dev-${name}`,
        [
          ...(crossing.includes(name) ? [`events:PutEvents ${bus}`] : []),
          ...(invoking.includes(name) ? [`lambda:InvokeFunction ${backtest}`] : []),
          `logs:CreateLogStream ${logs}`,
          `logs:PutLogEvents ${logs}`,
          ...(name === 'settle'
            ? ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'].map(
                (action) => `sqs:${action} ${queue}`,
              )
            : []),
        ],
      ] as const;
    });
    expect(rights(same)).toEqual(Object.fromEntries(expected));
    for (const { ManagedPolicyArns } of of(same, 'AWS::IAM::Role'))
      expect(ManagedPolicyArns).toBeUndefined();
  });

  it('hold no more than serverless.yml gives all of them', () => {
    const given = [
      ...of(serverless, 'AWS::IAM::Role').map(({ Policies }) => Policies),
      ...of(serverless, 'AWS::IAM::Policy'),
    ];
    const actions = new Set(JSON.stringify(given).match(/(logs|sqs|events|lambda):\w+/g));
    const used = Object.values(rights(same))
      .flat()
      .map((right) => right.split(' ')[0]);
    expect(used.filter((action) => !actions.has(action ?? ''))).toEqual([]);
  });
});

describe('the construct with everything', () => {
  const whole = (): Template => templates('Whole');
  const functionsOf = (template: Template): readonly Properties[] =>
    of(template, 'AWS::Lambda::Function').filter(({ FunctionName }) =>
      String(FunctionName).startsWith('headroom-'),
    );

  it('reserves what is asked, and nothing where nothing is', () => {
    const reserved = (template: Template) =>
      functionsOf(template).flatMap(({ FunctionName, ReservedConcurrentExecutions: many }) =>
        many === undefined ? [] : [[FunctionName, many]],
      );
    expect(reserved(whole())).toEqual([
      ['headroom-production-check', 50],
      ['headroom-production-settle', 4],
    ]);
    expect(reserved(templates('Plain'))).toEqual([]);
  });

  it('settles as many batches at once, and waits as long for the database, as is asked', () => {
    expect(of(whole(), 'AWS::Lambda::EventSourceMapping')).toMatchObject([
      { ScalingConfig: { MaximumConcurrency: 4 } },
    ]);
    const own: Readonly<Record<string, string>> = { history: '3000', backtest: '20000' };
    const waits = functionsOf(whole()).map(({ FunctionName, Environment }) => {
      const { Variables } = z.object({ Variables: recordSchema }).parse(Environment);
      return [String(FunctionName).replace('headroom-production-', ''), Variables.STORE_TIMEOUT_MS];
    });
    expect(Object.fromEntries(waits)).toEqual(
      Object.fromEntries(FUNCTION_NAMES.map((name) => [name, own[name] ?? '1000'])),
    );
  });

  it('runs in private subnets, in one security group', () => {
    for (const each of functionsOf(whole())) {
      const { SecurityGroupIds } = recordSchema.parse(each.VpcConfig);
      expect(SecurityGroupIds).toHaveLength(1);
    }
    expect(of(whole(), 'AWS::EC2::SecurityGroup')).toHaveLength(1);
  });

  it('lets applications sign, with a key that the template does not hold', () => {
    for (const { AuthorizationType } of of(whole(), 'AWS::ApiGatewayV2::Route'))
      expect(AuthorizationType).toBe('NONE');
    const text = JSON.stringify(functionsOf(whole()));
    expect(text).toContain(
      '{{resolve:secretsmanager:headroom/production/apps-key:SecretString:::}}',
    );
    expect(text).toContain('"AUDIT_DAYS":"90"');
  });

  it('tells the topic when an alarm goes off and when it is over, that of a canary as well', () => {
    const alarms = of(whole(), 'AWS::CloudWatch::Alarm');
    const names = alarms.map(({ AlarmName }) => String(AlarmName));
    expect(names).toContain('headroom-production-check-fails');
    expect(names).not.toContain('headroom-production-quiet'); // turned off
    for (const { AlarmName, AlarmActions, OKActions } of alarms)
      expect({ AlarmName, tells: plain(whole(), [AlarmActions, OKActions]) }).toEqual({
        AlarmName,
        tells: [['<AWS::SNS::Topic Ref>'], ['<AWS::SNS::Topic Ref>']],
      });
    expect(alarms).toContainEqual(
      expect.objectContaining({ AlarmName: 'headroom-production-refusals', Threshold: 12 }),
    );
    expect(alarms).toContainEqual(
      expect.objectContaining({ AlarmName: 'headroom-production-slow', Threshold: 1000 }),
    );
  });

  it('gives a new version a tenth of the calls, and takes them back when an alarm goes off', () => {
    const groups = of(whole(), 'AWS::CodeDeploy::DeploymentGroup');
    expect(groups).toHaveLength(FUNCTION_NAMES.length - 1); // all but the one that makes indexes
    for (const group of groups) {
      expect(group).toMatchObject({
        DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
        AutoRollbackConfiguration: { Enabled: true },
      });
      const watched = JSON.stringify(plain(whole(), group.AlarmConfiguration));
      expect(watched).toContain('headroom-production-undecided');
      expect(watched).toContain('headroom-production-errors');
      expect(watched).toMatch(/headroom-production-[a-z]+-fails/);
    }
    // Calls go to the alias, those of the queue as well.
    for (const { IntegrationUri } of of(whole(), 'AWS::ApiGatewayV2::Integration'))
      expect(plain(whole(), IntegrationUri)).toMatch(/^<AWS::Lambda::Alias live/);
    const [mapping] = of(whole(), 'AWS::Lambda::EventSourceMapping');
    expect(plain(whole(), mapping?.FunctionName)).toMatch(/:live$/);
  });

  it('has its own name, and lets as much through as is asked', () => {
    expect(of(whole(), 'AWS::ApiGatewayV2::DomainName')).toMatchObject([
      { DomainName: 'limits.example.com' },
    ]);
    expect(of(whole(), 'AWS::ApiGatewayV2::Stage')).toMatchObject([
      { DefaultRouteSettings: { ThrottlingRateLimit: 200, ThrottlingBurstLimit: 40 } },
    ]);
  });
});

describe('the oldest CDK that the package says it works with', () => {
  const manifestSchema = z.object({
    peerDependencies: z.record(z.string(), z.string()),
    devDependencies: z.record(z.string(), z.string()),
  });
  const { peerDependencies, devDependencies } = manifestSchema.parse(
    JSON.parse(readFileSync(join(CDK_FOLDER, 'package.json'), 'utf8')),
  );

  it.each(['aws-cdk-lib', 'constructs'])('is the one that is tried: %s', (name) => {
    expect(`npm:${name}@${peerDependencies[name]?.replace('^', '') ?? ''}`).toBe(
      devDependencies[`${name}-oldest`],
    );
  });

  it('makes the same stacks', () => {
    const project = join(output, 'oldest');
    const modules = join(project, 'node_modules');
    const packed = join(modules, '@headroom-limits', 'cdk');
    mkdirSync(packed, { recursive: true });
    for (const name of ['package.json', 'dist'])
      cpSync(join(CDK_FOLDER, name), join(packed, name), { recursive: true });
    for (const name of ['aws-cdk-lib', 'constructs'])
      symlinkSync(join(CDK_FOLDER, 'node_modules', `${name}-oldest`), join(modules, name));
    cpSync(join(CDK_FOLDER, 'example', 'app.mjs'), join(project, 'app.mjs'));
    // Both oldest ones are found where the links are, not beside the newest.
    const links = ['--preserve-symlinks', '--preserve-symlinks-main'];
    const made = spawnSync(process.execPath, [...links, 'app.mjs'], {
      cwd: project,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, CDK_OUTDIR: join(project, 'made') },
    });
    expect({ status: made.status, stderr: made.stderr }).toEqual({ status: 0, stderr: '' });
    for (const stack of ['Plain', 'Whole']) {
      const old = readTemplate(join(project, 'made', `${stack}.template.json`));
      expect(Object.keys(old.Resources).sort()).toEqual(
        Object.keys(templates(stack).Resources).sort(),
      );
    }
  });
});

describe('a mistake in what the construct is given', () => {
  // prettier-ignore
  it.each([
    { props: `{ stage: 'Prod 1' }`,                  says: 'stage is "Prod 1", expected 1 to 31 lower-case letters' },
    { props: `{ settings: { AUDIT_DAY: '9' } }`,     says: 'settings has "AUDIT_DAY", expected only ' },
    { props: `{ settings: { MONGODB_URI: 'm' } }`,   says: 'Others have properties of their own.' },
    { props: `{ reservedConcurrency: { chek: 5 } }`, says: 'reservedConcurrency names the function "chek", expected one of check, ' },
    { props: `{ settings: { STORE_TIMEOUT_MS: '900' } }`, says: 'Others have properties of their own.' },
    { props: `{ reservedConcurrency: { settle: 9 } }`, says: 'reservedConcurrency.settle is 9, expected at least settleAtOnce, 10' },
    { props: `{ settleAtOnce: 1 }`,                  says: 'settleAtOnce is 1, expected a whole number from 2 to 1000.' },
    { props: `{ timeouts: { store: Duration.seconds(3) } }`, says: 'timeouts.store is 3000 ms, and a call makes up to 14 requests: expected less than 2072 ms' },
    { props: `{ timeouts: { store: Duration.millis(50) } }`, says: 'timeouts.store is 50 ms, expected 100 to 20000 ms.' },
    { props: `{ timeouts: { history: Duration.seconds(8) } }`, says: 'timeouts.history is 8000 ms, and a call makes up to 4 requests' },
    { props: `{ alarmWhen: { quiet: Duration.seconds(90) } }`, says: 'alarmWhen.quiet is 1.5 minutes, expected whole minutes up to 1440' },
    { props: `{ alarmWhen: { refusedPercent: 0 } }`, says: 'alarmWhen.refusedPercent is 0, expected more than 0' },
  ])('$props is named', ({ props, says }) => {
    const words = `
      const { App, Duration, Stack } = require('aws-cdk-lib');
      const { Headroom } = require('@headroom-limits/cdk');
      new Headroom(new Stack(new App(), 'S'), 'Limits', ${props});`;
    const { stderr, status } = spawnSync(process.execPath, ['-e', words], {
      cwd: CDK_FOLDER,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining(says) as unknown,
    });
  });
});

it('the sources of the construct are as oxlint wants them, with the types of CDK', () => {
  const program = join(ROOT, 'node_modules', 'oxlint', 'bin', 'oxlint');
  const words = ['-c', join(CDK_FOLDER, 'oxlint.json'), join(CDK_FOLDER, 'src')];
  const { stdout, status } = spawnSync(process.execPath, [program, ...words], {
    encoding: 'utf8',
  });
  expect({ status, stdout }).toMatchObject({ status: 0 });
});

describe('the README of the construct', () => {
  const readme = readFileSync(join(CDK_FOLDER, 'README.md'), 'utf8');
  const examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block = '']) => block);

  it('has examples that compile', () => {
    const files = examples.map((block, index) => {
      const file = join(CDK_FOLDER, 'example', `readme-${index}.mts`);
      writeFileSync(file, `${block}export {};\n`);
      return file;
    });
    const words = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext'];
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const { stdout, status } = spawnSync(
      process.execPath,
      [tsc, ...words, '--types', 'node', '--ignoreConfig', ...files],
      { cwd: CDK_FOLDER, encoding: 'utf8' },
    );
    for (const file of files) rmSync(file);
    expect(files).toHaveLength(3);
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  });

  it('names every property and no other', () => {
    const props = readFileSync(join(CDK_FOLDER, 'src', 'props.ts'), 'utf8');
    const there = [...props.matchAll(/^ {2}readonly (\w+)\?:/gm)].map(([, name]) => name);
    const told = [...readme.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name);
    expect(there.length).toBeGreaterThan(10);
    expect(told).toEqual(there);
  });
});

describe('what is published', () => {
  const NAMES = ['cdk', 'cli', 'client', 'documentdb-local'];
  let project: string;
  let archives: readonly string[];
  const npm = (cwd: string, ...words: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync('npm', words, { cwd, encoding: 'utf8' });
    if (status !== 0) throw new Error(`npm ${words.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  };
  beforeAll(() => {
    const packed = join(output, 'packed');
    npm(ROOT, 'run', '--silent', 'release', '--', '--pack', packed);
    archives = readdirSync(packed)
      .filter((name) => name.endsWith('.tgz'))
      .sort();
    project = join(output, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
    const paths = archives.map((name) => join(packed, name));
    // The construct is for apps that have CDK, which this one borrows.
    npm(project, 'install', '--no-audit', '--no-fund', '--legacy-peer-deps', ...paths);
    for (const name of ['aws-cdk-lib', 'constructs'])
      symlinkSync(join(CDK_FOLDER, 'node_modules', name), join(project, 'node_modules', name));
  }, MINUTES);

  const node = (...words: readonly string[]): string => {
    const { stdout, stderr } = spawnSync(process.execPath, words, {
      cwd: project,
      encoding: 'utf8',
    });
    return stdout + stderr;
  };

  it('are archives of the names that the READMEs install', () => {
    expect(archives).toEqual(NAMES.map((name) => `headroom-limits-${name}-0.1.0.tgz`));
    const pages = ['cdk', 'client', 'documentdb-local'].map((name) => `packages/${name}/README.md`);
    const text = [...pages, 'docs/command-line.md']
      .map((page) => readFileSync(join(ROOT, page), 'utf8'))
      .join();
    for (const archive of archives) expect(text).toContain(archive);
  });

  it('work where they are installed', () => {
    const bin = join(project, 'node_modules', '@headroom-limits', 'cli', 'bin', 'headroom.mjs');
    expect(node(bin, '--version')).toBe('0.1.0\n');
    const imported = (name: string, what: string): string =>
      node('-e', `import('@headroom-limits/${name}').then((it) => console.log(typeof it.${what}))`);
    expect(imported('client', 'HeadroomClient')).toBe('function\n');
    expect(imported('client/lambda', 'lambdaTransport')).toBe('function\n');
    expect(imported('documentdb-local', 'startDocumentDB')).toBe('function\n');
    expect(imported('documentdb-local/wire', 'FrameReader')).toBe('function\n');
    expect(
      node(
        '--input-type=module',
        '-e',
        `import { App, Stack } from 'aws-cdk-lib';
         import { Headroom } from '@headroom-limits/cdk';
         const stack = new Stack(new App(), 'S');
         console.log(Object.keys(new Headroom(stack, 'Limits').functions).length);`,
      ),
    ).toBe(`${FUNCTION_NAMES.length}\n`);
  });

  it('the client is packed and installed by the lines of docs/integrate.md', () => {
    const folder = join(output, 'integrate');
    mkdirSync(folder);
    const lines = readFileSync(join(ROOT, 'docs', 'integrate.md'), 'utf8')
      .split('\n')
      .filter((line) => /^npm (pack|init|install) /.test(line))
      .map((line) => line.replace(/ +#.*/, '').replaceAll('/tmp', output));
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      const [, ...words] = line.split(' ');
      npm(words[0] === 'pack' ? ROOT : folder, ...words);
    }
    const manifest = readFileSync(join(folder, 'package.json'), 'utf8');
    expect(manifest).toContain('headroom-limits-client-0.1.0.tgz');
  });

  it('hold no tests and no secrets', () => {
    for (const archive of archives) {
      const { stdout } = spawnSync('tar', ['-tzf', join(output, 'packed', archive)], {
        encoding: 'utf8',
      });
      const files = stdout.split('\n');
      expect(files).toContain('package/LICENSE');
      expect(files).toContain('package/README.md');
      expect(files.filter((file) => /\/(test|\.env|node_modules|\.headroom)/.test(file))).toEqual(
        [],
      );
      const isBundled = /cdk|cli-/.test(archive);
      // The client has its sources, and maps that lead there.
      if (isBundled) expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
      expect(files.includes('package/dist/THIRD-PARTY.txt')).toBe(isBundled);
    }
  });
});
