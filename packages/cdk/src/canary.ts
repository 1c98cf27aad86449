import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import {
  type ILambdaDeploymentConfig,
  LambdaApplication,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { type Alarms, tell } from './alarms.ts';
import type { Deployed } from './functions.ts';

/**
 * Has CodeDeploy give a new version the calls bit by bit, and give them back to the old one when an alarm
 * goes off meanwhile.
 */
export function makeCanary(
  scope: Construct,
  stage: string,
  functions: Readonly<Record<string, Deployed>>,
  { undecided, errors }: Alarms,
  deploymentConfig: ILambdaDeploymentConfig,
  alarmTopic: ITopic | undefined,
): void {
  const application = new LambdaApplication(scope, 'Deployments', {
    applicationName: `headroom-${stage}`,
  });
  const role = new Role(scope, 'DeploymentsRole', {
    assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
    managedPolicies: [
      ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSCodeDeployRoleForLambdaLimited'),
    ],
  });
  for (const [name, { alias }] of Object.entries(functions)) {
    if (alias === undefined) continue;
    // One that does not start, for a wrong setting, counts nothing itself.
    const fails = new Alarm(alias, 'Fails', {
      alarmName: `headroom-${stage}-${name}-fails`,
      alarmDescription: 'The function fails before it answers. Look at its log.',
      metric: alias.metricErrors({ period: Duration.minutes(1) }),
      threshold: 1,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    tell(fails, alarmTopic);
    new LambdaDeploymentGroup(alias, 'Deployment', {
      application,
      alias,
      deploymentConfig,
      role,
      alarms: [undecided, errors, fails],
    });
  }
}
