import type { Db } from 'mongodb';
import { auditCollection } from './mongo-audit-store.ts';

/** Writes of a home that no row tells of, among those that rows number. */
export type Gap = {
  readonly document: string;
  /** The first and the last of its writes that rows number. */
  readonly first: number;
  readonly last: number;
  readonly missing: number;
};

type GapFound = Gap & { readonly _id: string };

/**
 * Finds documents of which rows were lost: each write of a home has a row with its number. Documents that were beside
 * the home of some order are left out, because what was given back there has no row.
 *
 * @param document only this one
 */
export function findGaps(db: Db, document?: string): AsyncIterable<Gap> {
  const ofDocument = document === undefined ? {} : { subjectIds: document };
  const found = auditCollection(db).aggregate<GapFound>(
    [
      { $match: { effective: true, 'documents.0': { $exists: true }, ...ofDocument } },
      { $project: { documents: 1, q: 1 } },
      { $unwind: { path: '$documents', includeArrayIndex: 'place' } },
      { $match: document === undefined ? {} : { documents: document } },
      {
        $project: {
          documents: 1,
          isBeside: { $gt: ['$place', 0] },
          number: { $arrayElemAt: [{ $ifNull: ['$q', []] }, { $toInt: '$place' }] },
        },
      },
      // Orders of one call have one write. A row that a repeat wrote has no number.
      {
        $group: {
          _id: { document: '$documents', number: { $ifNull: ['$number', 0] } },
          rows: { $sum: 1 },
          isBeside: { $max: '$isBeside' },
        },
      },
      {
        $group: {
          _id: '$_id.document',
          isBeside: { $max: '$isBeside' },
          first: { $min: { $cond: [{ $gt: ['$_id.number', 0] }, '$_id.number', null] } },
          last: { $max: '$_id.number' },
          told: { $sum: { $cond: [{ $gt: ['$_id.number', 0] }, 1, '$rows'] } },
        },
      },
      { $match: { isBeside: false, last: { $gt: 0 } } },
      {
        $project: {
          _id: 0,
          document: '$_id',
          first: 1,
          last: 1,
          missing: { $subtract: [{ $add: [{ $subtract: ['$last', '$first'] }, 1] }, '$told'] },
        },
      },
      { $match: { missing: { $gt: 0 } } },
      { $sort: { document: 1 } },
    ],
    { allowDiskUse: true, readPreference: 'secondaryPreferred' },
  );
  return found;
}
