import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from './json.ts';
import { ROOT } from '../../infra/framework.ts';
import { tags } from './operation.ts';
import { described, onlyDirect } from './operations.ts';
import { problemExamples } from './problem-examples.ts';
import { CODES } from './problems.ts';
import { components } from './schemas.ts';

type Schemas = Readonly<Record<string, JsonObject>>;

const DESCRIPTION = `Transaction limits for payment systems: check before money moves, then confirm or roll back.

- Amounts are whole numbers of minor units. Instants are RFC 3339.
- You may repeat every call unchanged. For orders, a repeat changes nothing and answers \`"repeated": true\`. Each call of rules and terms describes its repeats.
- If you get no answer, a 429 or a 5xx, send the same call again.
- Headroom reads JSON strictly. Unknown fields, duplicate fields and numbers that would be rounded are answered with 400. So are unknown fields of a query, or in the body of a DELETE. Headroom ignores the content type.
- Answers may get new fields. Ignore fields that you do not know.`;

const SIGNED = 'With `AUTH=hmac`: send all three headers. Sign exactly the bytes that you send.';

const header = (name: string, description: string): JsonObject => ({
  type: 'apiKey',
  in: 'header',
  name,
  description: `${SIGNED} ${description}`,
});

const SECURITY_SCHEMES: JsonObject = {
  appId: header('X-App-Id', "The application's id."),
  timestamp: header(
    'X-Timestamp',
    'Seconds since 1970, with up to nine decimals, at most 5 minutes from now.',
  ),
  signature: header(
    'X-Signature',
    "`v1=`, then an HMAC-SHA256 in lower-case hex digits. The key is the text of the application's secret. Sign five lines, joined by line feeds: `v1`, `X-Timestamp`, method, path with query, and the SHA-256 of the body as hex digits.",
  ),
  awsSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'With `AUTH=none`: AWS Signature V4 of a principal with `execute-api:Invoke`.',
    'x-amazon-apigateway-authtype': 'awsSigv4',
  },
  token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'If API Gateway has a JWT authorizer.',
  },
};

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return (manifest as { readonly version: string }).version; // npm insists on it
}

/** Without some of them. */
function without(schemas: Schemas, ids: readonly string[]): Schemas {
  return Object.fromEntries(Object.entries(schemas).filter(([id]) => !ids.includes(id)));
}

/** In the order of their names, so that a new one is one place in a comparison. */
function sorted(schemas: Schemas): Schemas {
  return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The description of all HTTP calls, OpenAPI 3.1. How to add a call: operations.ts. */
export function openApiDocument(): JsonObject {
  const all = components();
  const { paths: calls, bodies } = described(all);
  // Some problems are of one order in a call of many alone.
  const text = JSON.stringify(calls);
  const answered = CODES.filter((code) => text.includes(`/examples/${code}"`));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Headroom',
      version: version(),
      summary: 'Exact transaction limits for payment systems.',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url: 'http://127.0.0.1:3000', description: '`npm start`' },
      {
        url: 'https://{api}.execute-api.{region}.amazonaws.com',
        description: 'Deployed',
        variables: {
          api: { default: 'api', description: 'The id of the API, which the deployment prints.' },
          region: { default: 'eu-central-1' },
        },
      },
    ],
    // One of them; none on one's own machine.
    security: [
      {},
      { appId: [], timestamp: [], signature: [] },
      { awsSignature: [] },
      { token: [] },
    ],
    tags: tags(),
    paths: calls,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      examples: problemExamples(answered),
      schemas: sorted({ ...without(all, onlyDirect()), ...bodies }),
    },
  };
}
