import * as z from 'zod/mini';
import type { Mistake } from '../shared/errors.ts';
import { mistakeAt, ownField } from './mistakes.ts';
import { said } from './said.ts';

/** Only where there is nothing yet. */
export const ifNoneMatch = () =>
  z.optional(
    said(
      z.literal('*', { error: '*, for what is not there yet' }),
      '`*`: only where there is none yet. Never beside `If-Match`.',
    ),
  );

/** A change is for what is there, or for nothing. */
export function bothConditions(value: unknown): readonly Mistake[] {
  const other = ownField(value, 'ifNoneMatch');
  if (other === undefined || ownField(value, 'ifMatch') === undefined) return [];
  return [mistakeAt(['ifNoneMatch'], other, 'either ifMatch or ifNoneMatch')];
}
