import type { Tokens } from 'marked';
import ts from 'typescript-api';
import { pageAt } from './pages.ts';

/** An answer as a page prints it. */
export type PrintedAnswer = {
  readonly body: unknown;
  /** Printed as `jsonc`: the answer has more than what is printed. */
  readonly isPart: boolean;
};

/** A block of commands, and the answers below it: those of its last calls. */
export type Commands = {
  readonly page: string;
  readonly script: string;
  readonly answers: readonly PrintedAnswer[];
};

/**
 * Finds the blocks of a page that call Headroom, each with the answers that are printed between it and
 * the next block or heading.
 *
 * @throws Error for an answer without a call, and for a call in a block that is not marked as `sh`
 */
export function commandsOn(path: string): readonly Commands[] {
  const found: { script: string; answers: PrintedAnswer[] }[] = [];
  let isOpen = false;
  for (const token of pageAt(path).tokens) {
    if (token.type === 'heading') isOpen = false;
    if (token.type !== 'code') continue;
    const { lang = '', text } = token as Tokens.Code;
    if (/\bcurl\b/.test(text)) {
      if (lang !== 'sh') throw new Error(`${path}: a block with curl is not marked as sh: ${text}`);
      found.push({ script: text, answers: [] });
      isOpen = true;
    } else if (lang === 'json' || lang === 'jsonc') {
      const last = found.at(-1);
      if (last === undefined || !isOpen) throw new Error(`${path}: nobody asked for ${text}`);
      last.answers.push({ body: parse(path, text), isPart: lang === 'jsonc' });
    }
  }
  return found.map((each) => ({ page: path, ...each }));
}

/** Comments and commas at the end are allowed, as formatters write them. */
function parse(path: string, text: string): unknown {
  const { config, error } = ts.parseConfigFileTextToJson(path, text) as {
    readonly config?: unknown;
    readonly error?: ts.Diagnostic;
  };
  if (error !== undefined)
    throw new Error(`${path}: ${ts.flattenDiagnosticMessageText(error.messageText, ' ')}: ${text}`);
  return config;
}

const INSTANT = /^\d{4}-\d\d-\d\dT(\d\d:\d\d):(\d\d\.\d{3})Z$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** An opaque text is printed by its beginning, of which so much is the same for all. */
const SHORTENED = /^(.{4}).*…$/;

/**
 * Gives an answer as it would be printed: what differs with each run is taken from what is printed, if
 * it is of the same form, and of a part what is not printed is left out. So it is equal to what is
 * printed, or shows where not.
 */
export function asPrinted(actual: unknown, printed: unknown, isPart: boolean): unknown {
  if (typeof actual === 'string' && typeof printed === 'string')
    return isAlike(actual, printed) ? printed : actual;
  if (Array.isArray(actual) && Array.isArray(printed)) return asList(actual, printed, isPart);
  if (!isRecord(actual) || !isRecord(printed)) return actual;
  const told = Object.entries(actual).filter(([name]) => !isPart || name in printed);
  return Object.fromEntries(
    told.map(([name, value]) => [name, asPrinted(value, printed[name], isPart)]),
  );
}

function asList(actual: readonly unknown[], printed: readonly unknown[], isPart: boolean) {
  if (!isPart || actual.length === printed.length)
    return actual.map((value, index) => asPrinted(value, printed[index], isPart));
  // If only some rules are printed, each is found by its own name.
  return printed.flatMap((wanted) => {
    const found = actual.find((value) => isRecord(value) && value.rule === ruleOf(wanted));
    return found === undefined ? [] : [asPrinted(found, wanted, isPart)];
  });
}

function ruleOf(value: unknown): unknown {
  return isRecord(value) ? value.rule : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Replaces what differs with each run. The end of a window differs only by its day. */
function isAlike(actual: string, printed: string): boolean {
  const [, time, seconds] = INSTANT.exec(printed) ?? [];
  if (time !== undefined) {
    const [, actualTime, actualSeconds] = INSTANT.exec(actual) ?? [];
    if (actualTime === undefined) return false;
    return seconds !== '00.000' || (actualTime === time && actualSeconds === seconds);
  }
  const [, beginning] = SHORTENED.exec(printed) ?? [];
  if (beginning !== undefined) return actual.startsWith(beginning);
  return UUID.test(printed) && UUID.test(actual);
}
