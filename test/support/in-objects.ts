import type { Update } from '../../lib/document/update.ts';

/** An update all of whose operators have objects, as a server reads them. */
export type UpdateInObjects = Omit<Update, 'update'> & {
  readonly update: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

/** An update with an object in place of each map. */
export function inObjects(update: Update): UpdateInObjects {
  const operators = Object.entries(update.update).map(([operator, fields]) => [
    operator,
    fields instanceof Map ? (Object.fromEntries(fields) as object) : fields,
  ]);
  return { ...update, update: Object.fromEntries(operators) as UpdateInObjects['update'] }; // by construction
}
