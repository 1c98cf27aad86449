import type { Collection, Document, FindOneAndUpdateOptions } from 'mongodb';
import { BSON } from 'mongodb';
import type { CounterDocument } from '../../lib/store/mongo-counter-store.ts';

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
  const bytesOf = async (_id: unknown): Promise<string> => {
    const found = await collection.findOne({ _id: String(_id) }, { promoteValues: false });
    return Buffer.from(BSON.serialize(found ?? {})).toString('hex');
  };
  const repeated = async (
    filter: Document,
    update: Document | Document[],
    { projection, ...options }: FindOneAndUpdateOptions,
  ): Promise<unknown> => {
    const before = await bytesOf(filter._id);
    const image = await collection.findOneAndUpdate(filter, update, {
      ...options,
      includeResultMetadata: false,
    });
    if ((await bytesOf(filter._id)) === before)
      return collection.findOneAndUpdate(filter, update, {
        ...options,
        ...(projection === undefined ? {} : { projection }),
        includeResultMetadata: false,
      });
    images += 1;
    await meanwhile();
    return image;
  };
  return new Proxy(collection, {
    get(target, name): unknown {
      if (name === 'findOneAndUpdate') return repeated;
      if (name === 'images') return () => images;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  }) as Collection<CounterDocument> & { readonly images: () => number }; // with one method more
}
