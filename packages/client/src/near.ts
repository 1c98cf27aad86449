import type { NearShare } from './answers.ts';

/** Which rows of those near a maximum are asked for. */
export type NearRequest = {
  readonly rule?: string | undefined;
  /** A kind of subject. */
  readonly kind?: string | undefined;
  /** At least so much of the maximum; 0.8 where nothing is said. */
  readonly share?: NearShare | undefined;
  /** 1 to 100; 20 where nothing is said. */
  readonly limit?: number | undefined;
  /** The `next` of the page before. */
  readonly next?: string | undefined;
};
