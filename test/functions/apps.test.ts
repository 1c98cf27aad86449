import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { createAppsHandler } from '../../lib/callers/apps-handler.ts';
import { readApps } from '../../lib/callers/mongo-callers.ts';
import { useDatabase } from '../support/database.ts';
import { handlersOf } from '../support/handlers.ts';
import { answerTo } from '../support/routed-call.ts';
import { APPS_KEY_TEXT, eventOf, signed, signedServiceOn } from '../support/signed-call.ts';
import { startFunction, variablesOf } from '../support/started-function.ts';

const database = useDatabase();
afterEach(() => {
  vi.unstubAllEnvs();
});

type Apps = ReturnType<typeof createAppsHandler>;
const start = async (set: Readonly<Record<string, string>> = {}): Promise<Apps> =>
  // IAM lets in anyone who may invoke it.
  (await startFunction('apps', {
    ...variablesOf(database),
    AUTH: 'hmac',
    APPS_KEY: APPS_KEY_TEXT,
    ...set,
  })) as unknown as Apps;

const CHECK = { orderId: 'o-1', subjects: { user: 'u-1' }, amount: 1, currency: 'CNY' };

/** The status with which a check is answered, signed with a secret of the application. */
async function statusOf(secret: string | undefined): Promise<unknown> {
  const { check } = handlersOf(signedServiceOn(database).service);
  const sent = signed({ id: 'shop', secret: secret ?? '' }, 'check', CHECK);
  return (await answerTo(check, eventOf(sent))).status;
}

describe('the function apps', () => {
  it('makes the first application, changes its secret and stops it, without a way to the database', async () => {
    const apps = await start();
    const made = await apps({
      operation: 'add',
      id: 'shop',
      operations: ['check', 'confirm'],
      rights: ['usage:read'],
    });
    expect(made).toEqual({
      id: 'shop',
      status: 'active',
      operations: ['check', 'confirm'],
      rights: ['usage:read'],
      secrets: [{ id: 's1', createdAt: expect.any(String) as unknown, opens: true }],
      secret: expect.stringMatching(/^hrs_[\w-]{43}$/) as unknown,
    });
    const { secret: first } = made as { readonly secret: string };
    expect(await statusOf(first)).toBe(200);
    const { secret: second } = (await apps({ operation: 'rotate', id: 'shop' })) as {
      readonly secret: string;
    };
    await apps({ operation: 'retire', id: 'shop' });
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);
    await apps({ operation: 'disable', id: 'shop' });
    expect(await statusOf(second)).toBe(401);
    expect(await apps({ operation: 'enable', id: 'shop' })).toMatchObject({ status: 'active' });
    expect(await apps({ operation: 'allow', id: 'shop', operations: ['status'] })).toMatchObject({
      operations: ['status'],
    });
    const bounds = { longestHold: 'PT1H', openPercent: 25 };
    expect(await apps({ operation: 'limit', id: 'shop', ...bounds })).toMatchObject(bounds);
    const without = await apps({ operation: 'limit', id: 'shop', longestHold: null });
    expect(without).toMatchObject({ openPercent: 25 });
    expect(without).not.toHaveProperty('longestHold');
    const listed = await apps({ operation: 'list' });
    expect(listed).toMatchObject({ apps: [{ id: 'shop', secrets: [{ id: 's2' }] }] });
    expect(JSON.stringify(listed)).not.toContain('hrs_');
  });

  // prettier-ignore
  it.each([
    { event: {},                                                        says: /operation is missing, expected one of list, add, / },
    { event: { operation: 'add', operations: ['check'] },               says: /id is missing, expected 1 to 64 lower-case letters/ },
    { event: { operation: 'add', id: 'shop', operations: ['chek'] },    says: /operations\[0\] is "chek", expected one of check, / },
    { event: { operation: 'add', id: 'shop', operations: ['check'], right: [] }, says: /with only operation, id, operations, rights, newKey/ },
    { event: { operation: 'limit', id: 'taken', longestHold: 'PT1M' },  says: /longestHold is "PT1M", expected an ISO 8601 duration from PT15M to P7D/ },
    { event: { operation: 'limit', id: 'taken', openPercent: 101 },     says: /openPercent is 101, expected a whole number from 1 to 100/ },
    { event: { operation: 'retire', id: 'nobody' },                     says: /There is no application nobody/ },
    { event: { operation: 'add', id: 'taken', operations: ['check'] },  says: /There is an application taken already/ },
  ])('refuses $event, and stores nothing', async ({ event, says }) => {
    const apps = await start();
    await apps({ operation: 'add', id: 'taken', operations: ['check'] }).catch(() => undefined);
    const before = await readApps(database.db);
    await expect(apps(event)).rejects.toThrow(says);
    expect(await readApps(database.db)).toEqual(before);
  });

  it('makes no secret under another key than the others have', async () => {
    await (
      await start()
    )({ operation: 'add', id: 'kept', operations: ['check'] }).catch(() => undefined);
    const apps = await start({ APPS_KEY: randomBytes(32).toString('base64') });
    await expect(apps({ operation: 'add', id: 'other', operations: ['check'] })).rejects.toThrow(
      'APPS_KEY does not open the secrets of',
    );
  });

  it('needs applications that sign', async () => {
    const apps = await start({ AUTH: 'none', APPS_KEY: '' });
    await expect(apps({ operation: 'list' })).rejects.toThrow('AUTH is none, expected hmac');
  });
});
