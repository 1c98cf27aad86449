import { BSON } from 'bson';
import type { Command } from './command.ts';

/** Where the statements of a batch stand: beside the command or in it, under this name. */
const LISTS: Readonly<Record<string, string>> = {
  insert: 'documents',
  update: 'updates',
  delete: 'deletes',
};

/** The statements of an insert, update or delete, as raw documents, in their order. */
export function statementsOf(command: Command): readonly Buffer[] {
  const list = LISTS[command.name] ?? '';
  const beside = command.sequences.get(list);
  if (beside !== undefined) return cut(beside);
  const within = command.fields.get(list);
  if (!Buffer.isBuffer(within)) return [];
  return [...BSON.onDemand.parseToElements(within)].map(([, , , at, bytes]) =>
    within.subarray(at, at + bytes),
  );
}

/** Cuts joined documents apart; each begins with its length. */
function cut(joined: Buffer): readonly Buffer[] {
  const documents: Buffer[] = [];
  for (let at = 0; at < joined.length;) {
    const end = at + joined.readInt32LE(at);
    documents.push(joined.subarray(at, end));
    at = end;
  }
  return documents;
}
