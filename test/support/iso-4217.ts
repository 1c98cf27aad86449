import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The list of ISO 4217 as its agency publishes it, in words of a line each. */
export const ISO_4217_TEXT = readFileSync(join(import.meta.dirname, 'iso-4217.txt'), 'utf8');

/** Every code of the list, with its digits after the point; undefined where ISO has none, as for gold. */
export const ISO_4217 = ISO_4217_TEXT.split('\n')
  .filter((line) => /^[A-Z]{3} /.test(line))
  .map((line) => line.split(' '))
  .map(([code = '', unit = '']) => ({ code, digits: unit === 'N.A.' ? undefined : Number(unit) }));

/** Those that have a minor unit. */
export const ISO_4217_SCALED = ISO_4217.flatMap(({ code, digits }) =>
  digits === undefined ? [] : [{ code, digits }],
);
