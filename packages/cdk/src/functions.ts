import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import { CustomResource, Duration, RemovalPolicy, SecretValue, Stack } from 'aws-cdk-lib';
import { type ISecurityGroup, SecurityGroup } from 'aws-cdk-lib/aws-ec2';
import { ManagedPolicy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias, Architecture, Code, Function, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { codeFolder, type Description, type FunctionDescription } from './description.ts';
import type { HeadroomProps } from './props.ts';
import type { Times } from './times.ts';

/** The one that makes the indexes; nobody calls it but the stack. */
export const INDEXES = 'indexes';

/** The one that sums up many rows. */
const HISTORY = 'history';

/** It works on back-tests: the function of their calls invokes it, and it invokes itself. */
const BACKTEST = 'backtest';
const INVOKING = ['backtests', BACKTEST];

/** Whose calls publish: they cross a part of a maximum, or open or decide a review. */
const PUBLISHING = ['check', 'checks', 'confirm', 'settlements', 'settle', 'record', 'proposals'];

/** A function, and what is called: its alias where there is a canary. */
export interface Deployed {
  readonly function: Function;
  readonly called: IFunction;
  readonly alias?: Alias;
}

/**
 * Makes every function, each with a log group and a role of its own.
 *
 * @throws Error naming a setting or a function that does not exist
 */
export function makeFunctions(
  scope: Construct,
  stage: string,
  description: Description,
  times: Times,
  props: HeadroomProps,
): Readonly<Record<string, Deployed>> {
  const environment = environmentOf(stage, description, times, props);
  const names = Object.keys(description.functions);
  for (const name of Object.keys(props.reservedConcurrency ?? {}))
    if (!names.includes(name))
      throw new Error(
        `reservedConcurrency names the function ${JSON.stringify(name)}, expected one of ${names.join(', ')}.`,
      );
  const groups = groupsOf(scope, props.network);
  const deployed = Object.entries(description.functions).map(([name, each]) => {
    const made = makeFunction(scope, {
      stage,
      name,
      each,
      environment,
      description,
      times,
      props,
      groups,
    });
    if (INVOKING.includes(name)) mayInvoke(made, `headroom-${stage}-${BACKTEST}`);
    if (PUBLISHING.includes(name) && props.nearBus !== undefined) mayPublish(made, props.nearBus);
    return [name, name === INDEXES ? { function: made, called: made } : calledBy(made, props)];
  });
  const functions = Object.fromEntries(deployed) as Readonly<Record<string, Deployed>>; // as mapped
  if (props.indexesOnDeploy !== false) makeIndexes(scope, functions, description, environment);
  return functions;
}

/** One group for all of them, so that a database admits one. */
function groupsOf(
  scope: Construct,
  network: HeadroomProps['network'],
): ISecurityGroup[] | undefined {
  if (network === undefined) return undefined;
  const { vpc, securityGroups } = network;
  return securityGroups ?? [new SecurityGroup(scope, 'Group', { vpc, description: 'Headroom' })];
}

/** @throws Error naming a setting that does not exist */
function environmentOf(
  stage: string,
  description: Description,
  times: Times,
  { mongodbUri, callers, appsKey, settings = {}, nearBus }: HeadroomProps,
): Readonly<Record<string, string>> {
  const own = [
    'MONGODB_URI',
    'APPS_KEY',
    'AUTH',
    'NEAR_BUS',
    'BACKTEST_FUNCTION',
    'POWERTOOLS_SERVICE_NAME',
    'STORE_TIMEOUT_MS',
  ];
  const names = Object.keys(description.environment).filter((name) => !own.includes(name));
  for (const name of Object.keys(settings))
    if (!names.includes(name))
      throw new Error(
        `settings has ${JSON.stringify(name)}, expected only ${names.join(', ')}. Others have properties of their own.`,
      );
  const isSigned = callers === 'applications';
  const uri = mongodbUri ?? SecretValue.secretsManager(`headroom/${stage}/mongodb-uri`);
  const key = appsKey ?? SecretValue.secretsManager(`headroom/${stage}/apps-key`);
  return {
    ...description.environment,
    // The template holds the references alone, which CloudFormation resolves.
    MONGODB_URI: uri.unsafeUnwrap(),
    AUTH: isSigned ? 'hmac' : 'none',
    APPS_KEY: isSigned ? key.unsafeUnwrap() : '',
    NEAR_BUS: nearBus?.eventBusName ?? '',
    BACKTEST_FUNCTION: `headroom-${stage}-${BACKTEST}`,
    STORE_TIMEOUT_MS: String(times.store.toMilliseconds()),
    ...settings,
  };
}

interface Made {
  readonly stage: string;
  readonly name: string;
  readonly each: FunctionDescription;
  readonly environment: Readonly<Record<string, string>>;
  readonly description: Description;
  readonly times: Times;
  readonly props: HeadroomProps;
  /** The security groups of all functions; undefined outside of a VPC. */
  readonly groups: ISecurityGroup[] | undefined;
}

function makeFunction(
  scope: Construct,
  { stage, name, each, environment, description, times, props, groups }: Made,
): Function {
  const id = name.charAt(0).toUpperCase() + name.slice(1);
  const functionName = `headroom-${stage}-${name}`;
  const { network, reservedConcurrency } = props;
  const isOfItsOwn = name === INDEXES || name === BACKTEST;
  const logGroup = new LogGroup(scope, `${id}Logs`, {
    logGroupName: `/aws/lambda/${functionName}`,
    retention: props.logRetention ?? RetentionDays.ONE_YEAR,
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE, // payments are asked about late
  });
  const role = new Role(scope, `${id}Role`, {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    managedPolicies:
      network === undefined
        ? []
        : [ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSLambdaVPCAccessExecutionRole')],
  });
  logGroup.grantWrite(role);
  return new Function(scope, id, {
    functionName,
    description: each.description,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    handler: each.handler,
    code: Code.fromAsset(codeFolder(name)),
    memorySize: each.memoryMegabytes ?? props.memoryMegabytes ?? description.memoryMegabytes,
    timeout: isOfItsOwn ? Duration.seconds(each.timeoutSeconds) : times.function,
    environment: {
      ...environment,
      ...each.environment,
      ...(name === HISTORY ? { STORE_TIMEOUT_MS: String(times.history.toMilliseconds()) } : {}),
    },
    logGroup,
    role,
    reservedConcurrentExecutions: reservedConcurrency?.[name],
    vpc: network?.vpc,
    vpcSubnets: network?.subnets,
    securityGroups: groups,
    currentVersionOptions:
      props.canary === undefined ? undefined : { removalPolicy: RemovalPolicy.RETAIN },
  });
}

function calledBy(made: Function, { canary }: HeadroomProps): Deployed {
  if (canary === undefined) return { function: made, called: made };
  const alias = new Alias(made, 'Live', { aliasName: 'live', version: made.currentVersion });
  return { function: made, called: alias, alias };
}

/** Lets a function publish as Headroom alone. */
function mayPublish(made: Function, bus: IEventBus): void {
  made.addToRolePolicy(
    new PolicyStatement({
      actions: ['events:PutEvents'],
      resources: [bus.eventBusArn],
      conditions: { StringEquals: { 'events:source': 'headroom' } },
    }),
  );
}

/** Lets a function invoke another one of its account and region. */
function mayInvoke(made: Function, functionName: string): void {
  const { account, region, partition } = Stack.of(made);
  made.addToRolePolicy(
    new PolicyStatement({
      actions: ['lambda:InvokeFunction'],
      resources: [`arn:${partition}:lambda:${region}:${account}:function:${functionName}`],
    }),
  );
}

/** The other functions wait for it, so a database that does not answer stops a deployment early. */
function makeIndexes(
  scope: Construct,
  functions: Readonly<Record<string, Deployed>>,
  { indexesRevision, functions: described }: Description,
  { MONGODB_DATABASE: Database }: Readonly<Record<string, string>>,
): void {
  const maker = functions[INDEXES];
  const seconds = described[INDEXES]?.timeoutSeconds;
  if (maker === undefined || seconds === undefined)
    throw new Error('The package was built without the function indexes. Build it again.');
  const made = new CustomResource(scope, 'IndexesMade', {
    resourceType: 'Custom::HeadroomIndexes',
    serviceToken: maker.function.functionArn,
    serviceTimeout: Duration.seconds(seconds),
    properties: { Database, Revision: indexesRevision },
  });
  for (const [name, { function: each }] of Object.entries(functions))
    if (name !== INDEXES) each.node.addDependency(made);
}
