import type { Db } from 'mongodb';

const PAGE = 1_000;

/**
 * Names every `_id` of a collection, in their order, a page at a time. A cursor over all of them would
 * outlive its session if the work on a page takes long: 30 minutes without a word end it.
 * Source: MongoDB manual, "Server Sessions", `localLogicalSessionTimeoutMinutes`.
 */
export async function* allIds(db: Db, name: string): AsyncGenerator<string> {
  const collection = db.collection<{ readonly _id: string }>(name);
  for (let after: string | undefined = ''; after !== undefined;) {
    const page: readonly { readonly _id: string }[] = await collection
      .find(
        { _id: { $gt: after } },
        { projection: { _id: 1 }, sort: { _id: 1 }, limit: PAGE, batchSize: PAGE },
      )
      .toArray();
    for (const { _id } of page) yield _id;
    after = page.length < PAGE ? undefined : page.at(-1)?._id;
  }
}
