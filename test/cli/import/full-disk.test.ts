import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { environmentOf, makeIndexes, useDatabase } from '../../support/database.ts';
import { handlersOn } from '../../support/service-on-database.ts';
import { useFolder } from '../../support/folder.ts';
import { storedCounters } from '../../support/stored-buckets.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const RULE = { id: 'life', per: ['user'], window: 'lifetime', max: { count: 900 } };
const WRONG_ROWS = 60;
/** In blocks of 512 bytes: room for what is noted, and for some of the wrong rows. */
const BLOCKS = 4;

const database = useDatabase();
const folder = useFolder();
beforeAll(async () => {
  await makeIndexes(database.db);
  await handlersOn(database, [RULE]);
});

/** Imports a file where no file may have more blocks; a full disk and this are met by the same calls. */
function importing(name: string, blocks: number | 'unlimited') {
  const program = `ulimit -f ${blocks}; exec '${process.execPath}' bin/headroom.mjs import "$1" --skip-invalid`;
  const { status, stdout, stderr } = spawnSync('sh', ['-c', program, 'sh', folder.path(name)], {
    cwd: ROOT,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      ...environmentOf(database),
    },
  });
  return { code: status, out: stdout, err: stderr.replaceAll(folder.path('/'), '') };
}

it('an import whose rejected rows find no room names the file, and goes on without losing one', () => {
  const at = '2026-01-02T09:30:00+08:00';
  const wrong = Array.from(
    { length: WRONG_ROWS },
    (_, n) => `w-${n},${at},much,CNY,${'u'.repeat(60)}`,
  );
  const rows = ['orderId,at,amount,currency,user', `o-1,${at},100,CNY,u-1`, ...wrong, ''];
  folder.write('full.csv', rows.join('\n'));

  const first = importing('full.csv', BLOCKS);
  expect(first.code).toBe(2);
  expect(first.err).toMatch(
    /^Not wholly imported: \d+ of 61 rows are imported; the same command continues there\. full\.rejected\.csv cannot be written: the file would be too large\.$/m,
  );
  expect(first.err).not.toMatch(/\n {4}at /);

  const second = importing('full.csv', 'unlimited');
  expect(second.code).toBe(1);
  const kept = folder.read('full.rejected.csv').trimEnd().split('\n');
  expect(kept.slice(1).map((line) => line.split(',')[0])).toEqual(
    wrong.map((line) => line.split(',')[0]),
  );
});

it('an import that can note nothing sends nothing', async () => {
  folder.write(
    'none.csv',
    'orderId,at,amount,currency,user\nn-1,2026-01-02T09:30:00+08:00,1,CNY,u-2\n',
  );
  expect(importing('none.csv', 0)).toMatchObject({
    code: 2,
    err: expect.stringMatching(
      /^Not imported: none\.csv\.progress cannot be written: the file would be too large; name another file with --progress\.$/m,
    ) as string,
  });
  expect(existsSync(folder.path('none.csv.progress'))).toBe(false);
  expect(await storedCounters(database.db).findOne({ _id: 'user:u-2' })).toBe(null);
});
