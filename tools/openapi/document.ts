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
  signatureInput: header(
    'Signature-Input',
    'One signature by RFC 9421, HTTP Message Signatures: `hr=("@method" "@path" …);created=…;keyid="…";nonce="…"`. It names `@query` if there is a query, and `content-digest` if there is a body. It names `x-actor`, `if-match` and `if-none-match` if they are sent. `created` has seconds since 1970, at most 5 minutes from now, and `keyid` the id of the application.',
  ),
  signature: header(
    'Signature',
    "`hr=:…:` with an HMAC-SHA256 in base64. The key is the text of the application's secret.",
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
    security: [{}, { signatureInput: [], signature: [] }, { awsSignature: [] }, { token: [] }],
    tags: tags(),
    paths: calls,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      examples: problemExamples(answered),
      schemas: sorted({ ...without(all, onlyDirect()), ...bodies }),
    },
  };
}
