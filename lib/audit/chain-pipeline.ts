/**
 * Reads the rows in the chain of one document, each with its place there.
 *
 * 1. Rows that have a place in it.
 * 2. In the order of their places; two at one place by their names.
 */
export function chainPipeline(document: string): readonly object[] {
  const isIts = { $eq: ['$$link.document', { $literal: document }] };
  const place = { $first: { $filter: { input: '$links', as: 'link', cond: isIts } } };
  return [
    { $match: { 'links.document': document } },
    { $set: { place } },
    { $sort: { 'place.sequence': 1, _id: 1 } },
  ];
}
