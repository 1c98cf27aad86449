import type { Expression, PipelineStage } from './expression.ts';
import { when, orEmpty, each, isIn, isTrueOfAny, laidOver, updating } from './expression.ts';

/**
 * The update that completes many checks over several documents: home's holds are no longer pending,
 * where they are still the holds of these calls.
 */
export function completeManyPipeline(
  holds: readonly { readonly id: string; readonly nonce: string }[],
): readonly PipelineStage[] {
  const isMine = (hold: string): Expression =>
    isIn({ id: `${hold}.id`, nonce: `${hold}.nonce` }, '$work.request.holds');
  const completed = when(
    isTrueOfAny(orEmpty('$holds'), 'hold', isMine('$$hold')),
    {
      holds: each(
        '$holds',
        'hold',
        when(isMine('$$hold'), laidOver('$$hold', { pending: false }), '$$hold'),
      ),
    },
    null,
  );
  return updating({ holds }, null, [{ change: completed }], {});
}
