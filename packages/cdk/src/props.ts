import type { IHttpRouteAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2';
import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { ILambdaDeploymentConfig } from 'aws-cdk-lib/aws-codedeploy';
import type { ISecurityGroup, IVpc, SubnetSelection } from 'aws-cdk-lib/aws-ec2';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Duration, SecretValue } from 'aws-cdk-lib';

/** The choices of a deployment of Headroom. With none of them, it is what `serverless deploy` makes. */
export interface HeadroomProps {
  /**
   * Part of every name: `headroom-<stage>-check`. Two of them in one account and region need two stages.
   *
   * @default 'production'
   */
  readonly stage?: string;

  /**
   * The connection string. CloudFormation resolves it while it deploys.
   *
   * @default the secret `headroom/<stage>/mongodb-uri` of AWS Secrets Manager
   */
  readonly mongodbUri?: SecretValue;

  /**
   * Who may call over HTTP: principals of IAM, applications that sign (`AUTH=hmac`), or whom an authorizer
   * of yours lets through, such as `HttpJwtAuthorizer`.
   *
   * @default 'iam'
   */
  readonly callers?: 'iam' | 'applications' | IHttpRouteAuthorizer;

  /**
   * With `callers: 'applications'` the key that their secrets are encrypted under.
   *
   * @default the secret `headroom/<stage>/apps-key` of AWS Secrets Manager
   */
  readonly appsKey?: SecretValue;

  /**
   * Settings of the functions, by their names in docs/settings.md: `{ AUDIT_DAYS: '90' }`.
   *
   * @default what docs/settings.md says
   */
  readonly settings?: Readonly<Record<string, string>>;

  /**
   * Where the functions run, for a database that is peered or behind PrivateLink.
   *
   * @default outside of any VPC, with a way to the internet
   */
  readonly network?: {
    readonly vpc: IVpc;
    readonly subnets?: SubnetSelection;
    readonly securityGroups?: ISecurityGroup[];
  };

  /**
   * Executions that are kept for a function, and more than which never run: `{ check: 50 }`. They are taken
   * from the account's limit, of which 100 must stay unreserved. `settle` needs at least `settleAtOnce`.
   *
   * @default none
   */
  readonly reservedConcurrency?: Readonly<Record<string, number>>;

  /**
   * How many batches of messages are settled at once, 2 to 1,000.
   *
   * @default 10
   */
  readonly settleAtOnce?: number;

  /**
   * How long one request to the database may take, in the function `history` and in the others, and how long
   * a function may run. A check makes up to 14 requests, and must outlive them. API Gateway waits 30 s.
   *
   * @default 2 s, 6 s and 29 s
   */
  readonly timeouts?: {
    readonly store?: Duration;
    readonly history?: Duration;
    readonly function?: Duration;
  };

  /**
   * Megabytes of each function. Lambda gives processor time in proportion.
   *
   * @default 1024
   */
  readonly memoryMegabytes?: number;

  /** @default RetentionDays.ONE_YEAR: payments are asked about late */
  readonly logRetention?: RetentionDays;

  /**
   * The topic that gets a message when an alarm goes off, and when it is over.
   *
   * @default nobody
   */
  readonly alarmTopic?: ITopic;

  /**
   * When two alarms go off: after so long without a check (`Duration.seconds(0)` for never), and where so many
   * percent of all checks are refused, say twice of what is usual.
   *
   * @default one hour, and 30
   */
  readonly alarmWhen?: { readonly quiet?: Duration; readonly refusedPercent?: number };

  /**
   * The bus whose events say how a transaction ended.
   *
   * @default none: messages are sent to the queue
   */
  readonly settlementEvents?: {
    readonly bus: IEventBus;
    /** @default 'payments' */
    readonly source?: string;
    /** @default 'PaymentEnded' */
    readonly detailType?: string;
  };

  /**
   * The bus on which is published who is near a limit.
   *
   * @default none
   */
  readonly nearBus?: IEventBus;

  /**
   * The rate that API Gateway lets through, over all routes.
   *
   * @default 10,000 a second and 5,000 at once, an account's own limits
   */
  readonly throttle?: { readonly requestsPerSecond: number; readonly burst: number };

  /**
   * A name of yours in place of API Gateway's. Point its DNS record at `domainTarget`.
   *
   * @default none
   */
  readonly domain?: { readonly name: string; readonly certificate: ICertificate };

  /**
   * Whether the address that AWS gives the API leads to it. Without it only `domain` does.
   *
   * @default true
   */
  readonly defaultEndpoint?: boolean;

  /**
   * How a new version takes over the calls, such as `LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES`. The
   * old one takes them back by itself when calls are undecided, end with a fault, or a function fails.
   *
   * @default all calls at once
   */
  readonly canary?: ILambdaDeploymentConfig;

  /**
   * Whether a deployment makes the collections and indexes, before it changes any other function.
   *
   * @default true
   */
  readonly indexesOnDeploy?: boolean;
}
