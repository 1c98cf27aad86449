import type { PipelineStage } from './expression.ts';
import {
  when,
  orEmpty,
  each,
  isIn,
  isTrueOfAny,
  laidOver,
  updating,
  writing,
} from './expression.ts';

const isMine = isIn({ id: '$$hold.id', nonce: '$$hold.nonce' }, '$work.request.holds');

const complete = updating(
  [],
  writing(isTrueOfAny(orEmpty('$holds'), 'hold', isMine), {
    holds: each('$holds', 'hold', when(isMine, laidOver('$$hold', { pending: false }), '$$hold')),
  }),
);

/**
 * The update that completes many checks over several documents: home's holds are no longer pending,
 * where they are still the holds of these calls.
 */
export function completeManyPipeline(
  holds: readonly { readonly id: string; readonly nonce: string }[],
): readonly PipelineStage[] {
  return complete({ holds }, null);
}
