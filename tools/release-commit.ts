import { spawnSync } from 'node:child_process';
import { z } from 'zod';
import { CommandError } from '../cli/command-error.ts';

/** How long GitHub may take to answer. */
const ASK_MS = 30_000;

const runsSchema = z.object({ total_count: z.int().nonnegative() });

/**
 * Asks whether the tag's commit is on main, and passed there: a tag can name any commit.
 *
 * @param root a clone with its whole history
 * @param environment the variables that GitHub gives a workflow
 * @throws CommandError where it is not, or did not, or where GitHub cannot say
 */
export async function checkCommit(root: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const { GITHUB_SHA = '', GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_TOKEN } = environment;
  const words = ['merge-base', '--is-ancestor', GITHUB_SHA, 'origin/main'];
  if (spawnSync('git', words, { cwd: root }).status !== 0)
    throw new CommandError(
      `Not released: the commit ${GITHUB_SHA} is not on main, expected one that is. Merge it, and tag the merged commit.`,
    );
  const query = new URLSearchParams({ head_sha: GITHUB_SHA, branch: 'main', status: 'success' });
  const url = `${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/actions/workflows/ci.yml/runs?${query.toString()}`;
  const headers = { authorization: `Bearer ${GITHUB_TOKEN}` };
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(ASK_MS) }).catch(
    (error: unknown) => String(error),
  );
  if (typeof answer === 'string' || !answer.ok)
    throw new CommandError(
      `Not released: GitHub did not say how CI ended (${typeof answer === 'string' ? answer : `HTTP ${answer.status}`}), expected its runs. Run the job again.`,
    );
  if (runsSchema.parse(await answer.json()).total_count === 0)
    throw new CommandError(
      `Not released: CI has not passed for the commit ${GITHUB_SHA} on main, expected a run that did. Wait for it, or mend what fails.`,
    );
}
