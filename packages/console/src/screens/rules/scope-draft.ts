import type { Value } from '../../ui/value.ts';
import { valuesIn, valueText } from '../../ui/value.ts';

type Fields = Readonly<Record<string, unknown>>;

/** One condition on payments as its row has it. */
export type ConditionDraft = {
  /** `type`, an attribute or a subject kind. */
  readonly name: string;
  readonly isNot: boolean;
  /** Separated by commas. */
  readonly values: string;
};

/** A new row, as it begins. */
export const NO_CONDITION: ConditionDraft = { name: 'type', isNot: false, values: '' };

/** The rows of a scope, those under `not` last. */
export function conditionsOf(scope: unknown): ConditionDraft[] {
  const { not, ...is } = (scope ?? {}) as Fields; // of the rule's type
  return [
    ...rowsOf(is, false),
    ...rowsOf((not ?? {}) as Fields, true), // likewise
  ];
}

function rowsOf(fields: Fields, isNot: boolean): readonly ConditionDraft[] {
  return Object.entries(fields).map(([name, value]) => ({
    name,
    isNot,
    values: ([value].flat() as Value[]).map(valueText).join(', '), // of the rule's type
  }));
}

/** The scope that rows say; undefined where there are none. Rows of one name are one condition. */
export function scopeIn(rows: readonly ConditionDraft[]): Fields | undefined {
  const is = fieldsIn(rows.filter(({ isNot }) => !isNot));
  const not = fieldsIn(rows.filter(({ isNot }) => isNot));
  const scope = { ...is, ...(Object.keys(not).length === 0 ? {} : { not }) };
  return Object.keys(scope).length === 0 ? undefined : scope;
}

function fieldsIn(rows: readonly ConditionDraft[]): Fields {
  const said = new Map<string, readonly Value[]>();
  for (const { name, values } of rows) {
    const key = name.trim();
    if (key !== '' || values.trim() !== '')
      said.set(key, [...(said.get(key) ?? []), ...valuesIn(values)]);
  }
  return Object.fromEntries(
    [...said].map(([name, all]) => [name, all.length === 1 ? all[0] : all]),
  );
}
