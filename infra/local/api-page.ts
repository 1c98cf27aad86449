import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { HapiServer } from 'serverless-offline';
import { ROOT } from '../framework.ts';

/** The description of the calls and a page to read it, as `npm start` serves them. */

/** A file of the page. */
type PageFile = { readonly type: string; readonly body: string | Buffer };

// Everything comes from this machine: no font, no validator and no picture from elsewhere.
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Headroom: the calls</title>
    <link rel="stylesheet" href="/openapi/swagger-ui.css" />
    <link rel="icon" href="data:," />
  </head>
  <body>
    <div id="page"></div>
    <script src="/openapi/swagger-ui-bundle.js"></script>
    <script src="/openapi/page.js"></script>
  </body>
</html>
`;

const SCRIPT = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#page',
  deepLinking: true,
  displayRequestDuration: true,
  validatorUrl: null,
});
`;

/** The document, whose calls go to the server that it comes from. */
function localDocument(): string {
  const document = JSON.parse(readFileSync(join(ROOT, 'docs', 'openapi.json'), 'utf8')) as Readonly<
    Record<string, unknown>
  >; // OpenAPI is an object
  const servers = [{ url: '/', description: 'This machine' }];
  return JSON.stringify({ ...document, servers });
}

const UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const FILES: Readonly<Record<string, () => PageFile>> = {
  '/openapi.json': () => ({ type: 'application/json', body: localDocument() }),
  '/openapi': () => ({ type: 'text/html', body: PAGE }),
  '/openapi/page.js': () => ({ type: 'text/javascript', body: SCRIPT }),
  '/openapi/swagger-ui.css': () => fromUi('swagger-ui.css', 'text/css'),
  '/openapi/swagger-ui-bundle.js': () => fromUi('swagger-ui-bundle.js', 'text/javascript'),
};

function fromUi(name: string, type: string): PageFile {
  return { type, body: readFileSync(join(UI, name)) };
}

/** The paths that are served. */
export const API_PAGE_PATHS = Object.keys(FILES);

/** The content at a path; read again each time, so that an edited description is seen. */
export function apiPageFile(path: string): PageFile | undefined {
  return FILES[path]?.();
}

/**
 * Serves the description at /openapi.json and the page at /openapi, beside the functions. The address
 * alone, which somebody tries first, leads to the page.
 */
export function serveApiPage(server: HapiServer): void {
  server.route({ method: 'GET', path: '/', handler: (_request, h) => h.redirect('/openapi') });
  for (const [path, read] of Object.entries(FILES))
    server.route({
      method: 'GET',
      path,
      handler: (_request, h) => {
        const { type, body } = read();
        return h.response(body).type(type);
      },
    });
}
