import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ROOT } from '../../infra/framework.ts';
import { RSEQ_OF_GLIBC } from '../../infra/local/mongod-environment.ts';
import { probePort } from '../../infra/local/ports.ts';
import { listening } from '../support/listening.ts';

const { services } = z
  .object({
    services: z.object({
      mongo: z.looseObject({
        image: z.string(),
        command: z.array(z.string()),
        environment: z.record(z.string(), z.string()),
        healthcheck: z.looseObject({ test: z.array(z.string()) }),
      }),
      headroom: z.looseObject({
        build: z.object({ context: z.string(), dockerfile: z.string() }),
        environment: z.record(z.string(), z.string()),
        ports: z.array(z.string()),
      }),
      forward: z.looseObject({ command: z.array(z.string()), network_mode: z.string() }),
    }),
  })
  .parse(parse(readFileSync(join(ROOT, 'compose.yaml'), 'utf8')));

describe('compose.yaml', () => {
  it('has the newest MongoDB that is tested, as the set that Headroom is told of', () => {
    const { mongo, headroom } = services;
    expect(mongo.image).toBe('mongo:8.0');
    const set = mongo.command[mongo.command.indexOf('--replSet') + 1] ?? 'none';
    const uri = new URL(headroom.environment.MONGODB_URI ?? '');
    expect(uri.searchParams.get('replicaSet')).toBe(set);
    const check = mongo.healthcheck.test.join(' ');
    expect(check).toContain(`_id: '${set}'`);
    expect(check).toContain(`host: '${uri.host}'`);
  });

  it('runs on a kernel from 6.19 on', () => {
    expect(services.mongo.environment).toEqual(RSEQ_OF_GLIBC);
  });

  it('is reached from this machine alone', () => {
    expect(services.headroom.ports).toEqual(['127.0.0.1:3000:3001']);
    expect(services.mongo).not.toHaveProperty('ports');
    expect(services.forward.network_mode).toBe('service:headroom');
  });

  it('forwards to the port on which Headroom listens', () => {
    const [program, file = '', from, to] = services.forward.command;
    expect(program).toBe('node');
    expect(existsSync(join(ROOT, file))).toBe(true);
    expect(services.headroom.ports[0]?.split(':').at(-1)).toBe(from);
    expect(to).toBe(services.headroom.environment.PORT);
  });

  it('builds from a file that there is, without what a clone has collected', () => {
    expect(existsSync(join(ROOT, services.headroom.build.dockerfile))).toBe(true);
    const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n');
    expect(ignored).toEqual(
      expect.arrayContaining(['.git', '**/node_modules', '.headroom', '.env']),
    );
  });
});

it('what forwards hands requests on, and goes on when nobody listens', async () => {
  const inner = createServer((request, response) => response.end(`answer to ${request.url ?? ''}`));
  const port = await listening(inner);
  const from = await probePort(0);
  const words = [join(ROOT, 'infra/docker/forward.mjs'), String(from), String(port), '127.0.0.1'];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(child.stdout, 'data');
    const ask = async (path: string) => (await fetch(`http://127.0.0.1:${from}${path}`)).text();
    expect(await ask('/v1/check')).toBe('answer to /v1/check');
    inner.closeAllConnections();
    await new Promise((resolve) => inner.close(resolve));
    await expect(ask('/v1/check')).rejects.toThrow('fetch failed');
    expect(child.exitCode).toBeNull();
  } finally {
    child.kill();
    await once(child, 'exit');
  }
});

describe('the example of a console behind a login', () => {
  const EXAMPLE = join(ROOT, 'examples', 'console');
  const { services: parts } = z
    .object({
      services: z.object({
        login: z.looseObject({ ports: z.array(z.string()) }),
        console: z.looseObject({ network_mode: z.string() }),
      }),
    })
    .parse(parse(readFileSync(join(EXAMPLE, 'compose.yaml'), 'utf8')));

  it('is reached from this machine alone, and what signs calls through the login alone', () => {
    expect(parts.login.ports).toEqual(['127.0.0.1:4180:4180']);
    expect(parts.console.network_mode).toBe('service:login');
    expect(parts.console).not.toHaveProperty('ports');
    const settings = readFileSync(join(EXAMPLE, 'oauth2-proxy.cfg'), 'utf8');
    expect(settings).toMatch(/^http_address = "127\.0\.0\.1:4180"$/m);
  });
});
