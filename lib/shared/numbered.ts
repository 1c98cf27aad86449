/** So many of something: `1 row`, `2 rows`. */
export function numbered(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
