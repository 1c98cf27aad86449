/** The server gives up a little before its caller does, so that the answer says why. */
const SERVER_SHARE = 0.9;

/**
 * How long the server may work on a statement whose caller waits so long: its `maxTimeMS`.
 *
 * Every write has this bound. Without it a write that meets a document of a commit waits for the end of the commit,
 * and is done then, up to 90 s later, even if its caller is gone.
 * Source: mongodb/mongo, src/mongo/db/query/plan_executor_impl.cpp, `_handleNeedYield`; exec/update_stage.cpp,
 * `prepareToRetryWSM`.
 */
export function serverMs(waitMs: number): number {
  return Math.max(1, Math.floor(waitMs * SERVER_SHARE));
}
