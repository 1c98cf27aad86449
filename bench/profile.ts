import { Session } from 'node:inspector/promises';
import type { Profiler } from 'node:inspector';
import { SourceMap } from 'node:module';
import type { Db } from 'mongodb';
import { z } from 'zod';
import type { Build, Script } from './builds.ts';
import { buildOf, ownBuild } from './builds.ts';
import type { Revision } from './revision.ts';
import { FIVE_RULES, checkOf, hold, orderOf } from './workload.ts';

/** How much of `lib` one call enters: functions and files, each counted once, and calls of them. */
export type ProfileRow = {
  readonly call: 'check' | 'confirm';
  readonly calls: number;
  readonly functions: number;
  readonly files: number;
  /** The most calls that there may be. */
  readonly most: number;
};

/** Calls of functions of the library that one call may make. */
const CALLS_MAX = { check: 190, confirm: 90 } as const;

/** The profiles of a build. */
export type Profile = {
  /** Absent for this build. */
  readonly revision?: string;
  readonly rows: readonly ProfileRow[];
};

/** Calls that come first, so that what is computed once is computed. */
const CALLS_BEFORE = 8;

/**
 * Counts what one check over five rules and its confirm enter, in this build and in another revision's beside
 * it. V8 counts, it does not sample: the same code has the same figures each time, but for what the
 * clock decides.
 */
export async function measureProfile(
  db: Db,
  revision: Revision | undefined,
  report: (line: string) => void,
): Promise<readonly Profile[]> {
  report('profile…');
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    // Before a build is loaded. With `detailed`, or else what goes on after an `await` counts as one more call.
    // Source: V8, src/debug/debug-coverage.cc; Chrome DevTools Protocol, Profiler.startPreciseCoverage.
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    const own = await profileOf(session, await ownBuild(db));
    if (revision === undefined) return [{ rows: own }];
    const beside = await profileOf(session, await buildOf(revision, db));
    return [{ rows: own }, { revision: revision.name, rows: beside }];
  } finally {
    session.disconnect();
  }
}

async function profileOf(session: Session, build: Build): Promise<readonly ProfileRow[]> {
  const limits = build.serve(FIVE_RULES);
  const places = placesOf(build.script);
  const request = (order: string): Parameters<typeof hold>[1] =>
    checkOf(`profile-${order}`, { user: 'profile' });
  for (let call = 0; call < CALLS_BEFORE; call++)
    await limits.confirm(orderOf(await hold(limits, request(String(call)))));
  const counted = async <T>(call: () => Promise<T>): Promise<[T, readonly Entered[]]> => {
    await session.post('Profiler.takePreciseCoverage'); // what was counted until now begins at 0 again
    const answer = await call();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return [answer, enteredIn(result, build.script, places)];
  };
  const [held, inCheck] = await counted(() => hold(limits, request('one')));
  const [, inConfirm] = await counted(() => limits.confirm(orderOf(held)));
  return [rowOf('check', inCheck), rowOf('confirm', inConfirm)];
}

/** A function of `lib` that was called. */
type Entered = { readonly file: string; readonly calls: number };

/** The source file of what begins at an offset of a script; undefined where none is known. */
type Places = (offset: number) => string | undefined;

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
    return 'originalSource' in entry ? entry.originalSource : undefined;
  };
}

function enteredIn(
  scripts: readonly Profiler.ScriptCoverage[],
  { url }: Script,
  places: Places,
): readonly Entered[] {
  const functions = scripts.filter((script) => script.url === url).flatMap((one) => one.functions);
  return functions.flatMap(({ ranges: [whole] }) => {
    if (whole === undefined || whole.count === 0) return [];
    const file = places(whole.startOffset);
    return file !== undefined && /(^|\/)lib\//.test(file) ? [{ file, calls: whole.count }] : [];
  });
}

function rowOf(call: ProfileRow['call'], entered: readonly Entered[]): ProfileRow {
  return {
    call,
    calls: entered.reduce((sum, { calls }) => sum + calls, 0),
    functions: entered.length,
    files: new Set(entered.map(({ file }) => file)).size,
    most: CALLS_MAX[call],
  };
}
