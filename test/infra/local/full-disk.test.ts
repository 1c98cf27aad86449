import { MongoServerError } from 'mongodb';
import { expect, it } from 'vitest';
import { fullDiskSentence } from '../../../infra/local/full-disk.ts';
import { LocalDatabaseError } from '../../../infra/local/engine.ts';

const noRoom = Object.assign(new Error('ENOSPC: no space left on device, write'), {
  code: 'ENOSPC',
});

// prettier-ignore
it.each([
  { error: noRoom,                                                              why: 'a file of ours has no room' },
  { error: new MongoServerError({ message: 'could not extend', code: 14_031 }), why: 'the database has none' },
  { error: new LocalDatabaseError('FATAL: No space left on device'),            why: 'the process of the database said so' },
  { error: new Error('the rules were not stored', { cause: noRoom }),           why: 'it is the cause' },
])('says that the disk is full where $why', ({ error }) => {
  expect(fullDiskSentence(error, '/clone')).toMatch(
    /^A disk is full \(.+\)\. Make room on the disk of \/clone, or of your server, and start again\.$/,
  );
});

it('says nothing of other errors', () => {
  expect(fullDiskSentence(new Error('ENOENT'), '/clone')).toBeUndefined();
});
