import type { BuildOptions } from 'esbuild';

/**
 * Gives the JavaScript of a program, made again where a source is another one; undefined where nothing
 * can be written beside the sources. See there.
 */
export function bundledProgram(name: 'headroom' | 'supervisor'): string | undefined;

/** The options of esbuild for programs of this repository. See there. */
export function bundlingOf(
  entryPoints: Readonly<Record<string, string>>,
  outdir: string,
): BuildOptions;
