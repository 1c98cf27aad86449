import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { CommandError, UsageError } from '../command-error.ts';
import { setting } from '../database-command.ts';
import { readFields, type ColumnOptions } from './columns.ts';

/** The file to import, and how. */
export type ImportOptions = ColumnOptions & {
  readonly path: string;
  readonly format: 'csv' | 'jsonl';
  readonly delimiter: string;
  /** Where it is counted, and for which application: `database headroom, application default`. */
  readonly into: string;
  readonly progressPath: string;
  readonly rejectedPath: string;
  readonly isDryRun: boolean;
  readonly skipsInvalid: boolean;
  readonly json: boolean;
  readonly now: () => Date;
};

/** The options of the command line. */
export type GivenOptions = {
  readonly column?: readonly string[];
  readonly set?: readonly string[];
  readonly ignore?: readonly string[];
  readonly delimiter: string;
  readonly dryRun?: boolean;
  readonly skipInvalid?: boolean;
  readonly progress?: string;
  readonly app?: string;
  readonly url?: string;
  readonly json?: boolean;
};

const FORMATS: ReadonlyMap<string, 'csv' | 'jsonl'> = new Map([
  ['.csv', 'csv'],
  ['.tsv', 'csv'],
  ['.txt', 'csv'],
  ['.jsonl', 'jsonl'],
  ['.ndjson', 'jsonl'],
]);

/** Understands what an import is called with. @throws UsageError, CommandError where there is no file */
export function readImportOptions(path: string, given: GivenOptions): ImportOptions {
  if (!existsSync(path)) throw new CommandError(`Not imported: there is no file ${path}.`);
  const extension = extname(path);
  const format = FORMATS.get(extension.toLowerCase());
  if (format === undefined)
    throw new UsageError(
      `${path} ends in ${JSON.stringify(extension)}, expected one of ${[...FORMATS.keys()].join(', ')}.`,
    );
  const { column = [], set = [], ignore = [], delimiter } = given;
  if (format === 'jsonl' && column.length + set.length + ignore.length > 0)
    throw new UsageError(
      `--column, --set and --ignore are for CSV; a line of ${path} is a payment, as for POST /v1/record.`,
    );
  const read = delimiter === '\\t' || extension === '.tsv' ? '\t' : delimiter;
  if (read.length !== 1 || /["\r\n]/.test(read))
    throw new UsageError(
      `--delimiter is ${JSON.stringify(delimiter)}, expected one character, such as ";" or "\\t".`,
    );
  return {
    path,
    format,
    delimiter: read,
    ignored: ignore,
    columns: readFields('--column', column),
    constants: readFields('--set', set),
    into: placeOf(given),
    progressPath: given.progress ?? `${path}.progress`,
    rejectedPath: `${path.slice(0, path.length - extension.length)}.rejected${extension}`,
    isDryRun: given.dryRun ?? false,
    skipsInvalid: given.skipInvalid ?? false,
    json: given.json ?? false,
    now: () => new Date(),
  };
}

function placeOf({ url, app = 'default' }: GivenOptions): string {
  if (url !== undefined) return `${url} of ${setting('HEADROOM_APP_ID') ?? 'nobody who signs'}`;
  return `database ${setting('MONGODB_DATABASE') ?? 'headroom'}, application ${app}`;
}
