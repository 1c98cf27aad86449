import type { Db } from 'mongodb';

const PAGE = 1_000;

/**
 * Names every `_id` in order. It reads pages, because an idle cursor ends with its session after 30 minutes.
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
