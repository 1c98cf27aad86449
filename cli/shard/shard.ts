import { MongoServerError, type Db, type Document } from 'mongodb';
import { ensureIndexes } from '../../lib/health/mongo-indexes.ts';
import { printJson } from '../output.ts';
import {
  UNKNOWN,
  planShards,
  SHARD_KEYS,
  shellText,
  type ClusterFacts,
  type ShardPlan,
  type ShardStep,
} from './plan.ts';

/** How `shard` is asked. */
export type ShardOptions = {
  /** Only prints the commands. */
  readonly print?: boolean;
  readonly json?: boolean;
};

/** Source: MongoDB, error_codes.yml. */
const UNAUTHORIZED = 13;

/**
 * Spreads the collections of a cluster, or prints the commands where the right is lacking.
 *
 * @returns 0 where everything is spread or the commands were asked for, 2 where something is left
 */
export async function shardDatabase(db: Db, options: ShardOptions): Promise<number> {
  const { print = false, json = false } = options;
  const plan = planShards(await factsOf(db));
  if (plan.kind === 'refused') {
    if (json) printJson(plan);
    else console.error(plan.reason);
    return 2;
  }
  if (json)
    printJson({ ...plan, shell: plan.steps.map((step) => shellText(step, db.databaseName)) });
  const say = (line: string): void => {
    if (!json) console.log(line);
  };
  for (const note of plan.notes) say(note);
  if (plan.steps.length === 0) {
    say(`Everything is spread: ${[...SHARD_KEYS.keys()].join(', ')}.`);
    return 0;
  }
  if (print || plan.lacking !== undefined) {
    const why = plan.lacking === undefined ? '' : `${plan.lacking}. `;
    say(`${why}In mongosh, after headroom indexes:\n\n${linesOf(plan.steps, db)}`);
    return print ? 0 : 2;
  }
  return spread(db, plan, say);
}

async function spread(
  db: Db,
  { steps }: Extract<ShardPlan, { kind: 'planned' }>,
  say: (line: string) => void,
): Promise<number> {
  await ensureIndexes(db);
  for (const [index, step] of steps.entries()) {
    try {
      await (step.on === 'admin' ? db.client.db('admin') : db).command({ ...step.command });
    } catch (error) {
      if (!(error instanceof MongoServerError) || error.code !== UNAUTHORIZED) throw error;
      say(`The server does not allow this user: ${error.message}. Run the rest in mongosh:\n`);
      say(linesOf(steps.slice(index), db));
      return 2;
    }
    say(`done: ${JSON.stringify(step.command)}`);
  }
  return 0;
}

function linesOf(steps: readonly ShardStep[], db: Db): string {
  return steps.map((step) => `  ${shellText(step, db.databaseName)}`).join('\n');
}

/** Asks the server. A missing answer is UNKNOWN. */
async function factsOf(db: Db): Promise<ClusterFacts> {
  const admin = db.client.db('admin');
  const hello = await admin.command({ hello: 1 });
  const { version } = await admin.command({ buildInfo: 1 });
  const facts = { database: db.databaseName, hello, version: String(version) };
  if (hello.msg !== 'isdbgrid')
    return { ...facts, shards: UNKNOWN, spread: UNKNOWN, rights: UNKNOWN };
  return {
    ...facts,
    shards: await askOrUnknown(async () => {
      const { shards } = await admin.command({ listShards: 1 });
      return (shards as readonly Document[]).map(({ _id }) => String(_id));
    }),
    spread: await askOrUnknown(async () => {
      const found = await db.client
        .db('config')
        .collection<{ readonly _id: string; readonly key: Record<string, unknown> }>('collections')
        .find({
          _id: { $in: [...SHARD_KEYS.keys()].map((name) => `${db.databaseName}.${name}`) },
          unsplittable: { $ne: true }, // of 8.0, for what is in one place
        })
        .toArray();
      const nameOf = (id: string): string => id.slice(db.databaseName.length + 1);
      return new Map(found.map(({ _id, key }) => [nameOf(_id), key]));
    }),
    rights: await askOrUnknown(async () => {
      const { authInfo } = await admin.command({ connectionStatus: 1, showPrivileges: true });
      const { authenticatedUsers, authenticatedUserPrivileges } = authInfo as Document;
      return {
        users: (authenticatedUsers as readonly unknown[]).length,
        // Named so by the server's manual, "connectionStatus".
        privileges: authenticatedUserPrivileges as [],
      };
    }),
  };
}

async function askOrUnknown<T>(ask: () => Promise<T>): Promise<T | typeof UNKNOWN> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof MongoServerError) return UNKNOWN;
    throw error;
  }
}
