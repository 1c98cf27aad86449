import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ALONE_TESTS } from '../support/local-engine-tests.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const workflowSchema = z.object({
  permissions: z.unknown(),
  jobs: z.record(
    z.string(),
    z.looseObject({
      'timeout-minutes': z.number(),
      permissions: z.record(z.string(), z.string()).optional(),
      strategy: z
        .object({
          matrix: z.object({
            include: z.array(z.object({ mongodb: z.string(), node: z.string() })),
          }),
        })
        .loose()
        .optional(),
      steps: z.array(z.looseObject({ run: z.string().optional(), uses: z.string().optional() })),
    }),
  ),
});
const workflow = workflowSchema.parse(parse(read('.github/workflows/ci.yml')));
const release = workflowSchema.parse(parse(read('.github/workflows/release.yml')));
const { scripts } = z
  .looseObject({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read('package.json')));
const steps = [workflow, release].flatMap(({ jobs }) =>
  Object.values(jobs).flatMap((job) => job.steps),
);

describe('the workflow', () => {
  it.each(steps.flatMap(({ run }) => run ?? []))('runs nothing of its own: %s', (run) => {
    const [, script = ''] = /^npm (?:run )?([a-z:]+)(?: -- [\w ./${}-]+)?$/.exec(run) ?? [];
    expect(['ci', ...Object.keys(scripts)]).toContain(script);
  });

  it.each(steps.flatMap(({ uses }) => uses ?? []))('takes an action as it was once: %s', (uses) => {
    expect(uses).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/);
  });

  it('may read the code, and nothing else', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(Object.values(workflow.jobs).filter((job) => job.permissions)).toEqual([]);
  });

  it('meets a set of three whose primary steps down, and clusters', () => {
    const runs = (job: string) => workflow.jobs[job]?.steps.flatMap(({ run }) => run ?? []) ?? [];
    expect(runs('three-members')).toContain('npm run mongo -- 8.0 --members 3');
    const alone = ALONE_TESTS.map((file) => `npm run vitest -- run ${file}`);
    for (const job of ['three-members', 'sharded'])
      expect(runs(job)).toEqual(expect.arrayContaining(alone));
    expect(runs('sharded')[0]).toMatch(/--shards$/);
    const { include } = workflow.jobs.sharded?.strategy?.matrix ?? {};
    expect(include?.map(({ mongodb }) => mongodb)).toEqual(['6.0', '8.0']);
  });

  it('releases what was tested and packed by a job that may prove nothing', () => {
    expect(release.permissions).toEqual({ contents: 'read' });
    const { pack, publish } = release.jobs;
    expect(pack?.permissions).toEqual({ contents: 'read', actions: 'read' });
    expect(publish).toMatchObject({
      needs: 'pack',
      permissions: { contents: 'read', 'id-token': 'write' },
    });
    const runs = [pack, publish].map((job) => job?.steps.flatMap((step) => step.run ?? []));
    expect(runs).toEqual([
      [
        'npm run release -- --check',
        expect.stringMatching(/^npm run mongo/),
        'npm test',
        'npm run release -- --pack packed',
      ],
      ['npm run publish:packed -- packed'],
    ]);
  });

  it('reads every template that deploys', () => {
    const runs = workflow.jobs.stack?.steps.flatMap(({ run }) => run ?? []);
    expect(runs).toEqual(['npm run lint:stack']);
  });

  it('meets every version of MongoDB and every line of Node', () => {
    const pairs = workflow.jobs['replica-set']?.strategy?.matrix.include ?? [];
    expect(pairs.map(({ mongodb }) => mongodb)).toEqual(['5.0', '6.0', '7.0', '8.0']);
    expect(new Set(pairs.map(({ node }) => node))).toEqual(new Set(['20.19', '22', '24']));
  });
});

describe('what is published', () => {
  const manifestSchema = z.looseObject({
    name: z.string(),
    version: z.string(),
    private: z.literal(true).optional(),
    publishConfig: z.object({ access: z.literal('public') }).optional(),
  });
  const manifestOf = (folder: string) =>
    manifestSchema.parse(JSON.parse(read(join(folder, 'package.json'))));
  const FOLDERS = ['.', 'packages/client', 'packages/cdk', 'packages/documentdb-local'];

  it.each(FOLDERS)('%s has the version of all', (folder) => {
    expect(manifestOf(folder).version).toBe(manifestOf('.').version);
  });

  it.each(FOLDERS)('%s has a scope, or is published by no mistake', (folder) => {
    const { name, private: isPrivate, publishConfig } = manifestOf(folder);
    // The one without is given its scope when it is built.
    if (isPrivate === true) expect(folder).toBe('packages/documentdb-local');
    else
      expect({ name, publishConfig }).toEqual({
        name: expect.stringMatching(/^@headroom-limits\/[a-z]+$/) as unknown,
        publishConfig: { access: 'public' },
      });
  });

  it.each(FOLDERS.slice(1))('%s has a README that stands alone', (folder) => {
    const readme = read(join(folder, 'README.md'));
    const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);
    expect(links.filter((target) => !/^(https:\/\/|#)/.test(target))).toEqual([]);
    expect(readme).toContain('npm install @headroom-limits/');
    expect(readme).toMatch(/\n## License\n\nMIT\n$/);
  });

  it('is released by a tag of its version, once the changelog has its date', () => {
    const run = (tag: string) =>
      spawnSync(process.execPath, ['--import', 'tsx', 'tools/release.ts', '--check'], {
        cwd: ROOT,
        encoding: 'utf8',
        env: { PATH: process.env.PATH, GITHUB_REF_NAME: tag },
      });
    expect(run('v9.9.9')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^Not released: the tag is v9\.9\.9, expected v/) as unknown,
    });
    expect(run(`v${manifestOf('.').version}`)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^Not released: CHANGELOG\.md has no heading/) as unknown,
    });
  });
});
