import type { Document } from 'mongodb';
import { BSON, Long, Timestamp, UUID } from 'mongodb';

/** One effective update of one document, as it was sent and as the document was around it. */
export type Write = {
  /** The operators, by name. */
  readonly update: Document;
  readonly before: Document;
  readonly after: Document;
  /** The image that a repeat would be answered with; undefined without a transaction number. */
  readonly image?: 'before' | 'after' | undefined;
  /** Whether it has a transaction number, so that a server can tell a repeat. */
  readonly isNumbered: boolean;
};

/** The bytes that one write leaves on a mongod. */
export type WrittenBytes = {
  /** In the document, as WiredTiger gets them. */
  readonly change: number;
  /** In the entry of the set's log, which every member stores. */
  readonly entry: number;
  /** In the document once more, in `config.image_collection`. */
  readonly image: number;
};

/** A part of a document that changed: what is deleted, updated and inserted in it, and the parts below. */
type Diff = {
  readonly d: Record<string, false>;
  readonly u: Record<string, unknown>;
  readonly i: Record<string, unknown>;
  readonly below: Map<string, Diff | Appended>;
};

/** Items that were added at the end of a list. */
type Appended = Readonly<Record<string, unknown>>;

/**
 * Works out what a write leaves on a mongod, by the rules of its source. None was measured.
 *
 * Sources, in mongodb/mongo under src/mongo/db: `logUpdate` in update/modifier_node.cpp and its kinds
 * (arithmetic_node, compare_node and set_node log nothing that stays the same; array_culling_node logs the
 * whole list that remains after a `$pull`; push_node logs the items alone where it appends, and the whole
 * list where it cuts one or begins one; unset_node a name); update/v2_log_builder.cpp for the form of an
 * entry; repl/oplog_entry.idl for its other fields; op_observer, `writeToImageCollection`; `updateRecord`
 * in storage/wiredtiger/wiredtiger_record_store.cpp.
 */
export function writtenBy(write: Write): WrittenBytes {
  const { image, before, after } = write;
  return {
    change: changeBytes(before, after),
    entry: sizeOf(entryOf(write)),
    image: image === undefined ? 0 : sizeOf(imageOf(image === 'before' ? before : after)),
  };
}

/** A server stores and logs nothing of an update that matched or changed nothing. */
export function isEffective({ before, after }: Write): boolean {
  return !isSame(before, after);
}

/** The difference as an entry of version 2 has it: `d`, `u`, `i`, and `s` before the name of a part. */
export function differenceOf({ update, before, after }: Write): Document {
  const root = emptyDiff();
  for (const [operator, fields] of Object.entries(update))
    for (const [path, operand] of pathsIn(fields))
      log(root, operator, path.split('.'), operand, before, after);
  return written(root);
}

function pathsIn(fields: unknown): readonly (readonly [string, unknown])[] {
  return fields instanceof Map
    ? [...(fields as ReadonlyMap<string, unknown>)]
    : Object.entries(fields as Document);
}

function log(
  root: Diff,
  operator: string,
  path: readonly string[],
  operand: unknown,
  before: Document,
  after: Document,
): void {
  const [was, is] = [at(before, path), at(after, path)];
  if (isSame(was, is)) return;
  const last = path.length - 1;
  const known = path.findIndex((_, depth) => at(before, path.slice(0, depth + 1)) === undefined);
  // New parts are logged whole, from the first part of its path that was not there.
  const depth = known === -1 ? last : known;
  const name = path[depth] ?? '';
  const parent = path.slice(0, depth).reduce(partOf, root);
  if (known !== -1) parent.i[name] = at(after, path.slice(0, depth + 1));
  else if (is === undefined) parent.d[name] = false;
  else if (operator === '$push' && isAppended(was, is, pushedBy(operand)))
    parent.below.set(name, appended(was as readonly unknown[], is as readonly unknown[]));
  else parent.u[name] = is;
}

function emptyDiff(): Diff {
  return { d: {}, u: {}, i: {}, below: new Map() };
}

function partOf(diff: Diff, name: string): Diff {
  const part = (diff.below.get(name) as Diff | undefined) ?? emptyDiff(); // no path leads through a list
  diff.below.set(name, part);
  return part;
}

