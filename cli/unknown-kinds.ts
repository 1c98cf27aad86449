import type { UnknownKind } from '../packages/client/src/index.ts';

/** Says which subject kinds no rule knows, a line each; most likely they are mistyped. */
export function unknownKindsText(kinds: readonly UnknownKind[] = []): string {
  return kinds
    .map(
      ({ kind, nearest }) =>
        `No rule knows the subject kind ${kind}. Nearest to it: ${nearest.join(', ')}.\n`,
    )
    .join('');
}
