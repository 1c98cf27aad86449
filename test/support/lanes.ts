import fc from 'fast-check';
import type { Lanes } from '../../lib/document/counter-store.ts';
import { learningLanes } from '../../lib/document/statements.ts';

const unheard = { learn: () => undefined, note: () => undefined };

/** The plain lane is asked first, always. */
export const PLAIN_ON: Lanes = { ...unheard, takesPlain: () => true };

/** The plain lane is never asked. */
export const PLAIN_OFF: Lanes = { ...unheard, takesPlain: () => false };

/** The plain lane is asked first every other time or so; the same seed gives the same turns. */
export function lanesByChance(seed: number): Lanes {
  let state = seed >>> 0;
  const next = (): number => {
    // A step of a linear congruential generator, of which the highest bit is the best.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state;
  };
  const isLucky = (): boolean => next() >= 2 ** 31;
  return { ...unheard, takesPlain: isLucky };
}

/** Which lanes a story is played by, so that one that fails is repeated with the same. */
export type ChosenLanes = 'learning' | 'on' | 'off' | number;

/** A deployment's own lanes, the plain lane on, off, or by chance. */
export const chosenLanes: fc.Arbitrary<ChosenLanes> = fc.oneof(
  fc.constantFrom('learning' as const, 'on' as const, 'off' as const),
  { weight: 2, arbitrary: fc.nat() },
);

/** Makes the lanes that were chosen, for one store. */
export function lanesFor(chosen: ChosenLanes): Lanes {
  if (typeof chosen === 'number') return lanesByChance(chosen);
  switch (chosen) {
    case 'learning':
      return learningLanes();
    case 'on':
      return PLAIN_ON;
    case 'off':
      return PLAIN_OFF;
  }
}
