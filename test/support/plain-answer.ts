import type { Document } from 'mongodb';

/** The fields that a server of a replica set adds to every answer. */
const ADDED: ReadonlySet<string> = new Set([
  '$clusterTime',
  'operationTime',
  'electionId',
  'opTime',
]);

/** The answer to a command, without what a server adds to every one. */
export function plainAnswer(answer: Document): Document {
  return Object.fromEntries(Object.entries(answer).filter(([name]) => !ADDED.has(name)));
}
