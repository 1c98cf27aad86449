/** `npm run figures`: how large the house is, and how its rooms know each other. `npm run bench` has the figures of a call. */
import { circlesIn, roomOf, upwardIn } from './support/floors.ts';
import type { Source } from './support/sources.ts';
import { importsOf, sourcesBelow } from './support/sources.ts';

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

const FIGURES: readonly (readonly [name: string, figure: number])[] = [
  [
    'lines of document, plan and limits, with their stores',
    linesIn(inRooms('document', 'plan', 'limits')),
  ],
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
