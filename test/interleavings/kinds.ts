/** Which stories are told: of how many documents, and how they are written. */
import type { SceneKind } from './random-scene.ts';

export const KINDS: readonly SceneKind[] = [
  ...([1, 2, 3] as const).map((documents) => ({ documents, isOneCommit: false })),
  ...([2, 3] as const).map((documents) => ({ documents, isOneCommit: true })),
];
