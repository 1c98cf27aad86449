/** Which changes of rules are asked for: of one rule or of all, and before a version or all. */
export function versionFilter({ id, before }: { readonly id?: string; readonly before?: number }): {
  readonly rule?: string;
  readonly version?: { readonly $lt: number };
} {
  return {
    ...(id === undefined ? {} : { rule: id }),
    ...(before === undefined ? {} : { version: { $lt: before } }),
  };
}
