import type { Freeze, Override, Terms } from '../rule/own-terms.ts';

import type { Whole } from './update.ts';

/** A subject's terms as they are stored; null for a maximum is none. */
export type StoredTerms<Integer = Whole> = {
  readonly version: string;
  readonly freeze?: Freeze;
  readonly overrides?: readonly (Omit<Override, 'max'> & {
    readonly amount?: Integer | null;
    readonly count?: Integer | null;
  })[];
};

/** Reads terms as they are stored. */
export function readTerms({ version, freeze, overrides = [] }: StoredTerms): Terms {
  return {
    version,
    ...(freeze === undefined ? {} : { freeze }),
    overrides: overrides.map(({ amount, count, ...override }) => ({
      ...override,
      max: {
        ...(amount === undefined ? {} : { amountMinor: numberOrNull(amount) }),
        ...(count === undefined ? {} : { count: numberOrNull(count) }),
      },
    })),
  };
}

/** Writes terms as they are stored. */
export function storedTerms({ version, freeze, overrides }: Terms): StoredTerms<bigint> {
  return {
    version,
    ...(freeze === undefined ? {} : { freeze }),
    overrides: overrides.map(({ max, ...override }) => ({
      ...override,
      ...(max.amountMinor === undefined ? {} : { amount: wholeOrNull(max.amountMinor) }),
      ...(max.count === undefined ? {} : { count: wholeOrNull(max.count) }),
    })),
  };
}

function numberOrNull(whole: Whole | null): number | null {
  return whole === null ? null : Number(whole.toString());
}

function wholeOrNull(number: number | null): bigint | null {
  return number === null ? null : BigInt(number);
}
