import type { Filter, Update } from '../../lib/document/update.ts';

/** The operators of a statement: keys that begin with a dollar sign, anywhere but inside of literals. */
export function operatorsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(operatorsIn);
  if (value === null || typeof value !== 'object' || value instanceof Date) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(key.startsWith('$') ? [key] : []),
    ...(key === '$literal' ? [] : operatorsIn(inner)),
  ]);
}

/** Whether an update settles: it asks for each word of a hold, or for the document as it was before. */
export function isTake({ filter: { $and = [], ...own }, returns }: Update): boolean {
  const conditions = [own, ...($and as readonly Filter[])];
  const asksForWords = conditions.some((one) =>
    Object.keys(one).some((path) => /^h\..*\.digest$/.test(path)),
  );
  return asksForWords || returns?.document === 'before';
}