function written({ d, u, i, below }: Diff): Document {
  const parts = [...below].map(([name, part]) => [
    `s${name}`,
    'd' in part ? written(part as Diff) : part,
  ]);
  const filled = Object.entries({ d, u, i }).filter(([, fields]) => Object.keys(fields).length > 0);
  return Object.fromEntries([...filled, ...parts]) as Document;
}

function pushedBy(operand: unknown): number {
  const { $each } = (operand ?? {}) as { readonly $each?: readonly unknown[] };
  return $each?.length ?? 1;
}

/** A list that was empty is logged whole, and so is one of which something was cut. */
function isAppended(was: unknown, is: unknown, pushed: number): boolean {
  return (
    Array.isArray(was) && Array.isArray(is) && was.length > 0 && is.length === was.length + pushed
  );
}

function appended(was: readonly unknown[], is: readonly unknown[]): Appended {
  const items = is.slice(was.length).map((item, index) => [`u${was.length + index}`, item]);
  return { a: true, ...(Object.fromEntries(items) as Document) };
}

function entryOf(write: Write): Document {
  const now = new Date(0);
  const time = { ts: new Timestamp({ t: 1, i: 1 }), t: Long.ONE };
  const numbered = {
    lsid: { id: new UUID(), uid: new BSON.Binary(new Uint8Array(32)) },
    txnNumber: Long.ONE,
  };
  const repeatable = { stmtId: 0, prevOpTime: time };
  return {
    ...(write.isNumbered ? numbered : {}),
    op: 'u',
    ns: 'headroom.counters',
    ui: new UUID(),
    o: { $v: 2, diff: differenceOf(write) },
    o2: { _id: write.before._id as unknown },
    ...(write.isNumbered ? repeatable : {}),
    ...(write.image === undefined ? {} : { needsRetryImage: imageKind(write.image) }),
    ...time,
    v: Long.fromNumber(2),
    wall: now,
  };
}

function imageKind(image: 'before' | 'after'): string {
  return image === 'before' ? 'preImage' : 'postImage';
}

function imageOf(image: Document): Document {
  return {
    _id: { id: new UUID(), uid: new BSON.Binary(new Uint8Array(32)) },
    txnNum: Long.ONE,
    ts: new Timestamp({ t: 1, i: 1 }),
    imageKind: 'postImage',
    image,
    invalidated: false,
  };
}

/** Up to here WiredTiger gets a document whole; and where the changes are more than a tenth, or than 16. */
const WHOLE_BYTES = 1_024;
const CHANGED_PART = 10;
const CHANGES_MAX = 16;

function changeBytes(before: Document, after: Document): number {
  const [old, whole] = [sizeOf(before), sizeOf(after)];
  const most = Math.floor(whole / CHANGED_PART);
  const changes = changesIn(before, after);
  const bytes = changes.reduce((sum, one) => sum + one, 0);
  const isSmall = whole > WHOLE_BYTES && whole <= old + most;
  return isSmall && bytes <= most && changes.length <= CHANGES_MAX ? bytes : whole;
}

/** A document whose values may be anything. */
type Fields = Readonly<Record<string, unknown>>;

/** The bytes of each field, at whatever depth, that is new or has another value. */
function changesIn(before: Document, after: Document): readonly number[] {
  return Object.entries(after as Fields).flatMap(([name, is]) => {
    const was = (before as Fields)[name];
    if (isSame(was, is)) return [];
    if (isParent(was) && isParent(is)) return changesIn(was, is);
    return [sizeOf({ [name]: is }) - sizeOf({})];
  });
}

function isParent(value: unknown): value is Document {
  if (typeof value !== 'object' || value === null || value instanceof Date) return false;
  return !('_bsontype' in value);
}

function at(document: Document, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (part, name) => (isParent(part) ? (part[name] as unknown) : undefined),
    document,
  );
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === undefined || other === undefined) return one === other;
  return Buffer.compare(BSON.serialize({ one }), BSON.serialize({ one: other })) === 0;
}

function sizeOf(document: Document): number {
  return BSON.calculateObjectSize(document);
}
