import type { Expression, PipelineStage } from '../mongo/expression.ts';
import { equal, first, literal, those } from '../mongo/expression.ts';

/**
 * Reads the rows in the chain of one document.
 *
 * 1. Rows that have a place in it.
 * 2. In the order of their places; two at one place by their names.
 */
export function chainPipeline(document: string): readonly PipelineStage[] {
  const place: Expression = first(
    those('$links', 'link', equal('$$link.document', literal(document))),
  );
  return [
    { $match: { 'links.document': document } },
    { $set: { place } },
    { $sort: { 'place.sequence': 1, _id: 1 } },
    { $unset: 'place' },
  ];
}
