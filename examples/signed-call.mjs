// Calls Headroom as an application: POST with a body, GET without.
//   HEADROOM_APP_ID=shop HEADROOM_SECRET=hrs_… node examples/signed-call.mjs URL [JSON]
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { argv, env } from 'node:process';

function signedFetch(url, body, { appId, secret }) {
  const method = body === undefined ? 'GET' : 'POST';
  const { pathname, searchParams } = new URL(url);
  const parts = { '@method': method, '@path': pathname };
  if (searchParams.size > 0) parts['@query'] = `?${searchParams}`;
  const hash = createHash('sha256').update(body ?? '');
  if (body !== undefined) parts['content-digest'] = `sha-256=:${hash.digest('base64')}:`;
  const names = Object.keys(parts).map((name) => `"${name}"`);
  const created = Math.floor(Date.now() / 1000);
  const input = `(${names.join(' ')});created=${created};keyid="${appId}";nonce="${randomUUID()}"`;
  const lines = Object.entries({ ...parts, '@signature-params': input });
  const base = lines.map(([name, value]) => `"${name}": ${value}`).join('\n');
  const headers = {
    'Content-Type': 'application/json',
    'Signature-Input': `hr=${input}`,
    Signature: `hr=:${createHmac('sha256', secret).update(base).digest('base64')}:`,
    ...(body === undefined ? {} : { 'Content-Digest': parts['content-digest'] }),
  };
  return fetch(url, { method, body, headers, redirect: 'error' }); // what is signed is for this address
}

const [, , url, body] = argv;
const caller = { appId: env.HEADROOM_APP_ID, secret: env.HEADROOM_SECRET };
const response = await signedFetch(url, body, caller);
console.log(response.status, await response.text());
