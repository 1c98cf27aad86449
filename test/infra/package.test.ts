import { useFolder } from '../support/folder.ts';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { HISTORY_CALLS_MAX, STORE_CALLS_MAX } from '../../infra/store-calls.ts';
import { INDEXES, PLAIN_COLLECTIONS } from '../../lib/health/mongo-indexes.ts';
import { FUNCTION_NAMES } from '../support/function-names.ts';
import {
  FAST,
  TIMEOUT_MS,
  environments,
  functionSchema,
  resources,
  runPackage,
} from '../support/packaged.ts';
import { readTemplate } from '../support/synthesized.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const API_GATEWAY_SECONDS_MAX = 30;
const INDEXES_NAME = 'headroom-dev-indexes';
const BACKTEST_NAME = INDEXES_NAME.replace('indexes', 'backtest');

const packagedTemplate = () =>
  readTemplate(join(ROOT, '.serverless/cloudformation-template-update-stack.json'));

/** A home directory with nothing in it. */
const home = useFolder();
beforeAll(() => {
  runPackage(home.path(''), FAST);
}, TIMEOUT_MS);

describe('the stack that serverless deploy creates', () => {
  it('has every function, under its name', () => {
    const names = resources('AWS::Lambda::Function', functionSchema).map((it) => it.FunctionName);
    expect(names.sort()).toEqual(FUNCTION_NAMES.map((name) => `headroom-dev-${name}`).sort());
  });

  it('gives every function all settings and no other', () => {
    expect(environments()).toHaveLength(FUNCTION_NAMES.length);
    const set = z
      .record(z.string(), z.string())
      .parse(parse(read('infra/serverless/environment.yml')));
    for (const environment of environments())
      expect(Object.keys(environment).sort()).toEqual(Object.keys(set).sort());
  });

  it('holds a reference to the connection string, not the string', () => {
    for (const { MONGODB_URI } of environments()) {
      expect(MONGODB_URI).toBe('{{resolve:secretsmanager:headroom/dev/mongodb-uri}}');
    }
  });

  it('keeps subjects and amounts out of the logs', () => {
    for (const { LOG_PAYLOADS } of environments()) expect(LOG_PAYLOADS).toBe('off');
  });

  it('lets a function outlive its slowest calls to the database, and API Gateway outlive it', () => {
    for (const each of resources('AWS::Lambda::Function', functionSchema)) {
      const { FunctionName, Timeout, Environment } = each;
      // Nobody waits for these over HTTP.
      if (FunctionName === INDEXES_NAME || FunctionName === BACKTEST_NAME) continue;
      const storeSeconds = Number(Environment.Variables.STORE_TIMEOUT_MS) / 1000;
      const calls = FunctionName.endsWith('-history') ? HISTORY_CALLS_MAX : STORE_CALLS_MAX;
      expect(Timeout).toBeGreaterThan(calls * storeSeconds);
      expect(Timeout).toBeLessThan(API_GATEWAY_SECONDS_MAX);
    }
  });

  it('answers its calls over HTTP, to signed requests only', () => {
    const routeSchema = z.object({
      RouteKey: z.string(),
      AuthorizationType: z.literal('AWS_IAM'),
    });
    const { paths } = z
      .object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
      .parse(JSON.parse(read('docs/openapi.json')));
    const described = Object.entries(paths).flatMap(([path, calls]) =>
      Object.keys(calls).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const routes = resources('AWS::ApiGatewayV2::Route', routeSchema);
    expect(routes.map(({ RouteKey }) => RouteKey).sort()).toEqual(described.sort());
    expect(routes).toHaveLength(38);
  });

  it('gives its role a boundary, or none where that is said', () => {
    expect(resources('AWS::IAM::Role', z.looseObject({}))).toMatchObject([
      {
        PermissionsBoundary: {
          'Fn::If': [
            'HasBoundary',
            {
              'Fn::Sub': 'arn:${AWS::Partition}:iam::${AWS::AccountId}:policy/headroom-boundary',
            },
            { Ref: 'AWS::NoValue' },
          ],
        },
      },
    ]);
  });

  it('leaves its logs and its messages when it is removed, unless it was never finished', () => {
    const kept = Object.values(packagedTemplate().Resources).filter(
      ({ Type }) => Type === 'AWS::Logs::LogGroup' || Type === 'AWS::SQS::Queue',
    );
    expect(kept).toHaveLength(FUNCTION_NAMES.length + 3); // two queues, and the log of the API
    for (const { DeletionPolicy, UpdateReplacePolicy } of kept)
      expect({ DeletionPolicy, UpdateReplacePolicy }).toEqual({
        DeletionPolicy: 'RetainExceptOnCreate',
        UpdateReplacePolicy: 'Retain',
      });
  });

  it('admits no browser', () => {
    const [api] = resources('AWS::ApiGatewayV2::Api', z.looseObject({}));
    expect(api).not.toHaveProperty('CorsConfiguration');
  });

  it('allows the functions to write their own logs and to receive from their queue, and nothing else', () => {
    const roleSchema = z.object({
      Policies: z.array(
        z.object({ PolicyDocument: z.object({ Statement: z.array(z.looseObject({})) }) }),
      ),
    });
    const all = resources('AWS::IAM::Role', roleSchema)
      .flatMap((role) => role.Policies)
      .flatMap((policy) => policy.PolicyDocument.Statement);
    expect(resources('AWS::IAM::Policy', z.unknown())).toHaveLength(2); // of events and back-tests, below
    expect(all).toEqual([
      {
        Effect: 'Allow',
        Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        // A pattern such as headroom-prod* would have the logs of the stage prod2, too.
        Resource: FUNCTION_NAMES.toSorted().map((name) => ({
          'Fn::GetAtt': [`${name.slice(0, 1).toUpperCase()}${name.slice(1)}LogGroup`, 'Arn'],
        })),
      },
      {
        Effect: 'Allow',
        Action: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
        Resource: [QUEUE_ARN],
      },
    ]);
  });

  it('keeps a log of each request to the API, without paths, which name subjects and orders', () => {
    const stageSchema = z.looseObject({
      AccessLogSettings: z.strictObject({
        Format: z.string(),
        DestinationArn: z.strictObject({
          'Fn::GetAtt': z.tuple([z.literal('HttpApiLogGroup'), z.literal('Arn')]),
        }),
      }),
    });
    const [stage] = resources('AWS::ApiGatewayV2::Stage', stageSchema);
    const told: unknown = JSON.parse(stage?.AccessLogSettings.Format ?? '');
    expect(told).toMatchObject({
      caller: '$context.identity.userArn',
      route: '$context.routeKey',
      status: '$context.status',
    });
    expect(JSON.stringify(told)).not.toMatch(/context\.(path|requestOverride)/);
  });

  it('keeps the address that AWS gives the API, unless somebody takes it away', () => {
    const [api] = resources('AWS::ApiGatewayV2::Api', z.looseObject({}));
    expect(api).toMatchObject({ DisableExecuteApiEndpoint: false });
  });
});

describe('back-tests', () => {
  it('go on, because their functions may invoke the one that works on them, and no other', () => {
    const policySchema = z.object({
      PolicyName: z.string(),
      PolicyDocument: z.object({ Statement: z.array(z.unknown()) }),
    });
    const policy = resources('AWS::IAM::Policy', policySchema).find(({ PolicyName }) =>
      PolicyName.endsWith('-backtest'),
    );
    expect(policy?.PolicyDocument.Statement).toEqual([
      {
        Effect: 'Allow',
        Action: 'lambda:InvokeFunction',
        Resource: {
          'Fn::Join': [
            ':',
            [
              'arn',
              { Ref: 'AWS::Partition' },
              'lambda',
              { Ref: 'AWS::Region' },
              { Ref: 'AWS::AccountId' },
              `function:${BACKTEST_NAME}`,
            ],
          ],
        },
      },
    ]);
    for (const environment of environments())
      expect(environment.BACKTEST_FUNCTION).toBe(BACKTEST_NAME);
  });
});

describe('events of those who are near a maximum', () => {
  it('may be published on the bus that is named, as Headroom alone', () => {
    const policySchema = z.object({
      PolicyName: z.string(),
      Roles: z.unknown(),
      PolicyDocument: z.object({ Statement: z.array(z.unknown()) }),
    });
    const policy = resources('AWS::IAM::Policy', policySchema).find(({ PolicyName }) =>
      PolicyName.endsWith('-near'),
    );
    expect(policy?.Roles).toEqual([{ Ref: 'IamRoleLambdaExecution' }]);
    expect(policy?.PolicyDocument.Statement).toMatchObject([
      {
        Effect: 'Allow',
        Action: 'events:PutEvents',
        Condition: { StringEquals: { 'events:source': 'headroom' } },
      },
    ]);
  });

  it('need no right where none is named', () => {
    const description = readFileSync(join(ROOT, 'infra/serverless/near.yml'), 'utf8');
    expect(description).toMatch(/^ {2}NearPolicy:\n {4}Type: \S+\n {4}Condition: HasNearBus$/m);
    for (const environment of environments()) expect(environment.NEAR_BUS).toBe('');
  });
});

const QUEUE_ARN = { 'Fn::GetAtt': ['SettlementQueue', 'Arn'] };
const DEAD_LETTERS_ARN = { 'Fn::GetAtt': ['SettlementDeadLetters', 'Arn'] };

describe('the queue that serverless deploy creates', () => {
  const queueSchema = z.looseObject({
    QueueName: z.string(),
    VisibilityTimeout: z.number().optional(),
    MessageRetentionPeriod: z.number(),
    SqsManagedSseEnabled: z.literal(true),
    RedrivePolicy: z
      .object({ deadLetterTargetArn: z.unknown(), maxReceiveCount: z.number() })
      .optional(),
  });

  it('hides a message six times as long as the function may run', () => {
    const [queue] = resources('AWS::SQS::Queue', queueSchema);
    const settle = resources('AWS::Lambda::Function', functionSchema).find(
      ({ FunctionName }) => FunctionName === 'headroom-dev-settle',
    );
    expect(queue?.VisibilityTimeout).toBeGreaterThanOrEqual(6 * (settle?.Timeout ?? Infinity));
  });

  it('gives what cannot be settled to the dead letters, which are kept longer', () => {
    const [queue, dead] = resources('AWS::SQS::Queue', queueSchema);
    expect(queue?.RedrivePolicy).toEqual({
      deadLetterTargetArn: DEAD_LETTERS_ARN,
      maxReceiveCount: 10,
    });
    expect(dead?.MessageRetentionPeriod).toBeGreaterThan(queue?.MessageRetentionPeriod ?? Infinity);
  });

  it('is read by the function in batches, each message of which may fail by itself', () => {
    expect(resources('AWS::Lambda::EventSourceMapping', z.looseObject({}))).toMatchObject([
      {
        EventSourceArn: QUEUE_ARN,
        FunctionName: { 'Fn::GetAtt': ['SettleLambdaFunction', 'Arn'] },
        BatchSize: 100,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
      },
    ]);
  });

  it('raises an alarm from the first dead letter on', () => {
    const alarms = resources('AWS::CloudWatch::Alarm', z.looseObject({ AlarmName: z.string() }));
    const dead = alarms.filter(({ AlarmName }) => AlarmName === 'headroom-dev-settlements-dead');
    expect(dead).toMatchObject([
      {
        MetricName: 'ApproximateNumberOfMessagesVisible',
        Dimensions: [{ Value: { 'Fn::GetAtt': ['SettlementDeadLetters', 'QueueName'] } }],
        Threshold: 1,
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      },
    ]);
  });

  it('takes events of a bus, and of its own rule alone, where a bus is named', () => {
    expect(resources('AWS::Events::Rule', z.looseObject({}))).toMatchObject([
      {
        EventPattern: { source: ['payments'], 'detail-type': ['PaymentEnded'] },
        // An event that cannot be put into the queue must not be lost without a word.
        Targets: [{ Arn: QUEUE_ARN, DeadLetterConfig: { Arn: DEAD_LETTERS_ARN } }],
      },
    ]);
    const rule = { 'Fn::GetAtt': ['SettlementRule', 'Arn'] };
    const policyOf = (queue: string, arn: object) => ({
      Queues: [{ Ref: queue }],
      PolicyDocument: {
        Statement: [
          {
            Principal: { Service: 'events.amazonaws.com' },
            Action: 'sqs:SendMessage',
            Resource: arn,
            Condition: { ArnEquals: { 'aws:SourceArn': rule } },
          },
        ],
      },
    });
    expect(resources('AWS::SQS::QueuePolicy', z.looseObject({}))).toMatchObject([
      policyOf('SettlementQueue', QUEUE_ARN),
      policyOf('SettlementDeadLetters', DEAD_LETTERS_ARN),
    ]);
  });
});

const metricSchema = z.looseObject({
  Id: z.string(),
  Expression: z.string().optional(),
  MetricStat: z
    .object({ Metric: z.object({ Namespace: z.string(), MetricName: z.string() }).loose() })
    .loose()
    .optional(),
});
const alarmSchema = z.looseObject({
  AlarmName: z.string(),
  AlarmDescription: z.string(),
  Namespace: z.string().optional(),
  MetricName: z.string().optional(),
  Metrics: z.array(metricSchema).optional(),
  TreatMissingData: z.string(),
  AlarmActions: z.unknown(),
  OKActions: z.unknown(),
});

describe('the alarms of the stack', () => {
  const alarms = () => resources('AWS::CloudWatch::Alarm', alarmSchema);

  it('are those of docs/runbook.md, which says of each what customers see and whom to wake', () => {
    const sections = read('docs/runbook.md').split(/^## /m).slice(1);
    const told = sections.filter((text) => /^[a-z-]+\n/.test(text));
    const names = alarms().map(({ AlarmName }) => AlarmName.replace('headroom-dev-', ''));
    expect(told.map((text) => text.split('\n')[0]).sort()).toEqual(names.sort());
    for (const text of told)
      expect(text).toMatch(/\n- \*\*When\*\*: .*\n- \*\*Customers\*\*: [^]*\*\*Wake\*\*/);
  });

  /** What an alarm watches: `AWS/Lambda Errors`, each once. */
  const watchedBy = (wanted: string) => {
    const [alarm] = alarms().filter(({ AlarmName }) => AlarmName === `headroom-dev-${wanted}`);
    const { Namespace, MetricName, Metrics = [] } = alarm ?? {};
    const parts = Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []);
    const all = MetricName === undefined ? parts : [{ Namespace, MetricName }];
    return [...new Set(all.map((each) => `${each.Namespace ?? ''} ${each.MetricName}`))];
  };

  // A function that does not start counts nothing itself, and a queue that nobody reads is silent.
  // prettier-ignore
  it.each([
    { name: 'failing',             watches: ['AWS/Lambda Errors'],                         why: 'a wrong setting ends each call before Headroom counts it' },
    { name: 'slow',                watches: ['AWS/Lambda Duration'],                       why: 'payers wait, and everything is answered' },
    { name: 'gateway-errors',      watches: ['AWS/ApiGateway 5xx'],                        why: 'API Gateway may not call a function, or got no answer' },
    { name: 'quiet',               watches: ['AWS/Lambda Invocations'],                    why: 'no call arrives any more' },
    { name: 'refusals',            watches: ['Headroom Refused', 'Headroom Allowed'],      why: 'a maximum is too small by a mistake' },
    { name: 'settlements-waiting', watches: ['AWS/SQS ApproximateAgeOfOldestMessage'],     why: 'SQS drops messages of four days without a word' },
  ])('include $name, because $why', ({ name, watches }) => {
    expect(watchedBy(name)).toEqual(watches);
  });

  it('watch metrics that the functions count, of this stage alone', () => {
    const telemetry = read('lib/http/telemetry.ts');
    const texts = alarms().map((alarm) => JSON.stringify(alarm));
    const ofHeadroom = texts.filter((text) => /Headroom[",]/.test(text));
    expect(ofHeadroom.length).toBeGreaterThan(7);
    for (const text of ofHeadroom) {
      const metrics = [...text.matchAll(/(?:SUM\(|"MetricName":")([A-Za-z]+)/g)];
      expect(metrics).not.toEqual([]);
      for (const [, metric = 'none'] of metrics) expect(telemetry).toContain(`'${metric}'`);
      expect(text).toMatch(/service = 'headroom-dev'|"service","Value":"headroom-dev"/);
    }
  });

  it('are silent where nothing is counted, but for calls that no longer come', () => {
    const loud = alarms().filter(({ TreatMissingData }) => TreatMissingData !== 'notBreaching');
    expect(loud.map(({ AlarmName }) => AlarmName)).toEqual(['headroom-dev-quiet']);
    expect(loud).toMatchObject([
      { TreatMissingData: 'breaching', ComparisonOperator: 'LessThanThreshold' },
    ]);
  });

  it('tell the topic that is named when they go off, and when they are over', () => {
    const told = { 'Fn::If': ['HasAlarmTopic', [''], { Ref: 'AWS::NoValue' }] };
    for (const { AlarmName, AlarmActions, OKActions } of alarms())
      expect({ AlarmName, AlarmActions, OKActions }).toEqual({
        AlarmName,
        AlarmActions: told,
        OKActions: told,
      });
  });

  it('count few metrics each, for an alarm takes ten', () => {
    for (const { Metrics = [] } of alarms())
      expect(Metrics.filter(({ MetricStat }) => MetricStat !== undefined).length).toBeLessThan(11);
  });
});

it('the dashboard of the stack shows every metric, of functions that exist', () => {
  const [board] = resources(
    'AWS::CloudWatch::Dashboard',
    z.object({
      DashboardName: z.object({ 'Fn::Sub': z.literal('headroom-dev-${AWS::Region}') }),
      DashboardBody: z.object({ 'Fn::Sub': z.string() }),
    }),
  );
  const widgetSchema = z.object({
    properties: z.looseObject({ region: z.literal('${AWS::Region}'), title: z.string() }),
  });
  const text = board?.DashboardBody['Fn::Sub'] ?? '';
  const { widgets } = z.object({ widgets: z.array(widgetSchema) }).parse(JSON.parse(text));
  expect(widgets.length).toBeGreaterThan(5);
  const telemetry = read('lib/http/telemetry.ts');
  const metrics = [...text.matchAll(/SUM\(([A-Za-z]+)\)|"Headroom", "([A-Za-z]+)"/g)].map(
    ([, sum, plain]) => sum ?? plain ?? '',
  );
  for (const metric of metrics) expect(telemetry).toContain(`'${metric}'`);
  const [, counted = ''] = read('docs/operations.md').split(/^## (?:Metrics|Alarms)$/m);
  const firstCells = [...counted.matchAll(/^\|([^|]*)\|/gm)].map(([, cell]) => cell).join('');
  const onPage = [...firstCells.matchAll(/`([A-Za-z]+)`/g)].map(([, name]) => name);
  expect(metrics.sort()).toEqual(onPage.sort());
  const shown = [...text.matchAll(/"FunctionName", "headroom-dev-([a-z]+)"/g)].map(
    ([, name]) => name,
  );
  expect(FUNCTION_NAMES).toEqual(expect.arrayContaining(shown));
  expect(text).not.toContain('${sls');
});

describe('docs/deploy.md', () => {
  const page = read('docs/deploy.md');
  const parameters = z
    .object({ default: z.record(z.string(), z.unknown()) })
    .parse(parse(read('infra/serverless/parameters.yml'))).default;

  it('counts what the stack has', () => {
    const counted = Object.fromEntries(
      [...page.matchAll(/^\| ([a-z ]+?) +\| (\d+) +\|/gm)].map(
        ([, name = '', many]): [string, number] => [name, Number(many)],
      ),
    );
    const many = (type: string): number => resources(type, z.unknown()).length;
    expect(counted).toEqual({
      functions: many('AWS::Lambda::Function'),
      'log groups': many('AWS::Logs::LogGroup'),
      routes: many('AWS::ApiGatewayV2::Route'),
      queues: many('AWS::SQS::Queue'),
      alarms: many('AWS::CloudWatch::Alarm'),
      roles: many('AWS::IAM::Role'),
      buckets: many('AWS::S3::Bucket'),
    });
  });

  it('has the figures of the parameters', () => {
    expect(parameters).toMatchObject({
      memoryMegabytes: 1024,
      timeoutSeconds: 29,
      storeTimeoutMs: 2000,
      requestsPerSecond: 10_000,
      requestsBurst: 5000,
      settleAtOnce: 10,
      logRetentionDays: 30,
    });
    for (const text of ['1024 MB; 29 s each, 900 s for `indexes`', '30 days in others'])
      expect(page).toContain(text);
    for (const text of [
      `of 2 s each`,
      '10,000 requests a second',
      '5,000 at once',
      'takes ten batches',
    ])
      expect(page).toContain(text);
    const { timeout } = z
      .looseObject({ indexes: z.looseObject({ timeout: z.number() }) })
      .parse(parse(read('infra/serverless/functions.yml'))).indexes;
    expect(timeout).toBe(900);
    expect(page).toContain(`${STORE_CALLS_MAX} requests to the database`);
  });

  it('gives parameters that there are', () => {
    const own = [
      'mongodbUri',
      ...FUNCTION_NAMES.map((name) => `reservedConcurrency${capital(name)}`),
    ];
    const stage = /```yaml\nproduction:\n([^`]*)```/.exec(page)?.[1] ?? '';
    const named = [
      ...[...page.matchAll(/--param="?(\w+)=/g)],
      ...[...stage.matchAll(/^ {2}(\w+):/gm)],
    ].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(8);
    for (const name of named) expect([...Object.keys(parameters), ...own]).toContain(name);
  });
});

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

describe('the policy of who deploys', () => {
  const statementSchema = z.object({
    Sid: z.string(),
    Effect: z.literal('Allow'),
    Action: z.union([z.string(), z.array(z.string())]).transform((each) => [each].flat()),
    Resource: z.union([z.string(), z.array(z.string())]).transform((each) => [each].flat()),
  });
  const text = read('examples/deploy-policy.json');
  const { Statement } = z.object({ Statement: z.array(statementSchema) }).parse(JSON.parse(text));

  /** The names by which IAM knows the services of CloudFormation's types. */
  const PREFIXES: Readonly<Record<string, string>> = {
    ApiGatewayV2: 'apigateway',
    CloudWatch: 'cloudwatch',
    Events: 'events',
    IAM: 'iam',
    Lambda: 'lambda',
    Logs: 'logs',
    S3: 's3',
    SQS: 'sqs',
  };

  it('allows every kind of thing that the stack has', () => {
    const template = packagedTemplate();
    const services = new Set(
      Object.values(template.Resources)
        .map(({ Type }) => Type.split('::'))
        .flatMap(([owner, service = '']) => (owner === 'AWS' ? [service] : [])),
    );
    const allowed = Statement.flatMap(({ Action }) => Action.map((each) => each.split(':')[0]));
    expect(services.size).toBeGreaterThan(6);
    for (const service of services) expect(allowed).toContain(PREFIXES[service] ?? service);
  });

  it('reaches no names but Headroom’s, where AWS knows names', () => {
    const unnamed = ['WithoutResource', 'Api', 'Messages', 'Call']; // ids that AWS makes
    for (const { Sid, Resource } of Statement)
      if (!unnamed.includes(Sid)) for (const each of Resource) expect(each).toMatch(/headroom[-/]/);
  });

  it('fits into a policy, and gives roles to Lambda alone', () => {
    expect(JSON.stringify(JSON.parse(text)).length).toBeLessThan(6_144); // IAM's limit
    expect(text).toContain('"iam:PassedToService": "lambda.amazonaws.com"');
  });
});

describe('the indexes', () => {
  it('are made again when their list changes', () => {
    const revision = createHash('sha256')
      .update(JSON.stringify([PLAIN_COLLECTIONS, INDEXES]))
      .digest('hex')
      .slice(0, 12);
    const parameters = z
      .object({ default: z.looseObject({ indexesRevision: z.string() }) })
      .parse(parse(read('infra/serverless/parameters.yml')));
    // Where this fails, write the new revision into infra/serverless/parameters.yml.
    expect(parameters.default.indexesRevision).toBe(revision);
  });

  it('are there before any other function is changed', () => {
    const template = packagedTemplate();
    for (const [id, { Type, DependsOn = [] }] of Object.entries(template.Resources))
      if (Type === 'AWS::Lambda::Function')
        expect({ id, waits: z.array(z.string()).parse(DependsOn).includes('Indexes') }).toEqual({
          id,
          waits: id !== 'IndexesLambdaFunction',
        });
    expect(template.Resources.Indexes).toMatchObject({
      Properties: {
        ServiceToken: { 'Fn::GetAtt': ['IndexesLambdaFunction', 'Arn'] },
        ServiceTimeout: 900,
      },
    });
  });
});

describe('reserved concurrency', () => {
  const reservedSchema = z.looseObject({
    FunctionName: z.string(),
    ReservedConcurrentExecutions: z.number().optional(),
  });
  const reserved = () =>
    resources('AWS::Lambda::Function', reservedSchema).flatMap(
      ({ FunctionName, ReservedConcurrentExecutions: many }) =>
        many === undefined ? [] : [[FunctionName, many]],
    );

  it('is nobody’s unless asked, for a new account has little', () => {
    expect(reserved()).toEqual([]);
  });

  it(
    'is given to the functions that are named, and indexes and throttling can be turned',
    () => {
      const named = ['reservedConcurrencyCheck=50', 'reservedConcurrencySettle=10'];
      const asked = [...named, 'indexesOnDeploy=off', 'requestsPerSecond=200', 'requestsBurst=40'];
      runPackage(home.path(''), FAST, ...asked.map((each) => `--param=${each}`));
      expect(reserved()).toEqual([
        ['headroom-dev-check', 50],
        ['headroom-dev-settle', 10],
      ]);
      expect(resources('Custom::HeadroomIndexes', z.unknown())).toEqual([]);
      expect(resources('AWS::ApiGatewayV2::Stage', z.looseObject({}))).toMatchObject([
        { DefaultRouteSettings: { ThrottlingRateLimit: '200', ThrottlingBurstLimit: '40' } },
      ]);
    },
    TIMEOUT_MS,
  );
});
