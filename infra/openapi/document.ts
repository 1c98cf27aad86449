import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../lib/http/json.ts';
import { ROOT } from '../framework.ts';
import { tags } from './operation.ts';
import { described, onlyDirect } from './operations.ts';
import { problemExamples } from './problem-examples.ts';
import { CODES } from './problems.ts';
import { components } from './schemas.ts';

type Schemas = Readonly<Record<string, JsonObject>>;

const DESCRIPTION = `Transaction limits for payment systems: check before money moves, then confirm or roll back.

- Amounts are whole numbers of minor units. Instants are RFC 3339.
- Every call may be repeated unchanged: of orders, a repeat changes nothing and says \`"repeated": true\`; how it is of rules and terms, each call says. No answer, 429 or 5xx: repeat the very same call.
- JSON is read strictly: a field that nobody knows, one that stands twice and a number that would be rounded are 400; so is a field of a query, or in the body of a DELETE, that the call has not. The content type is not looked at.
- Fields may be added to answers: ignore those that you do not know.`;

const SIGNED = 'Where `AUTH=hmac`: all three headers, over the very bytes that are sent.';

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
    'Seconds since 1970, up to nine decimals; at most 5 minutes from now.',
  ),
  signature: header(
    'X-Signature',
    "`v1=` and HMAC-SHA256 in lower-case hexadecimal digits, under the text of the application's secret, of five lines joined by line feeds, none at the end: `v1`, X-Timestamp, method, path and query, SHA-256 of the body in hexadecimal digits.",
  ),
  awsSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'Where `AUTH=none`: AWS Signature V4 of a principal with `execute-api:Invoke`.',
    'x-amazon-apigateway-authtype': 'awsSigv4',
  },
  token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Where API Gateway has a JWT authorizer.',
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
          api: { default: 'api', description: 'What the deployment prints.' },
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
