import type { Scene, SceneCall } from './scene.ts';

/** A scene without clocks ahead, of single statements, whose first order is confirmed at the end. */
export const PLAIN_SCENE = {
  onUndecided: 'refuse',
  isOneCommit: false,
  lanes: 'learning',
  aheadMs: 0,
  serversAheadMs: {},
  ending: { isLate: false, confirms: [0], arrives: false },
} as const satisfies Partial<Scene>;

export const check = (name: string, order = 0): SceneCall => ({ name, do: 'check', order });

/** Settles an order by its reservation. */
export const settle = (name: string, order: number, to: 'confirmed' | 'rolledBack'): SceneCall => ({
  ...{ name, do: 'settle', order, to, by: 'reservation' },
});

/** Makes the documents, so that the first statement of a check is not the one that makes them. */
export const making = (...documents: readonly string[]): readonly SceneCall[] =>
  documents.map((document) => ({ name: `makes ${document}`, do: 'sweep', document }));
