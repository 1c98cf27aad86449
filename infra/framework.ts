import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The repository's root, which holds serverless.yml. */
export const ROOT = join(import.meta.dirname, '..');

/** The program of `osls`, installed under the name `serverless`; run it with this Node. */
export const FRAMEWORK_PROGRAM = createRequire(import.meta.url).resolve(
  'serverless/bin/serverless.js',
);

/**
 * Returns the environment in which the framework runs here: it asks nothing, reports nothing to
 * anyone, and keeps its cache of compiled schemas out of the home directory.
 *
 * osls has no telemetry and no update check; the two variables keep it so should a plugin bring the
 * original framework's back.
 *
 * @param own variables on top of this process's
 */
export function frameworkEnvironment(own: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return {
    ...process.env,
    SLS_TELEMETRY_DISABLED: '1',
    SLS_NOTIFICATIONS_MODE: 'off',
    SLS_SCHEMA_CACHE_BASE_DIR: join(ROOT, 'node_modules', '.cache'),
    ...own,
  };
}
