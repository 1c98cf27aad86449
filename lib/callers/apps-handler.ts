import * as z from 'zod/mini';
import type { App, AppStore } from '../http/app.ts';
import { APP_ID_PATTERN, LONGEST_HOLD_EXPECTED, LONGEST_HOLD_MS } from '../http/app.ts';
import { OPERATIONS, RIGHTS } from '../../contract/calls.ts';
import { InvalidConfigurationError, InvalidRequestError } from '../shared/errors.ts';
import type { Sealing } from './app-changes.ts';
import {
  addApp,
  allowOperations,
  applicationJson,
  changeBounds,
  changeRights,
  changeStatus,
  retireSecret,
  rotateApp,
} from './app-changes.ts';
import { durationFrom, patternText, wholeNumber } from '../schema/fields.ts';
import { mistakeAt, ownField } from '../schema/mistakes.ts';
import { readRequest } from '../http/requests.ts';
import type { RequestSchema } from '../http/requests.ts';
import type { Auth } from './caller.ts';

/** What the operations work with. */
type Desk = { readonly store: AppStore; readonly key: Uint8Array };

type Operation = (event: unknown, desk: Desk) => Promise<object>;

/** Makes an operation of the fields that it takes, and refuses others. */
function operation<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  run: (given: z.infer<z.ZodMiniObject<Shape>>, desk: Desk) => Promise<object>,
): Operation {
  const fields = ['operation', ...Object.keys(shape)].join(', ');
  const takes = z.strictObject(
    { operation: z.string(), ...shape },
    { error: `a JSON object with only ${fields}` },
  ) as unknown as RequestSchema<z.infer<z.ZodMiniObject<Shape>>>; // the same fields, and one more
  return (event, desk) => run(readRequest(takes, event), desk);
}

const someOf = <Name extends string>(names: readonly [Name, ...Name[]]) =>
  z.array(z.enum(names, { error: `one of ${names.join(', ')}` }), {
    error: `a list of some of ${names.join(', ')}`,
  });
const ID = {
  id: patternText(APP_ID_PATTERN, '1 to 64 lower-case letters, digits and hyphens'),
};
const BOUNDS = {
  longestHold: z.optional(
    z.nullable(durationFrom('LongestHold', LONGEST_HOLD_MS, LONGEST_HOLD_EXPECTED)),
  ),
  openPercent: z.optional(z.nullable(wholeNumber(1, 100))),
};
const NEW_KEY = { newKey: z.optional(z.boolean({ error: 'true or false' })) };

/** Has an application made with a secret, which the answer shows this once. */
async function withSecret(
  { key }: Desk,
  isNewKey: boolean | undefined,
  make: (sealing: Sealing) => Promise<App>,
): Promise<object> {
  let shown = '';
  const app = await make({
    key,
    isNewKey: isNewKey === true,
    now: new Date(),
    handOver: (_app, secret) => {
      shown = secret;
      return Promise.resolve();
    },
  });
  return { ...applicationJson(app, key), secret: shown };
}

const statusOperation = (status: App['status']): Operation =>
  operation(ID, async ({ id }, { store, key }) =>
    applicationJson(await changeStatus(store, id, status), key),
  );

const OPERATIONS_OF_APPS: Readonly<Record<string, Operation>> = {
  list: operation({}, async (_given, { store, key }) => ({
    apps: (await store.read()).map((app) => applicationJson(app, key)),
  })),
  add: operation(
    {
      ...ID,
      operations: someOf(OPERATIONS),
      rights: z.optional(someOf(RIGHTS)),
      ...NEW_KEY,
    },
    ({ id, operations, rights = [], newKey }, desk) =>
      withSecret(desk, newKey, (sealing) =>
        addApp(desk.store, { id, operations, rights }, sealing),
      ),
  ),
  rotate: operation({ ...ID, ...NEW_KEY }, ({ id, newKey }, desk) =>
    withSecret(desk, newKey, (sealing) => rotateApp(desk.store, id, sealing)),
  ),
  retire: operation(ID, async ({ id }, { store, key }) =>
    applicationJson(await retireSecret(store, id), key),
  ),
  disable: statusOperation('disabled'),
  enable: statusOperation('active'),
  allow: operation(
    { ...ID, operations: someOf(OPERATIONS) },
    async ({ id, operations }, { store, key }) =>
      applicationJson(await allowOperations(store, id, operations), key),
  ),
  limit: operation({ ...ID, ...BOUNDS }, async ({ id, longestHold, openPercent }, desk) => {
    const bounds = { longestHoldMs: longestHold, openPercent };
    return applicationJson(await changeBounds(desk.store, id, bounds), desk.key);
  }),
  grant: operation({ ...ID, rights: someOf(RIGHTS) }, async ({ id, rights }, { store, key }) =>
    applicationJson(await changeRights(store, id, (had) => [...had, ...rights]), key),
  ),
  revoke: operation({ ...ID, rights: someOf(RIGHTS) }, async ({ id, rights }, { store, key }) => {
    const kept = (had: readonly string[]): readonly string[] =>
      had.filter((right) => !rights.some((gone) => gone === right));
    return applicationJson(await changeRights(store, id, kept), key);
  }),
};

/**
 * Makes the Lambda function of applications, for a database that only functions reach. It does what
 * `headroom apps` does, and no route leads to it: IAM decides who may invoke it. It logs nothing.
 *
 * It throws what was wrong, which the person who invokes it reads: InvalidRequestError, ApplicationError, or
 * InvalidConfigurationError where applications do not sign.
 */
export function createAppsHandler(
  store: AppStore,
  { auth }: { readonly auth: Auth },
): (event: unknown) => Promise<object> {
  return async (event) => {
    if (auth.kind !== 'hmac')
      throw new InvalidConfigurationError('There are no applications', [
        { path: 'AUTH', value: 'none', expected: 'hmac. Deploy with the parameter auth=hmac' },
      ]);
    const name = ownField(event, 'operation');
    const asked =
      typeof name === 'string' && Object.hasOwn(OPERATIONS_OF_APPS, name)
        ? OPERATIONS_OF_APPS[name]
        : undefined;
    if (asked === undefined) {
      const expected = `one of ${Object.keys(OPERATIONS_OF_APPS).join(', ')}`;
      throw new InvalidRequestError([mistakeAt(['operation'], name, expected)]);
    }
    return asked(event, { store, key: auth.appsKey });
  };
}
