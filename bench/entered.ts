import { Session } from 'node:inspector/promises';
import type { Profiler } from 'node:inspector';
import { SourceMap } from 'node:module';
import { z } from 'zod';
import type { Script } from './builds.ts';

/** A function of `lib` that was called, where it is defined: a path below the checkout, and a line from 1. */
export type Entered = {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly calls: number;
};

/** Runs a call, and says which functions of a script's `lib` it entered. */
export type Counting = <T>(
  script: Script,
  call: () => Promise<T>,
) => Promise<readonly [answer: T, entered: readonly Entered[]]>;

/**
 * Lets V8 count the calls of functions while a task runs. It counts, it does not sample: the same code has the same
 * figures each time, but for what the clock decides. Scripts are loaded within the task.
 */
export async function whileCounting<T>(task: (counting: Counting) => Promise<T>): Promise<T> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    // Before a build is loaded. With `detailed`, or else what goes on after an `await` counts as one more call.
    // Source: V8, src/debug/debug-coverage.cc; Chrome DevTools Protocol, Profiler.startPreciseCoverage.
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    return await task(async (script, call) => {
      await session.post('Profiler.takePreciseCoverage'); // what was counted until now begins at 0 again
      const answer = await call();
      const { result } = await session.post('Profiler.takePreciseCoverage');
      return [answer, enteredIn(result, script)];
    });
  } finally {
    session.disconnect();
  }
}

/** The source of what begins at an offset of a script; undefined where none is known. */
type Places = (offset: number) => { readonly file: string; readonly line: number } | undefined;

const mapSchema = z.looseObject({
  version: z.number(),
  sources: z.array(z.string()),
  names: z.array(z.string()),
  mappings: z.string(),
});

function placesOf({ text, map }: Script): Places {
  const { version, sources, names, mappings } = mapSchema.parse(JSON.parse(map));
  const sourceMap = new SourceMap({
    file: '',
    version,
    sources,
    names,
    mappings,
    sourcesContent: [],
    sourceRoot: '',
  });
  return (offset) => {
    const before = text.slice(0, offset);
    const line = before.split('\n').length - 1;
    const entry = sourceMap.findEntry(line, offset - (before.lastIndexOf('\n') + 1));
    if (!('originalSource' in entry)) return undefined;
    return { file: entry.originalSource, line: entry.originalLine + 1 };
  };
}

function enteredIn(
  scripts: readonly Profiler.ScriptCoverage[],
  script: Script,
): readonly Entered[] {
  const places = placesOf(script);
  const functions = scripts.filter(({ url }) => url === script.url).flatMap((one) => one.functions);
  return functions.flatMap(({ functionName: name, ranges: [whole] }) => {
    if (whole === undefined || whole.count === 0) return [];
    const place = places(whole.startOffset);
    const file = /(?:^|\/)(lib\/.*)$/.exec(place?.file ?? '')?.[1];
    if (place === undefined || file === undefined) return [];
    return [{ file, line: place.line, name, calls: whole.count }];
  });
}
