import manifest from '../package.json' with { type: 'json' };

/** Headroom's version. */
export const VERSION = manifest.version;
