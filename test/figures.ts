/** `npm run figures`: how large the house is, and how its rooms know each other. `npm run bench` has the figures of a call. */
import { z } from 'zod';
import { loadBundled } from '../bench/builds.ts';
import { whileCounting } from '../bench/entered.ts';
import type { Entered } from '../bench/entered.ts';
import { circlesIn, roomOf, upwardIn } from './support/floors.ts';
import { definedIn, filesNaming, graphOf, longestChainIn } from './support/house/shape.ts';
import type * as InMemory from './support/house/service-in-memory.ts';
import { typesOfCall } from './support/house/types-of-call.ts';
import type { Source } from './support/sources.ts';
import { ROOT, importsOf, sourcesBelow } from './support/sources.ts';

const linesIn = (sources: readonly Source[]): number =>
  sources.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);

const LIB = sourcesBelow('lib');
const LIBRARY = [...LIB, ...['contract', 'functions'].flatMap(sourcesBelow)];
const TOOLS = ['cli', 'infra', 'tools'].flatMap(sourcesBelow);
const PACKAGES = [
  'packages/cdk/src',
  'packages/client/src',
  'packages/console/src',
  'packages/documentdb-local/src',
].flatMap(sourcesBelow);
const TESTS = ['test', 'packages/console/test', 'packages/documentdb-local/test'].flatMap(
  sourcesBelow,
);
const ALL = [...LIBRARY, ...TOOLS, ...PACKAGES, ...TESTS, ...sourcesBelow('bench')];

/** Pairs of rooms that import each other both ways. */
function mutual(sources: readonly Source[]): readonly string[] {
  const arrows = new Set<string>();
  for (const source of sources)
    for (const name of importsOf(source)) {
      const [from, to] = [roomOf(source.path), roomOf(name)];
      if (from !== undefined && to !== undefined && from !== to) arrows.add(`${from} ${to}`);
    }
  return [...arrows].filter((arrow) => {
    const [from = '', to = ''] = arrow.split(' ');
    return from < to && arrows.has(`${to} ${from}`);
  });
}

const inRooms = (...rooms: readonly string[]): readonly Source[] =>
  LIB.filter(({ path }) => rooms.some((room) => path.startsWith(`lib/${room}/`)));

/** What decides and counts: the smallest part that a payment needs. */
const CORE_ROOMS = ['shared', 'mongo', 'schema', 'rule', 'counter', 'plan', 'document', 'limits'];
const CORE = inRooms(...CORE_ROOMS);

/** The rooms that know an order; those below know words, rules and statements. */
const ORDER_ROOMS = ['lib/counter', 'lib/plan', 'lib/document', 'lib/limits'];

const INSTANT = new Date('2030-01-01T00:00:30Z');

/** The functions that the ninth check of a user enters, over five rules. */
async function enteredByCheck(): Promise<readonly Entered[]> {
  return whileCounting(async (counting) => {
    const { loaded, script } = await loadBundled(ROOT, 'test/support/house/service-in-memory.ts');
    const { limits, checkOf, hold } = z
      .custom<typeof InMemory>((one) => typeof one === 'object')
      .parse(loaded);
    const check = (order: number) =>
      hold(limits, checkOf(`order-${order}`, { user: 'u' }), INSTANT);
    for (let order = 0; order < 8; order++) await check(order);
    const [, entered] = await counting(script, () => check(8));
    return entered;
  });
}

const heights = CORE_ROOMS.map((room) => longestChainIn(graphOf(inRooms(room))).length);
const twice = [...definedIn(LIB).values()].filter((files) => files.length > 1);
const entered = await enteredByCheck();

const FIGURES: readonly (readonly [name: string, figure: number])[] = [
  [
    'files that stand on each other through the core, each importing the next',
    longestChainIn(graphOf(CORE)).length,
  ],
  ['files that stand on each other in one room of the core', Math.max(...heights)],
  ['types in signatures that a check enters', typesOfCall(entered, ORDER_ROOMS).length],
  ['files of lib that a check enters', new Set(entered.map(({ file }) => file)).size],
  ['calls of lib in a check', entered.reduce((sum, { calls }) => sum + calls, 0)],
  ['names that two files of lib define', twice.length],
  ['files of lib that name distinct', filesNaming('distinct', LIB).length],
  ['files of lib that name minus', filesNaming('minus', LIB).length],
  ['lines of the core', linesIn(CORE)],
  ['lines of lib', linesIn(LIB)],
  ['lines of cli, infra and tools', linesIn(TOOLS)],
  ['lines of tests', linesIn(TESTS)],
  ['files of lib', LIB.length],
  ['arrows up in lib', LIBRARY.flatMap(upwardIn).length],
  ['pairs of rooms that know each other', mutual(LIBRARY).length],
  [
    'circles of files, anywhere',
    circlesIn(new Map(ALL.map((one) => [one.path, importsOf(one)]))).length,
  ],
];
for (const [name, figure] of FIGURES)
  process.stdout.write(`${String(figure).padStart(7)}  ${name}\n`);
