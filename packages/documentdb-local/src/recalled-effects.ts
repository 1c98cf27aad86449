import { BSON } from 'bson';
import { decodeDocument, type Command } from './command.ts';
import type { Effect } from './effects.ts';
import { askForImage, bufferOf, takeImage } from './images.ts';
import type { RunSql } from './sql.ts';
import { statementsOf } from './statements.ts';

/** The engine's memory of a write of one statement; its key is a collection's number twice. */
const RECALL = `
  SELECT it.rows_affected, it.object_id::bytea, it.result_document::bytea
    FROM documentdb_api_catalog.collections place
    JOIN documentdb_data.retryable_writes it
      ON it.collection_id = place.collection_id AND it.shard_key_value = place.collection_id
    WHERE place.database_name = $1 AND place.collection_name = $2 AND it.transaction_id = $3`;

/**
 * The change that a write of one statement made before the adapter was started; undefined where it
 * never was.
 */
export async function recallEffect(
  command: Command,
  retryId: string,
  run: RunSql,
): Promise<Effect | 'nothing' | undefined> {
  const { name, database, collection } = command;
  const isFind = name.toLowerCase() === 'findandmodify';
  if (!isFind && statementsOf(command).length !== 1) return undefined;
  const [row] = await run(RECALL, [database, collection, retryId]);
  if (row === undefined) return undefined;
  const [affected, objectId, result] = row;
  // An upsert that inserts affects no row, and names the document that it made.
  const created = affected !== true && Buffer.isBuffer(objectId) ? readId(objectId) : undefined;
  if (affected !== true && created === undefined) return 'nothing';
  if (isFind) {
    const removes = command.fields.get('remove') === true;
    const existing = created ?? { updatedExisting: true };
    const lastErrorObject = { n: 1, ...(removes ? {} : existing) };
    const isKept = askForImage(command).kind !== 'not to be had';
    const image = Buffer.isBuffer(result) ? imageIn(result) : null;
    return { kind: 'found', lastErrorObject, ...(isKept ? { image } : {}) };
  }
  if (name === 'update')
    return created === undefined ? { kind: 'updated' } : { kind: 'upserted', id: created.upserted };
  return { kind: name === 'insert' ? 'inserted' : 'deleted' };
}

/** The engine stores an id as a document whose only field has no name. */
function readId(stored: Buffer): { readonly updatedExisting: false; readonly upserted: unknown } {
  return { updatedExisting: false, upserted: Object.values(decodeDocument(stored))[0] };
}

function imageIn(result: Buffer): Buffer | null {
  const reply = BSON.serialize({ value: decodeDocument(result) });
  return takeImage(bufferOf(reply)).image ?? null;
}
