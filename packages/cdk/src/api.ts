import {
  DomainName,
  HttpApi,
  HttpMethod,
  HttpNoneAuthorizer,
  HttpStage,
  type IHttpRouteAuthorizer,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpIamAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { RemovalPolicy } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Description } from './description.ts';
import type { Deployed } from './functions.ts';
import type { HeadroomProps } from './props.ts';

/** The HTTP API, its stage, and a name of its own where one is asked for. */
export interface Api {
  readonly api: HttpApi;
  readonly stage: HttpStage;
  readonly domain: DomainName | undefined;
}

/** Makes the HTTP API with every route. No route is open: see `callers`. */
export function makeApi(
  scope: Construct,
  stage: string,
  description: Description,
  functions: Readonly<Record<string, Deployed>>,
  { callers, throttle, domain: asked, defaultEndpoint = true, logRetention }: HeadroomProps,
): Api {
  if (!defaultEndpoint && asked === undefined)
    throw new Error('defaultEndpoint is false, expected domain beside it: nobody could call.');
  const api = new HttpApi(scope, 'Api', {
    apiName: `headroom-${stage}`,
    disableExecuteApiEndpoint: !defaultEndpoint,
    createDefaultStage: false,
  });
  const authorizer = authorizerOf(callers);
  for (const [name, { routes }] of Object.entries(description.functions)) {
    const called = functions[name]?.called;
    if (called === undefined || routes.length === 0) continue;
    const integration = new HttpLambdaIntegration(`${name}Integration`, called, {
      scopePermissionToRoute: false,
    });
    for (const route of routes) {
      const [method = '', path = ''] = route.split(' ');
      api.addRoutes({ path, methods: [method as HttpMethod], integration, authorizer });
    }
  }
  const domain =
    asked === undefined
      ? undefined
      : new DomainName(scope, 'Domain', {
          domainName: asked.name,
          certificate: asked.certificate,
        });
  const accessLog = new LogGroup(scope, 'ApiLogs', {
    logGroupName: `/aws/http-api/headroom-${stage}`,
    retention: logRetention ?? RetentionDays.ONE_YEAR,
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  });
  const made = new HttpStage(scope, 'Stage', {
    httpApi: api,
    stageName: '$default',
    autoDeploy: true,
    detailedMetricsEnabled: true,
    accessLogSettings: {
      destination: new LogGroupLogDestination(accessLog),
      format: AccessLogFormat.custom(description.accessLogFormat),
    },
    throttle: {
      rateLimit: throttle?.requestsPerSecond ?? description.requestsPerSecond,
      burstLimit: throttle?.burst ?? description.requestsBurst,
    },
    domainMapping: domain === undefined ? undefined : { domainName: domain },
  });
  return { api, stage: made, domain };
}

/** Where applications sign, the functions verify it, and API Gateway lets every request through to them. */
function authorizerOf(callers: HeadroomProps['callers'] = 'iam'): IHttpRouteAuthorizer {
  if (callers === 'iam') return new HttpIamAuthorizer();
  return callers === 'applications' ? new HttpNoneAuthorizer() : callers;
}
