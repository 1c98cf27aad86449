/** A parameter of a statement: BSON goes in as binary, everything else as text. */
export type SqlValue = string | Buffer | null;

/** A value of a row: BSON comes back as `bytea`, booleans as such, 64-bit integers as text. */
export type SqlResult = Buffer | string | boolean | number | null;

/** Runs one statement and gives its rows. */
export type RunSql = (text: string, values: readonly SqlValue[]) => Promise<readonly SqlResult[][]>;

/** The document in one place of the first row; undefined where there is no row or no value. */
export function documentIn(rows: readonly SqlResult[][], column: number): Buffer | undefined {
  const value = rows[0]?.[column];
  return Buffer.isBuffer(value) ? value : undefined;
}
