import type { Collection, Document, FindOneAndUpdateOptions } from 'mongodb';
import { BSON } from 'mongodb';
import type { CounterDocument } from '../../lib/limits/mongo-counter-store.ts';

/**
 * A collection whose every update is answered as one that the driver repeated after its first answer
 * was lost: with the stored image, without the projection. An update that changed nothing is not
 * remembered, so that its repeat is carried out and answers as it should.
 * Source: mongodb/mongo, write_ops_retryability.cpp, `parseOplogEntryForFindAndModify`.
 *
 * @param meanwhile what happens between the update and the repeat
 */
export function repeatedWrites(
  collection: Collection<CounterDocument>,
  meanwhile: () => Promise<void> = () => Promise.resolve(),
): Collection<CounterDocument> & { readonly images: () => number } {
  let images = 0;
  const repeated = async (
    filter: Document,
    update: Document | Document[],
    { projection, ...options }: FindOneAndUpdateOptions,
  ): Promise<unknown> => {
    const before = await bytesOf(collection, filter._id);
    const image = await collection.findOneAndUpdate(filter, update, {
      ...options,
      includeResultMetadata: false,
    });
    if ((await bytesOf(collection, filter._id)) === before)
      return collection.findOneAndUpdate(filter, update, {
        ...options,
        ...(projection === undefined ? {} : { projection }),
        includeResultMetadata: false,
      });
    images += 1;
    await meanwhile();
    return image;
  };
  return Object.assign(updatingBy(collection, repeated), { images: () => images });
}

/**
 * A collection whose every update is sent twice, and answered as the second: of one that changed nothing
 * the first copy is still on its way, for a server remembers only what changed something.
 *
 * @param onTheWay is given what carries out such a copy
 */
export function doubledWrites(
  collection: Collection<CounterDocument>,
  onTheWay: (arrive: () => Promise<unknown>) => void,
): Collection<CounterDocument> {
  const doubled = async (
    filter: Document,
    update: Document | Document[],
    options: FindOneAndUpdateOptions,
  ): Promise<unknown> => {
    const send = () =>
      collection.findOneAndUpdate(filter, update, { ...options, includeResultMetadata: false });
    const before = await bytesOf(collection, filter._id);
    const answer = await send();
    if ((await bytesOf(collection, filter._id)) === before) onTheWay(send);
    return answer;
  };
  return updatingBy(collection, doubled);
}

async function bytesOf(collection: Collection<CounterDocument>, _id: unknown): Promise<string> {
  const found = await collection.findOne({ _id: String(_id) }, { promoteValues: false });
  return Buffer.from(BSON.serialize(found ?? {})).toString('hex');
}

/** The collection with another `findOneAndUpdate`. */
function updatingBy(
  collection: Collection<CounterDocument>,
  findOneAndUpdate: (
    filter: Document,
    update: Document | Document[],
    options: FindOneAndUpdateOptions,
  ) => Promise<unknown>,
): Collection<CounterDocument> {
  return new Proxy(collection, {
    get(target, name): unknown {
      if (name === 'findOneAndUpdate') return findOneAndUpdate;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
