import { NEVER } from '../../shared/bounds.ts';
import type { Period } from '../zoned.ts';
import type { WindowKind } from './window-kind.ts';

/** All time. */
export type LifetimeWindow = { readonly kind: 'lifetime' };

const ALWAYS: Period = { start: new Date(0), until: NEVER };

/** The kind `lifetime`: its one window is never over. */
export const lifetime = {
  key: () => 'lifetime',
  placing: { kind: 'fixed', periodAt: () => ALWAYS },
  begins: false,
  text: { en: () => 'ever', zh: () => '累计' },
  answer: () => ({ kind: 'lifetime' }) as const,
} satisfies WindowKind<LifetimeWindow>;
