import { expect, it } from 'vitest';
import { configurationFor } from '../src/postgres.ts';

it.each([
  { keepsData: true, why: 'they are there again after a crash' },
  { keepsData: false, why: 'nobody starts a server on them again' },
])('data that are kept ($keepsData) wait for the disk or do not: $why', ({ keepsData }) => {
  const settings = configurationFor('/tmp/socket', keepsData).split('\n');
  const careless = ['fsync = off', 'full_page_writes = off', 'synchronous_commit = off'];
  expect(careless.map((each) => settings.includes(each))).toEqual(careless.map(() => !keepsData));
});
