import type { Metafile } from 'esbuild';

export function thirdPartyOf(metafiles: readonly Metafile[], root?: string): string;
