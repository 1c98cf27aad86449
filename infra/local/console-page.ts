import type { HapiResponse, HapiServer } from 'serverless-offline';
import { consoleFile, consoleHeaders } from './console-files.ts';
import type { Application } from '../../packages/client/src/index.ts';

/**
 * Serves the console below /console/, beside the functions.
 *
 * @param application who signs calls, where they are signed; `npm start` answers this machine alone
 */
export function serveConsole(
  server: HapiServer,
  folder: string,
  application: Application | undefined,
): void {
  const app = application === undefined ? {} : { app: application };
  const setup = { api: '/', signIn: 'name', ...app };
  type Toolkit = Parameters<Parameters<HapiServer['route']>[0]['handler']>[1];
  const answer = (name: string, h: Toolkit): HapiResponse => {
    const found = consoleFile(folder, name, setup);
    if (found === undefined) return h.response({ message: 'Not Found' }).code(404);
    const response = h.response(found.body).type(found.type).code(found.status);
    for (const [header, value] of Object.entries(consoleHeaders(name)))
      response.header(header, value);
    return response;
  };
  server.route({
    method: 'GET',
    path: '/console',
    // The server takes a slash at the end away, which the console's own addresses begin from.
    handler: ({ raw }, h) =>
      raw.req.url.startsWith('/console/') ? answer('', h) : h.redirect('/console/'),
  });
  server.route({
    method: 'GET',
    path: '/console/{name*}',
    handler: ({ params }, h) => answer(params.name ?? '', h),
  });
}
