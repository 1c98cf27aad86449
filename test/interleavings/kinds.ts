/** Which stories are told: of how many documents, and how they are written. */
import type { SceneKind } from './random-scene.ts';

/** How many documents an order may have where each is written by itself. */
export const WIDTHS: readonly SceneKind['documents'][] = [1, 2, 3];

/** How many documents an order may have where all are written in one commit. */
export const COMMIT_WIDTHS: readonly SceneKind['documents'][] = [2, 3];

export const KINDS: readonly SceneKind[] = [
  ...WIDTHS.map((documents) => ({ documents, isOneCommit: false })),
  ...COMMIT_WIDTHS.map((documents) => ({ documents, isOneCommit: true })),
];
