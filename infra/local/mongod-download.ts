import http from 'node:http';
import https from 'node:https';
import { HttpsProxyAgent } from 'https-proxy-agent';
import {
  MongoBinaryDownloadUrl,
  type MongoBinaryDownloadUrlOpts,
} from 'mongodb-memory-server-core/lib/util/MongoBinaryDownloadUrl.js';
import { LocalDatabaseError, messageOf } from './engine.ts';

/** Long enough for a slow line and a proxy, short enough to wait for at every offline start. */
const PROBE_SECONDS_MAX = 4;

/** The variables that mongodb-memory-server reads a proxy from, in its order. */
const PROXY_VARIABLES = [
  'yarn_https-proxy',
  'yarn_proxy',
  'npm_config_https-proxy',
  'npm_config_proxy',
  'https_proxy',
  'http_proxy',
  'HTTPS_PROXY',
  'HTTP_PROXY',
] as const;

/**
 * Asks whether the archive that mongodb-memory-server would download is there, under the address,
 * mirror and proxy it would use.
 *
 * @param secondsMax how long to wait for an answer
 * @returns why not, or undefined when it is
 */
export async function probeDownload(
  binary: MongoBinaryDownloadUrlOpts,
  secondsMax = PROBE_SECONDS_MAX,
): Promise<string | undefined> {
  if (/^(0|off|no|false)$/i.test(process.env.MONGOMS_RUNTIME_DOWNLOAD ?? ''))
    return 'MONGOMS_RUNTIME_DOWNLOAD forbids it';
  try {
    const url = new URL(await new MongoBinaryDownloadUrl(binary).getDownloadUrl());
    const proxy = PROXY_VARIABLES.map((name) => process.env[name]).find((value) => value);
    const place = proxy === undefined ? url.host : `${url.host}, through ${new URL(proxy).host},`;
    const status = await askWithin(secondsMax, place, (signal) => askHead(url, proxy, signal));
    // A mirror may not know the question; then the download itself has to find out.
    const there = status < 400 || status === 405 || status === 501;
    return there ? undefined : `${place} answers ${status}`;
  } catch (error) {
    return messageOf(error);
  }
}

async function askWithin(
  seconds: number,
  place: string,
  ask: (signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const signal = AbortSignal.timeout(seconds * 1000);
  try {
    return await ask(signal);
  } catch (error) {
    if (signal.aborted)
      throw new LocalDatabaseError(`${place} does not answer within ${seconds} s`, {
        cause: error,
      });
    throw error;
  }
}

/** Asks for an archive without fetching it, through a proxy as the download would: by a tunnel. */
function askHead(url: URL, proxy: string | undefined, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const { request } = url.protocol === 'http:' ? http : https;
    // npm's own setting, as the download follows it.
    const rejectUnauthorized = (process.env.npm_config_strict_ssl ?? 'true') === 'true';
    const agent = proxy === undefined ? undefined : new HttpsProxyAgent(proxy, { signal });
    request(url, { method: 'HEAD', signal, rejectUnauthorized, agent }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}
