// A stack with everything that the construct can be asked for, or with nothing: PLAIN=1.
import { App, CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { LambdaDeploymentConfig } from 'aws-cdk-lib/aws-codedeploy';
import { Vpc } from 'aws-cdk-lib/aws-ec2';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Headroom } from '@headroom-limits/cdk';

const app = new App();

const plain = new Stack(app, 'Plain', { env: { region: 'eu-central-1' } });
const limits = new Headroom(plain, 'Limits', { stage: 'dev' });
new CfnOutput(plain, 'Url', { value: limits.url });

const whole = new Stack(app, 'Whole', { env: { region: 'eu-central-1' } });
const bus = EventBus.fromEventBusName(whole, 'Bus', 'default');
new Headroom(whole, 'Limits', {
  callers: 'applications',
  settings: { AUDIT_DAYS: '90' },
  network: { vpc: new Vpc(whole, 'Network', { maxAzs: 2, natGateways: 1 }) },
  reservedConcurrency: { check: 50, settle: 4 },
  settleAtOnce: 4,
  timeouts: { store: Duration.seconds(1), history: Duration.seconds(3) },
  alarmWhen: { quiet: Duration.minutes(0), refusedPercent: 12 },
  alarmTopic: new Topic(whole, 'OnCall'),
  settlementEvents: { bus },
  nearBus: bus,
  throttle: { requestsPerSecond: 200, burst: 40 },
  domain: {
    name: 'limits.example.com',
    certificate: Certificate.fromCertificateArn(
      whole,
      'Certificate',
      'arn:aws:acm:eu-central-1:123456789012:certificate/00000000-0000-0000-0000-000000000000',
    ),
  },
  canary: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
});
