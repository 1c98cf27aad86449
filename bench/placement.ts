import { seededChance } from './workload.ts';

/** Whether operations meet at one document or at many. */
export type Placement = { readonly name: 'distinct' | 'hot'; readonly subjects: number };

/** The two placements of the table: so many subjects, and one. */
export function placementsOf(subjects: number): readonly [Placement, Placement] {
  return [
    { name: 'distinct', subjects },
    { name: 'hot', subjects: 1 },
  ];
}

/** Open holds on the hot subject while checks are measured: many more than that are no payments. */
const HOT_SLICE_MAX = 128;

/** Bounds what one slice leaves open on the hot subject. */
export function sliceBound(name: Placement['name']): { readonly sliceMax?: number } {
  return name === 'hot' ? { sliceMax: HOT_SLICE_MAX } : {};
}

/** Untimed work shares the machine with nothing that is timed, so it may use all of it. */
export const UNTIMED_CALLERS = 16;

/** Draws the subject of each operation; every contender draws the same ones. */
export function subjectsOf({ name, subjects }: Placement): () => string {
  const chance = seededChance(20_260_101);
  return () => `${name}-${Math.floor(chance() * subjects)}`;
}
