import { Readable } from 'node:stream';
import { CsvError, parse, type Info } from 'csv-parse';
import { BODY_BYTES_MAX } from '../../lib/shared/bounds.ts';
import { recordMistakes } from '../../lib/record/record-request.ts';
import { CommandError } from '../command-error.ts';
import { columnsOf, type ColumnOptions } from './columns.ts';
import { PROBLEM, type Row, type Rows } from './row.ts';
import type { SourceFile } from './source-file.ts';

/** A record as the parser gives it. */
type Parsed = { readonly record: readonly string[]; readonly info: Info };

/**
 * Reads the rows of a CSV file (RFC 4180), of which the first names the columns.
 *
 * @throws CommandError where the columns are not a payment's; so does the iteration, where a row is
 *   no CSV
 */
export async function readCsv(
  source: SourceFile,
  options: ColumnOptions,
  delimiter: string,
): Promise<Rows> {
  const parser = parse({
    delimiter,
    // Each line may end otherwise: by itself the parser takes the first one's end for that of all.
    record_delimiter: ['\r\n', '\n', '\r'],
    info: true,
    relax_column_count: true, // told of the row, with its line
    skip_empty_lines: true,
    max_record_size: 2 * BODY_BYTES_MAX,
  });
  const text = Readable.from(source.text());
  text.on('error', (error) => parser.destroy(error));
  const records = text.pipe(parser)[Symbol.asyncIterator]() as AsyncIterator<Parsed>;
  const next = (): Promise<IteratorResult<Parsed>> => records.next().catch(toldOf(source.path));
  const first = await next();
  if (first.done === true) throw new CommandError(`Not imported: ${source.path} is empty.`);
  const header = first.value.record;
  const paymentOf = columnsOf(source.path, header, options);
  const problemAt = header.findIndex((name) => name.trim() === PROBLEM);
  const written = (cells: readonly string[], problem: string): string =>
    csvLine(
      [...header.flatMap((_, at) => (at === problemAt ? [] : [cells[at] ?? ''])), problem],
      delimiter,
    );
  async function* rows(): AsyncGenerator<Row> {
    try {
      for (let one = await next(); one.done !== true; one = await next()) {
        const { record, info } = one.value;
        const { payment, mistakes } = paymentOf(record);
        const isWhole = record.length === header.length;
        yield {
          line: info.lines,
          payment,
          mistakes: isWhole ? distinct(mistakes, payment) : [lengthMistake(record, header)],
          rejectedAs: (problem) => written(record, problem),
        };
      }
    } finally {
      text.destroy(); // a reader that ends early leaves no file open
    }
  }
  return { header: written(header, PROBLEM), rows: rows() };
}

function toldOf(path: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof CsvError)) throw error;
    throw new CommandError(`Not imported: ${path} is no CSV: ${error.message}.`);
  };
}

function distinct(own: Row['mistakes'], payment: object): Row['mistakes'] {
  const paths = own.map(({ path }) => path);
  return [...own, ...recordMistakes(payment).filter(({ path }) => !paths.includes(path))];
}

function lengthMistake(record: readonly string[], header: readonly string[]) {
  return {
    path: '',
    value: `${record.length} cells long`,
    expected: `${header.length}, one for each column`,
  };
}

function csvLine(cells: readonly string[], delimiter: string): string {
  const isPlain = (cell: string): boolean => !/["\r\n]/.test(cell) && !cell.includes(delimiter);
  return cells
    .map((cell) => (isPlain(cell) ? cell : `"${cell.replaceAll('"', '""')}"`))
    .join(delimiter);
}
