import type { Db } from 'mongodb';
import { BSON, MongoClient } from 'mongodb';
import type { Limits } from '../lib/edge/limits.ts';
import { documentId } from '../lib/shared/subject.ts';
import { COUNTERS } from '../lib/document/mongo-counter-store.ts';
import { OWN_WRITES } from '../lib/mongo/client.ts';
import type { Build } from './builds.ts';
import { besideOf, buildOf, ownBuild } from './builds.ts';
import type { Revision } from './revision.ts';
import {
  FIELD_ATTRIBUTES,
  FIELD_RULES,
  FIVE_RULES,
  FULL_RULES,
  MERCHANT_RULES,
  checkOf,
  hold,
  orderOf,
} from './workload.ts';

/** The bytes of one thing as BSON: of all statements of a call, or of a stored document. */
type ByteRow = {
  readonly what: string;
  /** Statements of a call. */
  readonly statements?: number;
  /** Absent where that revision cannot answer. */
  readonly bytes?: number;
  readonly most?: number;
};

/** The bytes that one build sends and stores. */
export type Bytes = {
  /** Absent for this build. */
  readonly revision?: string;
  readonly rows: readonly ByteRow[];
};

/** Measures this build, and other revisions beside it where some are given. */
export async function measureBytes(
  uri: string,
  databaseName: string,
  revisions: readonly Revision[],
  report: (line: string) => void,
): Promise<readonly Bytes[]> {
  report('bytes…');
  const client = new MongoClient(uri, {
    monitorCommands: true,
    ...OWN_WRITES,
  });
  try {
    const db = client.db(databaseName);
    const measured: Bytes[] = [{ rows: await measureBuild(await ownBuild(db), db) }];
    for (const revision of revisions) {
      const rows = await measureBuild(await buildOf(revision, db), besideOf(db, revision));
      measured.push({ revision: revision.name, rows });
    }
    return measured;
  } finally {
    await client.close();
  }
}

async function measureBuild(build: Build, db: Db): Promise<readonly ByteRow[]> {
  const services = {
    user: build.serve(FIVE_RULES),
    both: build.serve([...FIVE_RULES, ...MERCHANT_RULES]),
    full: build.serve(FULL_RULES),
    fields: build.serve(FIELD_RULES),
  };
  // The documents are there, and so are their buckets: what is counted is the ordinary call.
  await services.user.confirm(orderOf(await hold(services.user, checkOf('first', USER))));
  await services.both.confirm(orderOf(await hold(services.both, checkOf('first', BOTH))));
  await hold(services.full, checkOf('first', FULL));
  const rows: ByteRow[] = [];
  for (const call of CALLS) {
    const sent = sentBy(db, call, services);
    // An older revision does not know every field of a rule.
    rows.push(
      await (build.revision === undefined ? sent : sent.catch(() => ({ what: call.what }))),
    );
  }
  for (const stored of STORED) rows.push(await storedBy(services.user, db, stored));
  return rows;
}

/** The service under rules of a user, under those of a merchant too, without room, and of each field. */
type Services = Readonly<Record<'user' | 'both' | 'full' | 'fields', Limits>>;

const USER = { user: 'bytes' };
const BOTH = { user: 'bytes-two', merchant: 'bytes' };
const FULL = { user: 'bytes-full' };
const NEW = { user: 'bytes-new' };

const ofFields = (order: string) => ({
  ...checkOf(order, { user: 'bytes-fields' }),
  attributes: FIELD_ATTRIBUTES,
});

/** A call whose statements are counted. */
type Call = {
  readonly what: string;
  readonly most?: number;
  /** Not counted: makes what the call needs. */
  readonly prepare: (services: Services) => Promise<() => Promise<unknown>>;
};

/** A call that needs nothing before it. */
const alone =
  (call: (services: Services) => Promise<unknown>): Call['prepare'] =>
  (services) =>
    Promise.resolve(() => call(services));

const CALLS: readonly Call[] = [
  {
    what: 'check, five rules of a user',
    most: 2_200,
    prepare: alone(({ user }) => hold(user, checkOf('second', USER))),
  },
  {
    what: 'check, eight rules of a user, one of each field',
    most: 4_106,
    prepare: async ({ fields }) => {
      await hold(fields, ofFields('first'));
      return () => hold(fields, ofFields('second'));
    },
  },
  {
    what: 'confirm, five rules of a user',
    most: 1_200,
    prepare: async ({ user }) => {
      const held = await hold(user, checkOf('third', USER));
      return () => user.confirm(orderOf(held));
    },
  },
  {
    what: 'check, a user and a merchant',
    prepare: alone(({ both }) => hold(both, checkOf('second', BOTH))),
  },
  {
    what: 'confirm, a user and a merchant',
    prepare: async ({ both }) => {
      const held = await hold(both, checkOf('third', BOTH));
      return () => both.confirm(orderOf(held));
    },
  },
  {
    what: 'check that is refused',
    most: 4_000,
    prepare: alone(({ full }) => full.check(checkOf('second', FULL))),
  },
  {
    what: 'check of a new user',
    most: 4_000,
    prepare: alone(({ user }) => user.check(checkOf('first', NEW))),
  },
  {
    what: 'confirm without a reservation',
    most: 4_000,
    prepare: alone(({ user }) =>
      user.confirm({
        appId: 'default',
        orderId: 'first',
        whereabouts: { kind: 'subjects', subjects: NEW },
      }),
    ),
  },
  {
    what: 'checks of 64 orders',
    prepare: alone(({ user }) =>
      user.checkMany(
        Array.from({ length: 64 }, (_, order) => checkOf(`many-${order}`, USER)),
        false,
      ),
    ),
  },
];

/** Runs a call and adds up what it sends. */
async function sentBy(db: Db, { what, most, prepare }: Call, services: Services): Promise<ByteRow> {
  const call = await prepare(services);
  let statements = 0;
  let bytes = 0;
  const count = ({ command }: { readonly command: BSON.Document }): void => {
    statements += 1;
    bytes += BSON.calculateObjectSize(command);
  };
  db.client.on('commandStarted', count);
  try {
    await call();
  } finally {
    db.client.off('commandStarted', count);
  }
  return { what, statements, bytes, ...(most === undefined ? {} : { most }) };
}

/** A document of five rules, with so many outcomes and open holds. */
type Stored = { readonly outcomes: number; readonly open: number; readonly most?: number };

const STORED: readonly Stored[] = [
  { outcomes: 0, open: 1 },
  { outcomes: 20, open: 1, most: 2_000 },
  { outcomes: 64, open: 16 },
];

async function storedBy(
  limits: Limits,
  db: Db,
  { outcomes, open, most }: Stored,
): Promise<ByteRow> {
  const user = `stored-${outcomes}-${open}`;
  for (let order = 0; order < outcomes; order++)
    await limits.confirm(orderOf(await hold(limits, checkOf(`order-${order}`, { user }))));
  for (let order = 0; order < open; order++) await hold(limits, checkOf(`held-${order}`, { user }));
  const found = await db
    .collection<{ readonly _id: string }>(COUNTERS)
    .findOne({ _id: documentId('user', user) }, { promoteLongs: false });
  return {
    what: `document, ${outcomes} outcomes, ${open} open`,
    bytes: found === null ? NaN : BSON.calculateObjectSize(found),
    ...(most === undefined ? {} : { most }),
  };
}
