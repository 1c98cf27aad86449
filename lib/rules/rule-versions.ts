/** Which changes of rules are asked for: of one rule or of all, and before a version or all. */
export function versionFilter({
  id,
  before,
}: {
  readonly id?: string;
  readonly before?: number | undefined;
}): {
  readonly rule?: string;
  readonly version?: { readonly $lt: number };
} {
  return {
    ...(id === undefined ? {} : { rule: id }),
    ...(before === undefined ? {} : { version: { $lt: before } }),
  };
}

/** A set as it was read; which file was loaded last may change without a revision. Null is none. */
export function stillFilter({
  revision,
  loaded,
}: {
  readonly revision: number;
  readonly loaded?: string;
}): Readonly<Record<string, unknown>> {
  return { revision, loaded: loaded ?? null };
}
