import { objectOf, textOf } from '../../schema/fields.ts';
import type { Find, Wrong } from '../../schema/mistakes.ts';
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

/** Attributes are no subjects: an order cannot have both. */
export function* wrongSince(find: Find): Generator<Wrong> {
  const attribute = find('window', 'since', 'attribute');
  const per = find('per');
  if (Array.isArray(per) && per.includes(attribute))
    yield [['window', 'since', 'attribute'], 'an attribute, and no kind of `per`'];
}

/** Names it within a counter's digest: orders with other instants have another counter. */
export function sinceKey({ attribute, at }: Since): readonly string[] {
  return ['since', attribute, at?.toISOString() ?? ''];
}
