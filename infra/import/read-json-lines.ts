import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { InvalidRequestError } from '../../lib/domain/errors.ts';
import { readJsonText } from '../../lib/edge/json-text.ts';
import { onePerPlace } from '../../lib/edge/mistakes.ts';
import { recordMistakes } from '../../lib/edge/record-request.ts';
import type { Row, Rows } from './row.ts';
import { PROBLEM } from './row.ts';
import type { SourceFile } from './source-file.ts';

/** Reads JSON lines, each of them one of the `orders` of a record. */
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

async function* linesOf(source: SourceFile): AsyncGenerator<string> {
  const input = Readable.from(source.text());
  // The interface ends silently where its input fails.
  let failure: { readonly error: unknown } | undefined;
  input.on('error', (error) => (failure = { error }));
  const lines = createInterface({ input, crlfDelay: Infinity });
  input.on('error', () => {
    lines.close();
  });
  yield* lines;
  if (failure !== undefined) throw failure.error;
}

function read(text: string): Omit<Row, 'line'> {
  try {
    const parsed = readJsonText(text);
    const payment = withoutProblem(parsed.value);
    return {
      payment,
      mistakes: onePerPlace([...parsed.mistakes, ...recordMistakes(payment)]),
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
