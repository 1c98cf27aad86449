import { describe, expect, it } from 'vitest';
import { environmentOf, useDatabase } from '../support/database.ts';
import { runCommand } from '../support/run-command.ts';

describe('npm run indexes', () => {
  const database = useDatabase();

  it('makes every collection and index and says so; a second run finds everything there', async () => {
    const environment = environmentOf(database);
    const first = await runCommand('indexes', [], environment);
    const { databaseName } = database.db;
    expect(first.out.split('\n')).toEqual([
      `${databaseName}.rules: collection is there`,
      `${databaseName}.apps: collection is there`,
      `${databaseName}.audit_settings: collection is there`,
      `${databaseName}.audit_mends: collection is there`,
      `${databaseName}.counters: index expireAt_ttl is there`,
      `${databaseName}.signatures: index expireAt_ttl is there`,
      `${databaseName}.audit: index expireAt_ttl is there`,
      `${databaseName}.audit: index order_at is there`,
      `${databaseName}.audit: index order_home_at is there`,
      `${databaseName}.audit: index chain is there`,
      `${databaseName}.refunds: index expireAt_ttl is there`,
      `${databaseName}.chains: index goneAt_ttl is there`,
      `${databaseName}.rule_versions: index rule_version is there`,
      `${databaseName}.proposals: index at_id is there`,
      `${databaseName}.proposals: index about_at_id is there`,
      `${databaseName}.proposals: index expireAt_ttl is there`,
      `${databaseName}.terms_changes: index subject_at is there`,
      `${databaseName}.terms_changes: index rule_document is there`,
      `${databaseName}.backtests: index expireAt_ttl is there`,
      `${databaseName}.backtests: index slot is there`,
      `${databaseName}.backtest_orders: index expireAt_ttl is there`,
      `${databaseName}.backtest_states: index expireAt_ttl is there`,
      `${databaseName}.near: index until_ttl is there`,
      `${databaseName}.near: index rule_percent is there`,
      `${databaseName}.near: index kind_percent is there`,
      `${databaseName}.near: index percent is there`,
      `${databaseName}.audit: index subject_at_id is there`,
      `${databaseName}.audit: index refused_at is there`,
      `${databaseName}.audit: index refusal_at is there`,
      `${databaseName}.audit: index at is there`,
      '',
    ]);
    const there = await database.db.listCollections({}, { nameOnly: true }).toArray();
    expect(there.map(({ name }) => name)).toEqual(expect.arrayContaining(['rules', 'apps']));
    for (const name of ['counters', 'signatures', 'audit', 'refunds'])
      expect(await database.db.collection(name).indexes()).toContainEqual(
        expect.objectContaining({ key: { expireAt: 1 }, expireAfterSeconds: 0 }),
      );
    expect(await database.db.collection('near').indexes()).toContainEqual(
      expect.objectContaining({ key: { until: 1 }, expireAfterSeconds: 0 }),
    );
    expect(await runCommand('indexes', [], environment)).toEqual(first);
  });
});
