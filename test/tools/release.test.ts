import { spawn, spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ROOT } from '../../infra/framework.ts';
import { checkCommit } from '../../tools/release-commit.ts';
import { useFolder } from '../support/folder.ts';

const folder = useFolder();
const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((ended) => server.close(ended));
});

async function serve(answer: (path: string, body: string, method: string) => [number, unknown]) {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const [status, said] = answer(request.url ?? '', body, request.method ?? '');
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(said));
    });
  });
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

const publishedSchema = z.object({
  name: z.string(),
  versions: z.record(z.string(), z.object({ dist: z.looseObject({ integrity: z.string() }) })),
});
type Published = z.infer<typeof publishedSchema>;

/** As much of a registry as npm asks when it looks and publishes; refuses the names that are given. */
function registry(there: Map<string, Published>, refused: ReadonlySet<string>) {
  return serve((path, body, method) => {
    const name = decodeURIComponent(path.slice(1));
    const found = there.get(name);
    if (method === 'GET') return found === undefined ? [404, { error: 'Not found' }] : [200, found];
    if (refused.has(name)) return [503, { error: 'the registry is being mended' }];
    there.set(name, publishedSchema.parse(JSON.parse(body)));
    return [201, { ok: true }];
  });
}

function packed(names: readonly string[], mark: string): string {
  const list = names.map((name) => {
    folder.write(`${name}/package.json`, JSON.stringify({ name, version: '1.0.0', mark }));
    const words = ['pack', '--json', '--pack-destination', folder.path('')];
    const { stdout } = spawnSync('npm', words, { cwd: folder.path(name), encoding: 'utf8' });
    return z.tuple([z.unknown()]).parse(JSON.parse(stdout))[0];
  });
  folder.write('packed.json', JSON.stringify(list));
  return folder.path('');
}

/** Runs it beside this process, which serves the registry. */
async function publish(url: string, from: string): Promise<string> {
  const userconfig = folder.write('npmrc', `${url.replace('http:', '')}/:_authToken=secret\n`);
  const npmSettings = {
    NPM_CONFIG_REGISTRY: url,
    NPM_CONFIG_USERCONFIG: userconfig,
    NPM_CONFIG_CACHE: folder.path('cache'),
    NPM_CONFIG_FETCH_RETRIES: '0',
  };
  const child = spawn(process.execPath, [join(ROOT, 'tools', 'publish.mjs'), from], {
    env: { PATH: process.env.PATH, HOME: folder.path(''), ...npmSettings },
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return stdout + stderr;
}

describe('publishing', () => {
  it('goes on after a failure with what is not there yet', async () => {
    const there = new Map<string, Published>();
    const refused = new Set(['second']);
    const url = await registry(there, refused);
    const from = packed(['first', 'second'], 'a');
    const broken = await publish(url, from);
    expect(broken).toMatch(
      /^first 1\.0\.0 is published\.\nNot published: npm refused second 1\.0\.0 \(.*503.*\), expected it to be taken\. Mend that and run this again: what is there is skipped\.\n$/,
    );
    refused.clear();
    expect(await publish(url, from)).toBe(
      'first 1.0.0 is published already.\nsecond 1.0.0 is published.\n',
    );
    expect([...there.keys()]).toEqual(['first', 'second']);
    const other = await publish(url, packed(['first'], 'b'));
    expect(other).toMatch(
      /^Not published: the registry has another first 1\.0\.0 \(sha512-.*\), expected sha512-.*\. A published version never changes: give all packages a new one\.\n$/,
    );
  });
});

describe('the commit of a tag', () => {
  const git = (...words: readonly string[]): string =>
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], {
      cwd: folder.path('clone'),
      encoding: 'utf8',
    }).stdout.trim();
  const commit = (): string => {
    git('commit', '--quiet', '--allow-empty', '--message', 'change');
    return git('rev-parse', 'HEAD');
  };

  it('is on main, and passed there', async () => {
    folder.write('clone/README.md', '');
    git('init', '--quiet');
    const passed = commit();
    const failed = commit();
    git('update-ref', 'refs/remotes/origin/main', failed);
    const elsewhere = commit();
    const url = await serve((path) => {
      const isAsked = path.startsWith('/repos/a/b/actions/workflows/ci.yml/runs?');
      return isAsked ? [200, { total_count: path.includes(passed) ? 1 : 0 }] : [404, {}];
    });
    const check = (GITHUB_SHA: string, GITHUB_REPOSITORY = 'a/b') =>
      checkCommit(folder.path('clone'), { GITHUB_SHA, GITHUB_API_URL: url, GITHUB_REPOSITORY });
    await expect(check(passed)).resolves.toBeUndefined();
    await expect(check(failed)).rejects.toThrow('CI has not passed for the commit');
    await expect(check(elsewhere)).rejects.toThrow('is not on main, expected one that is');
    await expect(check(passed, 'c/d')).rejects.toThrow('did not say how CI ended (HTTP 404)');
  });
});
