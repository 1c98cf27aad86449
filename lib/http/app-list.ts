import * as z from 'zod/mini';
import { APP_SECRETS_MAX, APPS_MAX } from '../shared/bounds.ts';
import type { App } from '../shared/app.ts';
import { InvalidConfigurationError } from '../shared/errors.ts';
import { mistakesOf } from './mistakes.ts';

const error = 'as npm run apps stores it';

const text = z.string({ error });
const secret = z.object({ id: text, sealed: text, createdAt: z.date({ error }) }, { error });

// Fields that a later version may add are left alone: it is deployed after its applications change.
const app = z.object(
  {
    id: text,
    status: z.enum(['active', 'disabled'], { error }),
    operations: z.array(text, { error }),
    rights: z._default(z.array(text, { error }), []),
    secrets: z.array(secret, { error }).check(z.maxLength(APP_SECRETS_MAX, { error })),
  },
  { error },
);
const schema = z
  .array(app, { error })
  .check(z.maxLength(APPS_MAX, { error: `at most ${APPS_MAX} applications` }));

/**
 * Reads the applications of a deployment, by id.
 *
 * @throws InvalidConfigurationError listing every mistake
 */
export function readAppList(given: readonly unknown[]): ReadonlyMap<string, App> {
  const result = schema.safeParse(given);
  if (!result.success)
    throw new InvalidConfigurationError(
      'The applications in the database are wrong',
      mistakesOf(result.error, given),
    );
  return new Map(result.data.map((app) => [app.id, app]));
}
