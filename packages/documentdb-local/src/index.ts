export { DocumentDBError } from './documentdb-error.ts';
export {
  startDocumentDB,
  type DocumentDBOptions,
  type DocumentDBServer,
  type DocumentDBStart,
} from './start.ts';
export type { TtlSweep } from './ttl-sweep.ts';
