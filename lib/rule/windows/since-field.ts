import { objectOf, textOf } from '../../schema/fields.ts';
import { ATTRIBUTE_EXPECTED, isAttributeName } from '../../shared/names.ts';

/** The attribute by which each order says an instant. `at` is which, in a rule as it is for one order. */
export type Since = { readonly attribute: string; readonly at?: Date };

/** The field `since` of a window. */
export const sinceField = (description: string) =>
  objectOf(description, {
    attribute: textOf(
      'Name',
      isAttributeName,
      ATTRIBUTE_EXPECTED,
      'The name of an attribute whose value is an instant, such as `2026-11-24T10:00:00Z`.',
    ),
  });

/** Names it within a counter's digest: orders with other instants have another counter. */
export function sinceKey({ attribute, at }: Since): readonly string[] {
  return ['since', attribute, at?.toISOString() ?? ''];
}
