import { isDeepStrictEqual } from 'node:util';

/** One field of a rule that is another: `max.amount`, with what it was and what it is. */
export type FieldChange = {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
};

/** Fields that two forms of a rule do not share, as deep as both are objects. */
export function fieldChanges(before: object, after: object, path = ''): readonly FieldChange[] {
  const were = new Map<string, unknown>(Object.entries(before));
  const are = new Map<string, unknown>(Object.entries(after));
  return [...new Set([...were.keys(), ...are.keys()])].flatMap((name): readonly FieldChange[] => {
    const at = path === '' ? name : `${path}.${name}`;
    const was = were.get(name);
    const is = are.get(name);
    if (isDeepStrictEqual(was, is)) return [];
    if (isObject(was) && isObject(is)) return fieldChanges(was, is, at);
    return [{ path: at, before: was, after: is }];
  });
}

/** Says whether a value has fields: it is no list. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
