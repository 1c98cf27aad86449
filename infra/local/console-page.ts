import type { HapiResponse, HapiServer } from 'serverless-offline';
import { CONSOLE_POLICY, consoleFile } from './console-files.ts';
import type { SampleApplication } from './sample-signature.ts';

/** Serves the console below /console/, beside the functions. */
export function serveConsole(
  server: HapiServer,
  folder: string,
  application: SampleApplication | undefined,
): void {
  type Toolkit = Parameters<Parameters<HapiServer['route']>[0]['handler']>[1];
  const answer = (name: string, h: Toolkit): HapiResponse => {
    const found = consoleFile(folder, name, application);
    if (found === undefined) return h.response({ message: 'Not Found' }).code(404);
    return h
      .response(found.body)
      .type(found.type)
      .code(found.status)
      .header('content-security-policy', CONSOLE_POLICY)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', name.startsWith('assets/') ? 'max-age=31536000' : 'no-cache');
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
