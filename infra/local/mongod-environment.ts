/**
 * Leaves restartable sequences to glibc. Otherwise the allocator of mongod 8 uses them in a way that Linux
 * does not allow any more from 6.19 on: mongod dies after half a minute, or does not start.
 */
export const RSEQ_OF_GLIBC = { GLIBC_TUNABLES: 'glibc.pthread.rseq=1' } as const;

/** The first kernel with which mongod 8 needs that. */
const FIRST_KERNEL: readonly [number, number] = [6, 19];

/**
 * Gives what a mongod needs in its environment on this system.
 *
 * Source: `startup_check_rseq.cpp` of mongod; SERVER-121912.
 *
 * @param platform as `process.platform`
 * @param release of the kernel, as `os.release()`: `6.19.14-200.fc43.x86_64`
 */
export function mongodEnvironment(
  platform: string,
  release: string,
): Readonly<Record<string, string>> {
  const [, major = 0, minor = 0] = (/^(\d+)\.(\d+)/.exec(release) ?? []).map(Number);
  const isNew = major > FIRST_KERNEL[0] || (major === FIRST_KERNEL[0] && minor >= FIRST_KERNEL[1]);
  return platform === 'linux' && isNew ? RSEQ_OF_GLIBC : {};
}
