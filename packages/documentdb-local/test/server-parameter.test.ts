import { describe, expect, it } from 'vitest';
import { useDatabase } from './support/database.ts';

const database = useDatabase();

describe('a server parameter', () => {
  it('that is none gets a message', async () => {
    const command = { setParameter: 1, nonsense: 2 };
    await expect(database.client.db('admin').command(command)).rejects.toMatchObject({
      code: 72,
      message: expect.stringContaining('[nonsense]') as unknown,
    });
  });

  it('says whether the TTL monitor is on; of another one, that there is no such', async () => {
    const admin = database.client.db('admin');
    const told = await admin.command({ getParameter: 1, ttlMonitorEnabled: 1 });
    expect(told.ttlMonitorEnabled).toBeTypeOf('boolean');
    await expect(admin.command({ getParameter: 1, nonsense: 1 })).rejects.toMatchObject({
      code: 72,
      message: expect.stringContaining('no option found to get') as unknown,
    });
  });

  it.each([0, -1])('%s seconds is no time that a transaction may last', async (seconds) => {
    const command = { setParameter: 1, transactionLifetimeLimitSeconds: seconds };
    const asked = database.client.db('admin').command(command);
    await expect(asked).rejects.toMatchObject({ code: 2 });
  });
});
