import { inject, vi } from 'vitest';
import type { LambdaHandler } from '../../lib/http/handler.ts';
import type { TestDatabase } from './database.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** The variables of a function over a test's database. */
export function variablesOf({ db }: TestDatabase): Readonly<Record<string, string>> {
  return { MONGODB_URI: inject('mongodbUri'), MONGODB_DATABASE: db.databaseName };
}

/** Starts a function as Lambda does: its module is loaded again, silent, with these variables until they are unstubbed. */
export async function startFunction(name: string, variables: Variables): Promise<LambdaHandler> {
  vi.resetModules();
  const silent = { LOG_LEVEL: 'SILENT', POWERTOOLS_METRICS_DISABLED: 'true' };
  for (const [variable, value] of Object.entries({ ...silent, ...variables }))
    vi.stubEnv(variable, value);
  // Each function's file exports its handler; see function-names.ts.
  const file = (await import(`../../functions/${name}.ts`)) as { readonly handler: LambdaHandler };
  return file.handler;
}
