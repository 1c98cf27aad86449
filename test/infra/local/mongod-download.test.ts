import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { probeDownload } from '../../../infra/local/mongod-download.ts';
import { listening } from '../../support/listening.ts';

const BINARY = {
  version: '8.2.6',
  platform: 'linux',
  arch: 'x64',
  os: { os: 'linux', dist: 'debian', release: '12' },
};
const ARCHIVE = '/linux/mongodb-linux-x86_64-debian12-8.2.6.tgz';
const PROXY_VARIABLES = ['https_proxy', 'http_proxy', 'HTTPS_PROXY', 'HTTP_PROXY'] as const;

const opened: Server[] = [];

beforeEach(() => {
  for (const name of PROXY_VARIABLES) vi.stubEnv(name, undefined);
  for (const name of ['https-proxy', 'proxy']) vi.stubEnv(`npm_config_${name}`, undefined);
});

afterEach(() => {
  vi.unstubAllEnvs();
  for (const server of opened.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function open(server: Server): Promise<string> {
  opened.push(server);
  return `127.0.0.1:${await listening(server)}`;
}

/** A mirror that answers one status, or never; its address, and what it was asked. */
async function openMirror(status: number | undefined) {
  const asked: string[] = [];
  const answer: RequestListener = (request, response) => {
    asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
    if (status !== undefined) response.writeHead(status).end();
  };
  const host = await open(createServer(answer));
  vi.stubEnv('MONGOMS_DOWNLOAD_MIRROR', `http://${host}`);
  return { host, asked };
}

type Tunnel = (socket: Socket, host: string, port: number) => void;

/** Lets everybody through to where they want to go. */
const lead: Tunnel = (socket, host, port) => {
  const upstream = connect(port, host, () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    socket.pipe(upstream).pipe(socket);
  });
  upstream.on('error', () => socket.destroy());
};

/** A proxy, which every variable names; its address, what it was asked, and its callers' connections. */
async function openProxy(tunnel: Tunnel, login = '') {
  const asked: { where: string; login: string | undefined }[] = [];
  const sockets: Socket[] = [];
  const server = createServer();
  server.on('connect', (request, socket: Socket) => {
    const { host = '' } = request.headers;
    asked.push({ where: request.url ?? '', login: request.headers['proxy-authorization'] });
    sockets.push(socket);
    socket.on('error', () => socket.destroy());
    const { hostname, port } = new URL(`http://${host}`);
    tunnel(socket, hostname, Number(port));
  });
  const host = await open(server);
  vi.stubEnv('https_proxy', `http://${login}${host}`);
  return { host, asked, sockets };
}

describe('whether mongod can be downloaded is known within seconds', () => {
  it('yes, where a mirror has the archive', async () => {
    const { asked } = await openMirror(200);
    expect(await probeDownload(BINARY)).toBeUndefined();
    expect(asked).toEqual([`HEAD ${ARCHIVE}`]);
  });

  it('yes, where a mirror does not know the question', async () => {
    await openMirror(405);
    expect(await probeDownload(BINARY)).toBeUndefined();
  });

  it('no, where it has not', async () => {
    const { host } = await openMirror(403);
    expect(await probeDownload(BINARY)).toBe(`${host} answers 403`);
  });

  it('no, where it does not answer', async () => {
    const { host } = await openMirror(undefined);
    expect(await probeDownload(BINARY, 1)).toBe(`${host} does not answer within 1 s`);
  });

  it('no, where nobody is there', async () => {
    vi.stubEnv('MONGOMS_DOWNLOAD_MIRROR', 'http://127.0.0.1:1');
    expect(await probeDownload(BINARY)).toMatch(/ECONNREFUSED/);
  });

  it('no, where it is forbidden', async () => {
    vi.stubEnv('MONGOMS_RUNTIME_DOWNLOAD', 'false');
    expect(await probeDownload(BINARY)).toBe('MONGOMS_RUNTIME_DOWNLOAD forbids it');
  });
});

describe('behind a proxy it is asked through it', () => {
  it('yes, where the mirror has the archive', async () => {
    const mirror = await openMirror(200);
    const proxy = await openProxy(lead);
    expect(await probeDownload(BINARY)).toBeUndefined();
    expect(proxy.asked).toEqual([{ where: mirror.host, login: undefined }]);
    expect(mirror.asked).toEqual([`HEAD ${ARCHIVE}`]);
  });

  it('no, where the mirror has not', async () => {
    const mirror = await openMirror(404);
    const proxy = await openProxy(lead);
    expect(await probeDownload(BINARY)).toBe(`${mirror.host}, through ${proxy.host}, answers 404`);
  });

  it('with the login that the variable names', async () => {
    await openMirror(200);
    const { asked } = await openProxy(lead, 'me:p%40ss@');
    expect(await probeDownload(BINARY)).toBeUndefined();
    expect(asked[0]?.login).toBe('Basic bWU6cEBzcw=='); // me:p@ss
  });

  it('no, where the proxy lets nobody through', async () => {
    const mirror = await openMirror(200);
    const proxy = await openProxy((socket) => {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');
    });
    expect(await probeDownload(BINARY)).toBe(`${mirror.host}, through ${proxy.host}, answers 407`);
    expect(mirror.asked).toEqual([]);
  });

  it('no, where the proxy never answers, and its connection is given up', async () => {
    const mirror = await openMirror(200);
    const proxy = await openProxy((socket) => socket.resume());
    expect(await probeDownload(BINARY, 1)).toBe(
      `${mirror.host}, through ${proxy.host}, does not answer within 1 s`,
    );
    await expect
      .poll(() => proxy.sockets.map(({ readableEnded }) => readableEnded))
      .toEqual([true]);
  });
});
