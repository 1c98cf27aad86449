import type { UnknownKind } from '../packages/client/src/index.ts';

/** A column of a table: its name, and whether its values are numbers, which end under one another. */
export type Column = { readonly name: string; readonly isNumber?: boolean };

/** Prints what a program reads: one JSON value. */
export function printJson(value: unknown): void {
  console.log(JSON.stringify(value, undefined, 2));
}

/** Controls, ends of lines, and what turns the direction of writing. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Writes what callers said, such as a subject's id, so that it is seen: a line feed as `\u000a`. It can
 * then neither end the line it stands in nor rule the terminal.
 */
export function visible(text: string): string {
  return text.replaceAll(UNSEEN, codeOf);
}

/** Does so with a text of lines, whose ends and tabs stay. */
export function visibleLines(text: string): string {
  return text.replaceAll(UNSEEN, (each) => (each === '\n' || each === '\t' ? each : codeOf(each)));
}

function codeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A number as people read it: `12,000`. */
export function numberText(number: number | bigint): string {
  return number.toLocaleString('en');
}

/** So many of something: `1 row`, `12,000 rows`. */
export function countText(number: number, noun: string): string {
  return `${numberText(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** Subjects as documents are called: `user:u-1 merchant:m-1`. */
export function subjectsText(subjects: Readonly<Record<string, string>>): string {
  return visible(
    Object.entries(subjects)
      .map((each) => each.join(':'))
      .join(' '),
  );
}

/** Says which subject kinds no rule knows, a line each; most likely they are mistyped. */
export function unknownKindsText(kinds: readonly UnknownKind[] = []): string {
  return kinds
    .map(
      ({ kind, nearest }) =>
        `No rule knows the subject kind ${kind}. Nearest to it: ${nearest.join(', ')}.\n`,
    )
    .join('');
}

/** Writes rows under their columns' names, two spaces apart. The last column may be as long as it likes. */
export function tableText(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): string {
  const lines = [
    columns.map(({ name }) => name.toUpperCase()),
    ...rows.map((row) => row.map(visible)),
  ];
  const widths = columns.map((_column, index) =>
    Math.max(...lines.map((line) => (line[index] ?? '').length)),
  );
  return lines
    .map((line) =>
      columns
        .map(({ isNumber = false }, index) => {
          const [text, width] = [line[index] ?? '', widths[index] ?? 0];
          return isNumber ? text.padStart(width) : text.padEnd(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** How often long work says how far it has come, where nobody sees the line change. */
const SAID_EVERY_MS = 10_000;
/** How often the line changes, where somebody sees it. */
const SHOWN_EVERY_MS = 200;
/** Nobody waits for what takes less. */
const SILENT_MS = 1_000;

/** Says on stderr how far long work has come; what is printed for programs stays clean. */
export class Progress {
  readonly #startedMs = performance.now();
  readonly #stream = process.stderr;
  #saidMs = performance.now();
  #isShown = false;

  /** @param text what was done so far: `1,200 documents` */
  say(text: string): void {
    const nowMs = performance.now();
    const everyMs = this.#stream.isTTY ? SHOWN_EVERY_MS : SAID_EVERY_MS;
    if (nowMs - this.#startedMs < SILENT_MS || nowMs - this.#saidMs < everyMs) return;
    this.#saidMs = nowMs;
    if (this.#stream.isTTY) {
      this.#isShown = true;
      this.#stream.write(`\r\x1b[K${text}…`);
    } else this.#stream.write(`${text}…\n`);
  }

  /** Takes the line away, for a line of the result. */
  clear(): void {
    if (this.#isShown) this.#stream.write('\r\x1b[K');
    this.#isShown = false;
  }
}
