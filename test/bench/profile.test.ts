import { describe, expect, inject, it, vi } from 'vitest';
import { onDatabase } from '../../bench/database.ts';
import { measureProfile } from '../../bench/profile.ts';

describe('the profile of one call', () => {
  it('counts the functions, calls and files of lib that each kind of call enters', async () => {
    vi.stubEnv('MONGODB_URI', inject('mongodbUri'));
    const report = (): void => undefined;
    const profiles = await onDatabase(report, ({ db }) => measureProfile(db, [], report));
    vi.unstubAllEnvs();
    const [own] = profiles;
    expect(own?.rows.map(({ call }) => call)).toEqual([
      'check',
      'confirm',
      'refusal',
      'check of two documents',
    ]);
    for (const { calls, functions, files } of own?.rows ?? []) {
      // Fewer would be a driver without a service; more than this nobody could follow.
      expect(files).toBeGreaterThan(3);
      expect(functions).toBeGreaterThan(files);
      expect(calls).toBeGreaterThanOrEqual(functions);
      expect(calls).toBeLessThan(2_000);
    }
  });
});
