// Calls Headroom as an application: POST with a body, GET without.
//   HEADROOM_APP_ID=shop HEADROOM_SECRET=hrs_… node examples/signed-call.mjs URL [JSON]
import { createHash, createHmac } from 'node:crypto';
import { argv, env } from 'node:process';

function signedFetch(url, body, { appId, secret }) {
  const method = body === undefined ? 'GET' : 'POST';
  const { pathname, searchParams } = new URL(url);
  const target = searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`;
  const timestamp = String(Date.now() / 1000);
  const bodyHash = createHash('sha256')
    .update(body ?? '')
    .digest('hex');
  const lines = ['v1', timestamp, method, target, bodyHash].join('\n');
  const signature = `v1=${createHmac('sha256', secret).update(lines).digest('hex')}`;
  const signed = { 'X-App-Id': appId, 'X-Timestamp': timestamp, 'X-Signature': signature };
  const headers = { 'Content-Type': 'application/json', ...signed };
  return fetch(url, { method, body, headers, redirect: 'error' }); // what is signed is for this address
}

const [, , url, body] = argv;
const caller = { appId: env.HEADROOM_APP_ID, secret: env.HEADROOM_SECRET };
const response = await signedFetch(url, body, caller);
console.log(response.status, await response.text());
