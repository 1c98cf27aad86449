import { BODY_BYTES_MAX } from '../../lib/shared/bounds.ts';
import { InvalidRequestError } from '../../lib/shared/errors.ts';
import { readJsonText } from '../../lib/http/json-text.ts';
import { recordMistakes } from '../../lib/record/record-request.ts';
import { CommandError } from '../command-error.ts';
import { PROBLEM, type Row, type Rows } from './row.ts';
import type { SourceFile } from './source-file.ts';

/** More than any payment has. A file that is one line of all of them would be looked through for hours. */
const LINE_LENGTH_MAX = 2 * BODY_BYTES_MAX;

/**
 * Reads JSON lines, each of them one of the `orders` of a record.
 *
 * @throws CommandError, as the iteration does, where a line is longer than LINE_LENGTH_MAX
 */
export function readJsonLines(source: SourceFile): Rows {
  return { header: undefined, rows: rowsOf(source) };
}

async function* rowsOf(source: SourceFile): AsyncGenerator<Row> {
  let line = 0;
  for await (const text of linesOf(source)) {
    line += 1;
    if (text.trim() !== '') yield { line, ...read(text) };
  }
}

/**
 * Lines end as JSON lets them: at \n, \r\n or \r, which no text of JSON has. For `node:readline`
 * they end at U+2028 as well, since Node 24, which a text may have. Sources: RFC 8259, 7;
 * nodejs/node, pull request 57591.
 */
async function* linesOf(source: SourceFile): AsyncGenerator<string> {
  let rest = '';
  let ended = 0;
  for await (const piece of source.text()) {
    // The character after a \r shows whether it ends the line alone.
    const lines = (rest + piece).split(/\r?\n|\r(?=[^\n])/);
    rest = lines.pop() ?? '';
    yield* lines;
    ended += lines.length;
    if (rest.length > LINE_LENGTH_MAX)
      throw new CommandError(
        `Not imported: line ${ended + 1} of ${source.path} has more than ${LINE_LENGTH_MAX} characters; expected the JSON of one payment on each line.`,
      );
  }
  yield rest;
}

function read(text: string): Omit<Row, 'line'> {
  try {
    const payment = withoutProblem(readJsonText(text));
    return {
      payment,
      mistakes: recordMistakes(payment),
      rejectedAs: (problem) =>
        JSON.stringify(
          typeof payment === 'object' ? { ...payment, problem } : { text, [PROBLEM]: problem },
        ),
    };
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    return {
      payment: undefined,
      mistakes: error.mistakes,
      rejectedAs: (problem) => JSON.stringify({ text, [PROBLEM]: problem }),
    };
  }
}

/** A row that was not taken before says why. */
function withoutProblem(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== PROBLEM));
}
