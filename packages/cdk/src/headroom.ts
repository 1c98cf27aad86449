import { Fn } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { CfnDashboard } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type Alarms, makeAlarms } from './alarms.ts';
import { makeApi } from './api.ts';
import { makeCanary } from './canary.ts';
import { readDescription } from './description.ts';
import { makeFunctions } from './functions.ts';
import type { HeadroomProps } from './props.ts';
import { makeSettlements } from './settlements.ts';
import { timesOf } from './times.ts';

/** A stage's name is part of every other name, and of a bucket's in some tools. */
const STAGE = /^[a-z][a-z0-9-]{0,30}$/;

/**
 * Headroom, deployed: functions, HTTP API, the queue of settlements with its dead letters, alarms and a
 * dashboard. The database is yours.
 */
export class Headroom extends Construct {
  /** Where calls go: everything before `/v1`. */
  readonly url: string;
  /** The target of the DNS record of `domain`; undefined without one. */
  readonly domainTarget: string | undefined;
  readonly api: HttpApi;
  /** The functions by name, such as `check`. */
  readonly functions: Readonly<Record<string, Function>>;
  /** Where messages that say how a transaction ended are sent. */
  readonly settlementQueue: IQueue;
  readonly deadLetters: IQueue;
  readonly alarms: Alarms;

  /** @throws Error naming a property that is wrong, and what was expected */
  constructor(scope: Construct, id: string, props: HeadroomProps = {}) {
    super(scope, id);
    const { stage = 'production', domain, canary } = props;
    if (!STAGE.test(stage))
      throw new Error(
        `stage is ${JSON.stringify(stage)}, expected 1 to 31 lower-case letters, digits and hyphens, a letter first.`,
      );
    const description = readDescription(stage);
    const times = timesOf(description, props);
    const functions = makeFunctions(
      new Construct(this, 'Functions'),
      stage,
      description,
      times,
      props,
    );
    const { settle } = functions;
    if (settle === undefined)
      throw new Error('The package was built without the function settle. Build it again.');
    const made = makeApi(this, stage, description, functions, props);
    const { queue, deadLetters } = makeSettlements(this, stage, description, times, settle, props);
    const seen = {
      service: `headroom-${stage}`,
      functions,
      api: made.api,
      queue,
      deadLetters,
      storeTimeoutMs: times.store.toMilliseconds(),
    };
    this.alarms = makeAlarms(this, stage, seen, props, description);
    new CfnDashboard(this, 'Dashboard', {
      // Dashboards of all regions share their names.
      dashboardName: Fn.sub(`headroom-${stage}-\${AWS::Region}`),
      dashboardBody: Fn.sub(description.dashboard),
    });
    if (canary !== undefined)
      makeCanary(this, stage, functions, this.alarms, canary, props.alarmTopic);
    this.api = made.api;
    this.url = domain === undefined ? made.api.apiEndpoint : `https://${domain.name}`;
    this.domainTarget = made.domain?.regionalDomainName;
    this.settlementQueue = queue;
    this.deadLetters = deadLetters;
    this.functions = Object.fromEntries(
      Object.entries(functions).map(([name, each]) => [name, each.function]),
    );
  }
}
