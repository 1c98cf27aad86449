// A provider of OpenID Connect in a process of its own: the npm package oidc-provider, with its own pages for
// signing in, which know everybody under the name that is typed. It prints its address.
import { once } from 'node:events';
import { createServer } from 'node:http';
import process from 'node:process';
import { Provider } from 'oidc-provider';

const [clientId, clientSecret, redirectUri] = process.argv.slice(2);
const server = createServer((request, response) => {
  void handle(request, response);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const issuer = `http://127.0.0.1:${server.address().port}`;
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code'],
      response_types: ['code'],
    },
  ],
  claims: { openid: ['sub'], email: ['email', 'email_verified'] },
  features: { devInteractions: { enabled: true } },
  findAccount: (_context, id) => ({
    accountId: id,
    claims: () => ({ sub: id, email: id, email_verified: true }),
  }),
});
const handle = provider.callback();
console.log(`issuer ${issuer}`);
