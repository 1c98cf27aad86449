import type { Filter, Update } from '../../lib/document/update.ts';

/**
 * The oldest MongoDB that has each operator that the core sends.
 * Source: MongoDB manual, "Query and Projection Operators", "Update Operators", "Aggregation Operators".
 */
export const SINCE: Readonly<Record<string, number>> = {
  // In filters.
  ...{ $ne: 2.0, $nin: 2.0, $in: 2.0, $not: 2.0, $gt: 2.0, $gte: 2.0, $and: 2.0 },
  ...{ $exists: 2.0, $elemMatch: 2.0, $expr: 3.6 },
  // In updates.
  ...{ $inc: 2.0, $push: 2.0, $pull: 2.0, $set: 2.0, $unset: 2.0 },
  ...{ $each: 2.4, $slice: 2.4, $setOnInsert: 2.4, $max: 2.6, $currentDate: 2.6 },
  // In what is worked out: $expr, projections, and the pipeline that makes a document.
  ...{ $lt: 2.2, $lte: 2.2, $eq: 2.2, $or: 2.2, $cond: 2.2, $ifNull: 2.2, $add: 2.2, $sum: 3.2 },
  ...{ $size: 2.6, $map: 2.6, $literal: 2.6, $filter: 3.2, $objectToArray: 3.4, $type: 3.4 },
  ...{ $arrayToObject: 3.4, $split: 3.4, $setIntersection: 2.6, $setIsSubset: 2.6, $let: 2.6 },
  ...{ $setUnion: 2.6, $setEquals: 2.6, $subtract: 2.2, $indexOfBytes: 3.4 },
  ...{ $mergeObjects: 3.6, $replaceWith: 4.2 },
};

/** The operators of a statement: keys that begin with a dollar sign, anywhere but inside of literals. */
export function operatorsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(operatorsIn);
  if (value === null || typeof value !== 'object' || value instanceof Date) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(key.startsWith('$') ? [key] : []),
    ...(key === '$literal' ? [] : operatorsIn(inner)),
  ]);
}

/** Whether an update settles: it asks for each word of a hold, or for the document as it was before. */
export function isTake({ filter: { $and = [], ...own }, returns }: Update): boolean {
  const conditions = [own, ...($and as readonly Filter[])];
  const asksForWords = conditions.some((one) =>
    Object.keys(one).some((path) => /^h\..*\.digest$/.test(path)),
  );
  return asksForWords || returns?.document === 'before';
}
