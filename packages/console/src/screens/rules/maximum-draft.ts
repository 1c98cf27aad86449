/** A maximum as its fields have it: one for all, or one for each value of an attribute. Major units. */
export type MaximumDraft = {
  /** NaN where there is none. */
  readonly plain: number;
  /** `type`, an attribute or a subject kind; empty where it is the same for all. */
  readonly by: string;
  readonly values: { readonly value: string; readonly most: number }[];
  /** For all other values, and for none. */
  readonly otherwise: number;
};

const NONE: MaximumDraft = { plain: Number.NaN, by: '', values: [], otherwise: Number.NaN };

/** The fields of a stored maximum. */
export function maximumOf(stored: unknown, major: (minor: number) => number): MaximumDraft {
  const written = (value: unknown): number =>
    typeof value === 'number' ? major(value) : Number.NaN;
  if (typeof stored !== 'object' || stored === null) return { ...NONE, plain: written(stored) };
  const { by, else: otherwise, ...values } = stored as Readonly<Record<string, unknown>>; // of its type
  return {
    plain: Number.NaN,
    by: String(by),
    otherwise: written(otherwise),
    values: Object.entries(values).map(([value, most]) => ({ value, most: written(most) })),
  };
}

/** The maximum that fields say; undefined where they say none. */
export function maximumIn(
  { plain, by, values, otherwise }: MaximumDraft,
  minor: (major: number) => number,
): unknown {
  const written = (value: number): number | undefined =>
    Number.isNaN(value) ? undefined : minor(value);
  if (by.trim() === '') return written(plain);
  const rows = values.filter(({ value, most }) => value.trim() !== '' || !Number.isNaN(most));
  const said = rows.map(({ value, most }): [string, unknown] => [
    value.trim(),
    written(most) ?? null,
  ]);
  return { by: by.trim(), ...Object.fromEntries(said), else: written(otherwise) };
}
