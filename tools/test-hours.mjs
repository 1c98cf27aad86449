// What `npm run test:hours` runs: npm test's tests under a clock that is moved, for every process that they
// start, the database too.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { ROOT, programPath } from './programs.mjs';

/** Hours at which a test may fail that reads the clock: [instant, zone of this machine]. */
const HOURS = [
  ['2026-12-31T23:59:00Z', 'UTC'], // the year ends
  ['2026-11-24T15:59:00Z', 'Asia/Shanghai'], // midnight of the sample rules
  ['2026-10-25T00:59:00Z', 'Europe/Berlin'], // 25 hours
  ['2027-03-27T22:59:00Z', 'Europe/Berlin'], // before 23 hours
  ['2026-11-01T05:59:00Z', 'America/New_York'], // 25 hours
  ['2027-03-14T06:59:00Z', 'America/New_York'], // 23 hours
];

const USAGE = `npm run test:hours [-- [--at 2026-12-31T23:59:00Z --zone Europe/Berlin] [file or folder …]]

Runs the tests of npm test at hours at which one may fail that reads the clock. The clock of this machine
stays as it is. It needs Linux, root, and a compiler of C.

  --at     one hour, instead of ${HOURS.length}
  --zone   the zone of the machine then, UTC by default
  --print  prints the hours, and runs nothing`;

/** How a program ends that was called wrongly. */
const NOT_DONE = 2;

/**
 * A library that moves the clock of a program, by OFFSET seconds. For PostgreSQL it also moves the times of
 * files, by whose age DocumentDB removes cursors. Debian's libfaketime does not move the clock of a signal
 * handler, so no timeout of PostgreSQL came.
 */
const LIBRARY = `
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec *now) {
  if (syscall(SYS_clock_gettime, clock, now) != 0) return -1;
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) now->tv_sec += OFFSET;
  return 0;
}
int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  now->tv_sec = exact.tv_sec;
  now->tv_usec = exact.tv_nsec / 1000;
  return 0;
}
time_t time(time_t *now) {
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  if (now) *now = exact.tv_sec;
  return exact.tv_sec;
}
static int isServer;
__attribute__((constructor)) static void see(void) {
  isServer = strcmp(program_invocation_short_name, "postgres") == 0;
}
int fstatat(int folder, const char *restrict path, struct stat *restrict found, int flags) {
  if (syscall(SYS_newfstatat, folder, path, found, flags) != 0) return -1;
  if (isServer) found->st_mtim.tv_sec += OFFSET;
  return 0;
}
int stat(const char *restrict path, struct stat *restrict found) {
  return fstatat(AT_FDCWD, path, found, 0);
}
int lstat(const char *restrict path, struct stat *restrict found) {
  return fstatat(AT_FDCWD, path, found, AT_SYMLINK_NOFOLLOW);
}
int fstat(int file, struct stat *found) {
  return fstatat(file, "", found, AT_EMPTY_PATH);
}
`;

/**
 * A shell program. In a mount namespace of its own it lays one file over /etc, by which the loader gives the
 * library to every program, whatever environment that has.
 */
const WITHIN = `set -e
mount -t tmpfs tmpfs "$FOLDER"
mkdir "$FOLDER/upper" "$FOLDER/work"
printf '%s' "$LIBRARY" | cc -shared -fPIC -O2 -D "OFFSET=($OFFSET)" -o "$FOLDER/clock.so" -x c -
mount -t overlay overlay -o "lowerdir=/etc,upperdir=$FOLDER/upper,workdir=$FOLDER/work" /etc
echo "$FOLDER/clock.so" > /etc/ld.so.preload
exec "$@"`;

/** @returns why no clock can be moved here; undefined where it can */
function whyNot() {
  if ((process.env.MONGODB_URI ?? '') !== '')
    return 'MONGODB_URI names a server, whose clock stays.';
  if (process.platform !== 'linux' || process.getuid() !== 0) return 'It needs root on Linux.';
  const finds = (...words) => spawnSync(...words).status === 0;
  if (!finds('cc', ['--version'])) return 'It needs a compiler of C: apt-get install gcc.';
  if (!finds('unshare', ['--mount', 'true'])) return 'It needs unshare --mount, which fails here.';
  return undefined;
}

/** Without what a vitest around this one, and an extent of tests, set. */
const OUTER = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST_|NODE_ENV$)/.test(name)),
);

/** @returns whether the tests passed */
function runAt(at, zone, files) {
  const folder = mkdtempSync(join(tmpdir(), 'headroom-hour-'));
  chmodSync(folder, 0o755);
  console.log(`\n${at}, ${zone}`);
  const vitest = [process.execPath, programPath('vitest', 'vitest'), 'run', ...files];
  const { status } = spawnSync('unshare', ['--mount', 'sh', '-c', WITHIN, 'sh', ...vitest], {
    cwd: ROOT,
    stdio: 'inherit',
    env: {
      ...OUTER,
      TZ: zone,
      LIBRARY,
      FOLDER: folder,
      OFFSET: String(Math.round((Date.parse(at) - Date.now()) / 1000)),
    },
  });
  rmdirSync(folder);
  return status === 0;
}

function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      at: { type: 'string' },
      zone: { type: 'string', default: 'UTC' },
      print: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const reason = whyNot();
  if (reason !== undefined) throw new Error(reason);
  if (values.at !== undefined && Number.isNaN(Date.parse(values.at)))
    throw new Error(`--at is "${values.at}", expected an instant, such as 2026-12-31T23:59:00Z.`);
  if (values.print) {
    for (const hour of HOURS) console.log(hour.join(' '));
    return 0;
  }
  const hours = values.at === undefined ? HOURS : [[values.at, values.zone]];
  const failed = hours.filter(([at, zone]) => !runAt(at, zone, positionals));
  for (const [at, zone] of failed)
    console.error(
      `\n✖ Failed. Once more: npm run test:hours -- --at ${at} --zone ${zone} ${positionals.join(' ')}`,
    );
  return failed.length === 0 ? 0 : 1;
}

try {
  process.exitCode = main();
} catch (error) {
  console.error(`${error.message}\n\n${USAGE}`);
  process.exitCode = NOT_DONE;
}
