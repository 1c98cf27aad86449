import { BSON } from 'bson';
import { decodeDocument, type Command } from './command.ts';

/** The change of a statement, as MongoDB's oplog remembers it for a repeat. */
export type Effect =
  | { readonly kind: 'inserted' | 'updated' | 'deleted' }
  | { readonly kind: 'upserted'; readonly id: unknown }
  | {
      readonly kind: 'found';
      readonly lastErrorObject: unknown;
      /** The document before or after; null where there was none, absent where nobody kept it. */
      readonly image?: Buffer | null;
    };

/** A statement that failed. */
type WriteError = { readonly index: unknown };

/** An answer to a batch, as far as it counts. Numbers are BSON values. */
export type BatchReply = {
  readonly n?: unknown;
  readonly nModified?: unknown;
  readonly upserted?: readonly { readonly index: unknown; readonly _id: unknown }[];
  readonly writeErrors?: readonly WriteError[];
};

/** Which statements of a batch that ran as a whole changed something: all that did not fail, of an insert. */
export function effectsOfInsert(
  { writeErrors = [] }: BatchReply,
  count: number,
  isOrdered: boolean,
): ReadonlyMap<number, Effect> {
  const failed = new Set(writeErrors.map(({ index }) => Number(index)));
  const end = isOrdered ? Math.min(count, ...failed) : count;
  const done = Array.from({ length: end }, (_, index) => index).filter(
    (index) => !failed.has(index),
  );
  return new Map(done.map((index) => [index, { kind: 'inserted' }]));
}

/** The change of one update or delete; undefined if it changed nothing. */
export function effectOf(
  { name }: Pick<Command, 'name'>,
  { n, nModified, upserted = [] }: BatchReply,
): Effect | undefined {
  const [created] = upserted;
  if (created !== undefined) return { kind: 'upserted', id: created._id };
  if (name === 'update') return Number(nModified ?? 0) > 0 ? { kind: 'updated' } : undefined;
  return Number(n ?? 0) > 0 ? { kind: name === 'insert' ? 'inserted' : 'deleted' } : undefined;
}

/** The part of one statement in the answer to a batch. */
export type Part = { readonly index: number; readonly isRepeated: boolean } & (
  | { readonly effect: Effect }
  | { readonly reply: BatchReply }
);

/**
 * The answer to a batch of which statements were done before: their effects count as if they had
 * happened now, and `retriedStmtIds` names them.
 * Source: mongodb/mongo, write_ops_retryability.cpp, `parseOplogEntryForUpdate`; write_ops_exec.cpp.
 */
export function joinParts({ name }: Pick<Command, 'name'>, parts: readonly Part[]): Uint8Array {
  const replies = parts.map((part) =>
    'reply' in part ? part.reply : replyOf(part.effect, part.index),
  );
  const sum = (pick: (reply: BatchReply) => unknown) =>
    replies.reduce((total, reply) => total + Number(pick(reply) ?? 0), 0);
  const places = replies.map((reply, place) => ({ reply, index: parts[place]?.index ?? place }));
  const upserted = places.flatMap(({ reply, index }) =>
    (reply.upserted ?? []).map(({ _id }) => ({ index, _id })),
  );
  const writeErrors = places.flatMap(({ reply, index }) =>
    (reply.writeErrors ?? []).map((error) => ({ ...error, index })),
  );
  const repeated = parts.flatMap(({ index, isRepeated }) => (isRepeated ? [index] : []));
  return BSON.serialize({
    n: sum(({ n }) => n),
    ...(name === 'update' ? { nModified: sum(({ nModified }) => nModified) } : {}),
    ...(upserted.length > 0 ? { upserted } : {}),
    ...(writeErrors.length > 0 ? { writeErrors } : {}),
    ...(repeated.length > 0 ? { retriedStmtIds: repeated } : {}),
    ok: 1,
  });
}

function replyOf(effect: Effect, index: number): BatchReply {
  if (effect.kind === 'updated') return { n: 1, nModified: 1 };
  if (effect.kind === 'upserted')
    return { n: 1, nModified: 0, upserted: [{ index, _id: effect.id }] };
  return { n: 1 };
}

/** The answer to a repeated findAndModify. Source: the same, `parseOplogEntryForFindAndModify`. */
export function repeatedReply(lastErrorObject: unknown, image: Buffer | null): Uint8Array {
  return BSON.serialize({
    lastErrorObject,
    value: image === null ? null : decodeDocument(image),
    retriedStmtId: 0,
    ok: 1,
  });
}
