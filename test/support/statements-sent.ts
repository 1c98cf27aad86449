import { UndecidedError } from '../../lib/shared/errors.ts';
import { hasId } from '../../lib/document/conditions.ts';
import type { StoredDocument } from '../../lib/document/stored.ts';
import type { CounterStore } from '../../lib/document/counter-store.ts';
import { inObjects } from './in-objects.ts';
import { countersWithoutCommits } from './mingo-store.ts';
import { PLAIN_ON } from './lanes.ts';

/** A statement as it is sent: what it is, and its parts by name. */
export type Sent = {
  readonly kind: 'update' | 'make' | 'find';
  readonly parts: Readonly<Record<string, unknown>>;
};

/**
 * Lists what a call sends until it is answered. Updates match nothing, so every statement of the call
 * comes, one after the other.
 *
 * @param documents what is read, one read after the other; the last of them again and again
 */
export async function statementsOf(
  call: (counters: CounterStore) => Promise<unknown>,
  documents: readonly StoredDocument[] = [],
): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  let reads = 0;
  const read = (): StoredDocument => documents[Math.min(reads++, documents.length - 1)] ?? {};
  const counters = countersWithoutCommits(
    {
      update: (asked) => {
        const { filter, update, returns, upsert } = inObjects(asked);
        const options = upsert === undefined ? {} : { upsert };
        const shown = returns && {
          returnDocument: returns.document,
          projection: returns.projection,
        };
        sent.push({ kind: 'update', parts: { filter, update, ...options, ...shown } });
        return Promise.resolve(undefined);
      },
      make: (_id, pipeline, projection) => {
        const options = { upsert: true, returnDocument: 'after' };
        sent.push({ kind: 'make', parts: { filter: { _id }, pipeline, ...options, projection } });
        return Promise.resolve(read());
      },
      find: (documentIds, projection) => {
        sent.push({ kind: 'find', parts: { filter: hasId(documentIds), projection } });
        return Promise.resolve(
          documents.length === 0 ? [] : documentIds.map((_id) => ({ _id, ...read() })),
        );
      },
      now: () => Promise.resolve(undefined),
      pause: () => Promise.resolve(),
    },
    { lanes: PLAIN_ON },
  );
  // A call whose updates never match ends as one that others keep overtaking does.
  await call(counters).catch((error: unknown) => {
    if (!(error instanceof UndecidedError)) throw error;
  });
  return sent;
}
