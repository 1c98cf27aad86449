import type { HapiResponse, HapiServer } from 'serverless-offline';
import { Gate } from './gate.ts';

/**
 * Takes from serverless-offline's server what an HTTP API does not do: it ignores a slash at the end
 * of a path, answers HEAD where there is GET, lists its routes where there is none, and lets every
 * browser in.
 *
 * Source: API Gateway developer guide, "Create routes for HTTP APIs", "Configure CORS for HTTP APIs".
 */
export function answerLikeApiGateway(server: HapiServer): void {
  server.ext('onRequest', (request, h) => {
    const [path = ''] = request.raw.req.url.split('?');
    if (!isText(path)) return h.continue; // which the server answers with 400
    const isOther = path !== '/' && path !== '/console/' && path.endsWith('/');
    const route = isOther ? null : server.match(request.method, path);
    if (route?.method === request.method) return h.continue;
    request.app.isUnknown = true;
    return h.response({ message: 'Not Found' }).code(404).takeover();
  });
  server.ext('onPreResponse', ({ app, response }, h) => {
    const headers = headersOf(response);
    for (const name of Object.keys(headers))
      if (name.startsWith('access-control-')) Reflect.deleteProperty(headers, name);
    // Where a browser asks first, serverless-offline has made it a 200.
    if (app.isUnknown === true) response.code(404);
    else if (response.isBoom === true)
      response.output.payload = { message: response.output.payload.error ?? 'Bad Request' };
    return h.continue;
  });
}

/**
 * Has at most so many calls run at once, and the others wait before their time begins to count.
 *
 * Deployed, each call has a processor to itself. Here all of them share one thread: left alone, sixty
 * at once would each take as long as all of them, longer than the store may take to answer.
 */
export function boundCalls(server: HapiServer, most: number): void {
  const gate = new Gate(most);
  server.ext('onPreHandler', async ({ app }, h) => {
    app.progress = 'waits';
    await gate.enter();
    // A caller that went away meanwhile needs no place. TypeScript does not see that `response` comes
    // between.
    if ((app.progress as string) === 'ended') gate.leave();
    else app.progress = 'runs';
    return h.continue;
  });
  server.events.on('response', ({ app }) => {
    if (app.progress === 'runs') gate.leave();
    app.progress = 'ended';
  });
}

/** Whether a path's percent signs stand for UTF-8. */
function isText(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function headersOf(response: HapiResponse): Record<string, unknown> {
  return response.isBoom === true ? response.output.headers : response.headers;
}
