/** A number as people read it: `12,000`. */
export function numberText(number: number | bigint): string {
  return number.toLocaleString('en');
}

/** So many rows: `1 row`, `12,000 rows`. */
export function rowsText(rows: number): string {
  return `${numberText(rows)} ${rows === 1 ? 'row' : 'rows'}`;
}
