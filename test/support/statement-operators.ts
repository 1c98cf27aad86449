/** The operators of a statement: keys that begin with a dollar sign, anywhere but inside of literals. */
export function operatorsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(operatorsIn);
  if (value === null || typeof value !== 'object' || value instanceof Date) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(key.startsWith('$') ? [key] : []),
    ...(key === '$literal' ? [] : operatorsIn(inner)),
  ]);
}
