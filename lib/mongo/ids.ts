/** The filter of documents that are looked at. */
export const amongIds = (ids: readonly string[]) => ({ _id: { $in: [...ids] } });

/** The documents beyond one, by their ids: the next page of a walk. */
export const beyondId = (id: string) => ({ _id: { $gt: id } });

/** Names documents that rows tell of, in order: so many, beyond the last one of the page before. */
export function recordedDocuments(after: string, limit: number): readonly object[] {
  return [
    { $match: { effective: true } },
    { $unwind: '$documents' },
    { $match: { documents: { $gt: after } } },
    { $group: { _id: '$documents' } },
    { $sort: { _id: 1 } },
    { $limit: limit },
  ];
}

/** Finds the rows that changed something for some orders of one application. */
export function effectsOfOrders(appId: string, orderIds: readonly string[]) {
  return { appId, orderId: { $in: orderIds }, effective: true };
}
