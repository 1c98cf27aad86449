import { Client } from 'pg';
import { connectionTo } from './connections.ts';
import { TTL_SWEEP_SECONDS, type TtlSweep } from './ttl-sweep.ts';

/**
 * Upserts whose answer can be trusted.
 *
 * When an upsert loses the race to insert its document, DocumentDB 1.0 redoes it as an update, and
 * the document ends as it should, but the answer is the document that would have been inserted:
 * a caller would take itself for the first. (Where the update needs `$$NOW` or variables, the redo
 * fails; see `lostUpsertRace`.) A redo shows in PostgreSQL's own count of updated rows: more of
 * them than the answer speaks of. Then the statement fails as a conflict, nothing is written, and
 * the adapter repeats it. Inside a multi-document transaction PostgreSQL itself reports the conflict.
 */
const UPSERT_FUNCTIONS = `
CREATE SCHEMA IF NOT EXISTS documentdb_local;

CREATE OR REPLACE FUNCTION documentdb_local.updated_rows(database text, collection text)
RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
  id bigint;
BEGIN
  SELECT collection_id INTO id FROM documentdb_api_catalog.collections
    WHERE database_name = database AND collection_name = collection;
  IF id IS NULL THEN RETURN 0; END IF;
  RETURN pg_stat_get_xact_tuples_updated(('documentdb_data.documents_' || id)::regclass);
END $$;

CREATE OR REPLACE FUNCTION documentdb_local.find_and_modify(
  database text, collection text, body documentdb_core.bson, retry_id text,
  OUT p_result bytea, OUT p_success boolean
) LANGUAGE plpgsql AS $$
DECLARE
  updated_before bigint := documentdb_local.updated_rows(database, collection);
  answer documentdb_core.bson;
BEGIN
  SELECT it.p_result, it.p_success INTO answer, p_success
    FROM documentdb_api.find_and_modify(database, body, retry_id) it;
  IF (answer OPERATOR(documentdb_core.->>) 'lastErrorObject.updatedExisting') = 'false'
    AND documentdb_local.updated_rows(database, collection) > updated_before
  THEN
    RAISE EXCEPTION 'the upsert lost the race to insert' USING ERRCODE = 'serialization_failure';
  END IF;
  p_result := answer::bytea;
END $$;

CREATE OR REPLACE FUNCTION documentdb_local.update(
  database text, collection text, body documentdb_core.bson,
  updates documentdb_core.bsonsequence, retry_id text,
  OUT p_result bytea, OUT p_success boolean
) LANGUAGE plpgsql AS $$
DECLARE
  updated_before bigint := documentdb_local.updated_rows(database, collection);
  answer documentdb_core.bson;
BEGIN
  SELECT it.p_result, it.p_success INTO answer, p_success
    FROM documentdb_api.update(database, body, updates, retry_id) it;
  IF p_success
    AND (answer OPERATOR(documentdb_core.->) 'upserted') IS NOT NULL
    AND documentdb_local.updated_rows(database, collection) - updated_before
      > (answer OPERATOR(documentdb_core.->>) 'nModified')::bigint
  THEN
    RAISE EXCEPTION 'an upsert lost the race to insert' USING ERRCODE = 'serialization_failure';
  END IF;
  p_result := answer::bytea;
END $$;
`;

/** Sets the extension up in a database that has none. */
export const CREATE_EXTENSION = 'CREATE EXTENSION IF NOT EXISTS documentdb CASCADE';

/** Indexes are built when they are asked for: nobody has to look every two seconds. */
export const REST_INDEX_BUILDERS = `SELECT cron.alter_job(jobid, active => false)
  FROM cron.job WHERE jobname LIKE 'documentdb_index_build_task%'`;

/** Brings the extension to the version that is installed, and has it sweep as it is asked to. */
export async function prepareExtension(socketFolder: string, ttlSweep: TtlSweep): Promise<void> {
  const client = new Client(connectionTo(socketFolder));
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('SET client_min_messages = error');
    await client.query(CREATE_EXTENSION);
    await client.query('ALTER EXTENSION documentdb_core UPDATE');
    await client.query('ALTER EXTENSION documentdb UPDATE');
    await client.query(UPSERT_FUNCTIONS);
    // A job keeps the server's address of when it was made; the socket's folder is another one each time.
    await client.query(
      `UPDATE cron.job SET nodename = current_setting('cron.host')
         WHERE nodename <> current_setting('cron.host')`,
    );
    await client.query(
      `SELECT cron.alter_job(jobid, schedule => $1, active => $2)
         FROM cron.job WHERE jobname = 'documentdb_ttl_task'`,
      [scheduleFor(ttlSweep), ttlSweep !== 'never'],
    );
    await client.query(REST_INDEX_BUILDERS);
  } finally {
    await client.end();
  }
}

/** pg_cron knows whole minutes in cron's notation and 1 to 59 seconds in words. */
function scheduleFor(ttlSweep: TtlSweep): string {
  return ttlSweep === 'never' || ttlSweep >= TTL_SWEEP_SECONDS
    ? '* * * * *'
    : `${ttlSweep} seconds`;
}
