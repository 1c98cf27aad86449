/** An object without its members that are undefined. */
type Present<T> = {
  readonly [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name];
} & {
  readonly [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<
    T[Name],
    undefined
  >;
};

/** Leaves out members that are undefined, which would be stored as null. */
export function present<T extends object>(fields: T): Present<T> {
  const said = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(said) as Present<T>; // as its type says
}
