import type { Source } from './sources.ts';
import { importsOf } from './sources.ts';

/**
 * The rooms of the library, the lowest floor first. A file imports from its own room and from floors below: rooms
 * of one floor do not know each other. A feature is a room that can be deleted whole.
 */
export const FLOORS: readonly (readonly string[])[] = [
  ['lib/shared'], // words, bounds, errors
  ['lib/mongo', 'lib/schema'], // the driver; fields of JSON, as they are read and described
  ['lib/rule'], // the model of rules and of a subject's terms
  [
    'lib/counter', // what counters count, and what orders ask of them
    'lib/rule-file', // the fields of rules, as people write them
  ],
  [
    'lib/changes', // what changes of rules and terms do
    'lib/document', // what becomes of one document, and its statements
  ],
  [
    'contract', // the calls, and their answers
    'lib/plan', // what a check or a record asks of documents
  ],
  ['lib/limits'], // the calls, one step after the other
  ['lib/http'], // requests, answers, problems and sentences of all features
  ['lib/four-eyes'], // changes that wait for a second person
  [
    'lib/audit', // rows, history, refunds, reconciliation
    'lib/callers',
    'lib/near',
    'lib/record',
    'lib/review', // orders that a second person lets pass
    'lib/rule-book',
    'lib/terms',
    'lib/usage',
  ],
  [
    'lib/backtest', // the past, decided again under other rules
    'lib/proposals', // where a second person decides
  ],
  ['lib/edge', 'lib/health'], // the service put together; its examination
  ['functions'],
];

/** The number of a file's floor; below 0 for a file outside of the library. */
export function floorOf(path: string): number {
  return FLOORS.findIndex((rooms) => rooms.some((room) => path.startsWith(`${room}/`)));
}

/** The room that a file stands in. */
export function roomOf(path: string): string | undefined {
  return FLOORS.flat().find((room) => path.startsWith(`${room}/`));
}

/** The imports of a file that do not go to a floor below. */
export function upwardIn(source: Source): readonly string[] {
  const from = floorOf(source.path);
  return importsOf(source).filter((name) => {
    const to = floorOf(name);
    return to >= 0 && roomOf(name) !== roomOf(source.path) && (from < 0 || to >= from);
  });
}

/** Files that import one another, types counted, each circle by its files; none for a tree. */
export function circlesIn(graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const reachable = (from: string): ReadonlySet<string> => {
    const seen = new Set<string>();
    const queue = [...(graph.get(from) ?? [])];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      queue.push(...(graph.get(next) ?? []));
    }
    return seen;
  };
  const reached = new Map([...graph.keys()].map((path) => [path, reachable(path)]));
  const circles = [...graph.keys()].flatMap((path) => {
    const mates = [...(reached.get(path) ?? [])].filter((mate) => reached.get(mate)?.has(path));
    return mates.includes(path) ? [mates.sort().join(' <-> ')] : [];
  });
  return [...new Set(circles)];
}
