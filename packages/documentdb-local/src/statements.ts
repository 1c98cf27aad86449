import { BSON } from 'bson';
import { decodeDocument, type Command } from './command.ts';

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

/** The command with only one of its statements. */
export function withStatement(command: Command, statement: Buffer): Command {
  const list = LISTS[command.name] ?? '';
  const sequences = new Map([[list, statement]]);
  if (command.sequences.has(list)) return { ...command, sequences };
  const fields = Object.entries(decodeDocument(command.document));
  const rest = Object.fromEntries(fields.filter(([name]) => name !== list));
  return { ...command, document: Buffer.from(BSON.serialize(rest)), sequences };
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
