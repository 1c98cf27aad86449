import type { Mistake } from '../shared/errors.ts';
import { readHeader } from './headers.ts';
import { mistakeAt, ownField } from './mistakes.ts';

/** What headers say of the state that a change is for, as a direct invocation says it. */
export function conditionFields(headers: unknown): object {
  const ifMatch = readHeader(headers, 'If-Match');
  const ifNoneMatch = readHeader(headers, 'If-None-Match');
  return {
    ...(ifMatch === undefined ? {} : { ifMatch }),
    ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }),
  };
}

/** A change is for what is there, or for nothing. */
export function bothConditions(value: unknown): readonly Mistake[] {
  const other = ownField(value, 'ifNoneMatch');
  if (other === undefined || ownField(value, 'ifMatch') === undefined) return [];
  return [mistakeAt(['ifNoneMatch'], other, 'either ifMatch or ifNoneMatch')];
}
