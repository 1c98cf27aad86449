import * as z from 'zod/mini';
import { APP_SECRETS_MAX, APPS_MAX } from '../shared/bounds.ts';
import type { App } from '../shared/app.ts';
import { InvalidConfigurationError } from '../shared/errors.ts';
import { mistakesOf } from './mistakes.ts';

const error = 'as npm run apps stores it';

// Fields that a later version may add are left alone: it is deployed after its applications change.
const schema = z
  .array(
    z.object(
      {
        id: z.string({ error }),
        status: z.enum(['active', 'disabled'], { error }),
        operations: z.array(z.string({ error }), { error }),
        rights: z._default(z.array(z.string({ error }), { error }), []),
        secrets: z
          .array(
            z.object(
              {
                id: z.string({ error }),
                sealed: z.string({ error }),
                createdAt: z.date({ error }),
              },
              { error },
            ),
            { error },
          )
          .check(z.maxLength(APP_SECRETS_MAX, { error })),
      },
      { error },
    ),
    { error },
  )
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
