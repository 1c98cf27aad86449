import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const workflow = z
  .object({
    permissions: z.unknown(),
    jobs: z.record(
      z.string(),
      z.looseObject({
        'timeout-minutes': z.number(),
        permissions: z.undefined().optional(),
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
  })
  .parse(parse(read('.github/workflows/ci.yml')));
const { scripts } = z
  .looseObject({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read('package.json')));
const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);

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
  });

  it('meets a set of three whose primary steps down, and clusters', () => {
    const runs = (job: string) => workflow.jobs[job]?.steps.flatMap(({ run }) => run ?? []) ?? [];
    expect(runs('three-members')).toEqual(
      expect.arrayContaining([
        'npm run mongo -- 8.0 --members 3',
        'npm run vitest -- run test/fault/step-down.test.ts',
      ]),
    );
    expect(runs('sharded')[0]).toMatch(/--shards$/);
    const { include } = workflow.jobs.sharded?.strategy?.matrix ?? {};
    expect(include?.map(({ mongodb }) => mongodb)).toEqual(['6.0', '8.0']);
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
