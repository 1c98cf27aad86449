import type { IncomingMessage } from 'node:http';
import { linesOf, OWN_HOST } from '../local/own-callers.ts';
import type { Person } from './person.ts';

/** Says which header is there twice; undefined where none is. Nobody can tell which one is meant. */
export function twiceIn({ rawHeaders }: IncomingMessage, person: Person): string | undefined {
  const single = ['host', ...(person.kind === 'header' ? [person.name.toLowerCase()] : [])];
  const twice = single.find((name) => linesOf(rawHeaders, name) > 1);
  return twice === undefined ? undefined : `${twice} is sent twice, expected once.`;
}

/**
 * Says what is foreign in a request; undefined where nothing is. Three requests must reach nobody:
 * - a simple POST of another site, to which a browser adds the cookie of somebody's login;
 * - a page under a name that its owner pointed at this machine: it could send the person's header itself;
 * - a call of a sibling site, `evil.example.com` beside `limits-console.example.com`.
 *
 * Source: Fetch standard, "Origin header"; Fetch Metadata, `Sec-Fetch-Site`.
 */
export function foreignIn({ headers }: IncomingMessage, person: Person): string | undefined {
  const { host = '', origin } = headers;
  const own = person.kind === 'header' ? person.origin : `http://${host.toLowerCase()}`;
  if (person.kind === 'always' && !OWN_HOST.test(host))
    return `Host is ${JSON.stringify(host)}, expected 127.0.0.1 or localhost: without a login only this machine is let in.`;
  if (person.kind === 'header' && host.toLowerCase() !== new URL(own).host)
    return `Host is ${JSON.stringify(host)}, expected ${new URL(own).host}, as --at says: let proxies pass it on.`;
  if (origin !== undefined && origin.toLowerCase() !== own)
    return `Origin is ${JSON.stringify(origin)}, expected none, or the console's own page.`;
  const site = headers['sec-fetch-site'] ?? 'none';
  if (headers['sec-fetch-mode'] !== 'navigate' && site !== 'none' && site !== 'same-origin')
    return 'Another web site asks, expected the console’s own page.';
  return undefined;
}
