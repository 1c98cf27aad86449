/** No variable of the caller's may change what the server does. */
export function serverEnvironment(): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    LC_ALL: 'C',
    TZ: 'UTC',
    // Buffers of a grown document go back to the kernel with every call otherwise: a third of its time.
    MALLOC_TOP_PAD_: '16777216',
    MALLOC_TRIM_THRESHOLD_: '134217728',
    MALLOC_MMAP_THRESHOLD_: '134217728',
  };
}
