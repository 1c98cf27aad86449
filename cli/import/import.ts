import { createHash } from 'node:crypto';
import { HeadroomError } from '../../packages/client/src/index.ts';
import { countText, numberText, printJson, Progress } from '../output.ts';
import { DONE, FOUND, NOT_DONE } from '../exit-codes.ts';
import { CommandError } from '../command-error.ts';
import { fileReason } from '../file-reason.ts';
import { takeLock } from '../lock-file.ts';
import type { ImportOptions } from './import-options.ts';
import { summaryText, surveyText, wrongText } from './import-text.ts';
import { readProgress, type ImportProgress } from './progress-file.ts';
import { readCsv } from './read-csv.ts';
import { readJsonLines } from './read-json-lines.ts';
import { RejectedFile } from './rejected-file.ts';
import type { Rows } from './row.ts';
import type { Client } from './send.ts';
import { Sending } from './sending.ts';
import { SourceFile } from './source-file.ts';
import { survey, type Survey } from './survey.ts';
import { emptyTally } from './tally.ts';
import { UnwrittenError } from './unwritten-error.ts';

/** Runs something with a client that is open meanwhile. */
type WithClient = (work: (client: Client) => Promise<number>) => Promise<number>;

/**
 * Counts the payments of a file, each once.
 *
 * The whole file is read first, and nothing is sent where a row is wrong. Then it is sent in its order,
 * one call after the other, and what is through is noted after each: a second run goes on there. The
 * call that was under way is sent again, which counts nothing twice.
 *
 * @returns how the command ends
 * @throws CommandError in a sentence
 */
export async function importFile(
  options: ImportOptions,
  withClient: WithClient,
  warningsOf: (found: Survey) => Promise<readonly string[]>,
): Promise<number> {
  if (options.isDryRun) {
    const { found } = await readWhole(options);
    return tellDry(options, {
      ...found,
      warnings: [...found.warnings, ...(await warningsOf(found))],
    });
  }
  const { path, progressPath } = options;
  const unlock = await takeLock(
    `${progressPath}.lock`,
    (pid) =>
      new CommandError(
        `Not imported: another import of ${path} is running (process ${pid}). Wait until it ends.`,
      ),
  ).catch((error: unknown) => {
    if (error instanceof CommandError) throw error;
    throw new CommandError(
      `Not imported: ${progressPath} cannot be written: ${fileReason(error)}; name another file with --progress.`,
      { cause: error },
    );
  });
  try {
    return await importAlone(options, withClient);
  } finally {
    await unlock();
  }
}

async function importAlone(options: ImportOptions, withClient: WithClient): Promise<number> {
  const begun = readProgress(options.progressPath);
  if (begun === undefined) {
    const { found, digest } = await readWhole(options);
    const ended = answerOf(options, found);
    if (ended !== undefined) return ended;
    const { rows } = found;
    const progress: ImportProgress = {
      file: digest,
      how: howOf(options),
      rows,
      done: 0,
      rejectedBytes: 0,
      tally: emptyTally(),
    };
    return withClient((client) => sendRest(options, client, progress));
  }
  await refuseOther(options, begun);
  const { rows, done } = begun;
  if (done === rows) {
    tellAll(options, begun);
    tell(
      options,
      `All rows are imported already. To send them again, remove ${options.progressPath}.`,
    );
    return endOf(begun);
  }
  new RejectedFile(options.rejectedPath, undefined, begun.rejectedBytes).assertThere(
    options.progressPath,
  );
  tell(options, `Goes on after ${numberText(done)} of ${countText(rows, 'row')}.`);
  return withClient((client) => sendRest(options, client, begun));
}

/** For people alone: programs read one value. */
function tell({ json }: ImportOptions, text: string): void {
  if (!json) console.log(text);
}

function open(options: ImportOptions, source: SourceFile): Promise<Rows> {
  return options.format === 'csv'
    ? readCsv(source, options, options.delimiter)
    : Promise.resolve(readJsonLines(source));
}

async function readWhole(
  options: ImportOptions,
): Promise<{ readonly found: Survey; readonly digest: string }> {
  const source = new SourceFile(options.path);
  const progress = new Progress();
  const found = await survey(await open(options, source), options.now, (rows) => {
    progress.say(`${countText(rows, 'row')} read`);
  });
  progress.clear();
  return { found, digest: source.digest() };
}

/** Says what a file holds. */
function tellSurvey(options: ImportOptions, found: Survey): void {
  const { path } = options;
  tell(options, surveyText(path, found));
  for (const warning of found.warnings) console.error(`WARNING: ${warning}`);
  if (found.rows === 0) throw new CommandError(`Not imported: ${path} has no rows.`);
}

/** How a dry run ends. */
function tellDry(options: ImportOptions, found: Survey): number {
  tellSurvey(options, found);
  const { rows, wrong, named } = found;
  if (options.json) printJson({ rows, wrong, named });
  else if (wrong > 0) console.log(wrongText(found));
  return wrong > 0 ? FOUND : DONE;
}

/** How the command ends where nothing is to be sent. */
function answerOf(options: ImportOptions, found: Survey): number | undefined {
  const { skipsInvalid } = options;
  tellSurvey(options, found);
  if (found.wrong === 0 || skipsInvalid) return undefined;
  console.error(wrongText(found));
  console.error(
    `Not imported: ${numberText(found.wrong)} of ${countText(found.rows, 'row')} are wrong. Correct them, or leave them out with --skip-invalid.`,
  );
  return NOT_DONE;
}

/** The conditions that must be equal when an import goes on. */
function howOf(options: ImportOptions): string {
  const { into, format, delimiter, columns, constants, ignored, skipsInvalid } = options;
  const read = JSON.stringify([format, delimiter, [...columns], [...constants], ignored]);
  const digest = createHash('sha256').update(read).digest('base64url').slice(0, 16);
  return `${into}, columns ${digest}${skipsInvalid ? ', without wrong rows' : ''}`;
}

/** @throws CommandError where it is the progress of another file, or into another place */
async function refuseOther(options: ImportOptions, begun: ImportProgress): Promise<void> {
  const { path, progressPath } = options;
  const how = howOf(options);
  if (begun.how !== how)
    throw new CommandError(
      `Not imported: ${progressPath} is of an import into ${begun.how}; this one is into ${how}. Continue with the first target, or name another file with --progress.`,
    );
  const source = new SourceFile(path);
  await source.readToEnd();
  if (source.digest() !== begun.file) throw changed(path, begun);
}

function changed(path: string, { done, rows }: ImportProgress): CommandError {
  return new CommandError(
    `Not wholly imported: ${path} was changed since its import began, and ${numberText(done)} of ${countText(rows, 'row')} are imported. Restore the file to continue.`,
  );
}

/** Sends what is not through yet. */
async function sendRest(
  options: ImportOptions,
  client: Client,
  begun: ImportProgress,
): Promise<number> {
  const source = new SourceFile(options.path);
  const { header, rows } = await open(options, source);
  const rejected = new RejectedFile(options.rejectedPath, header, begun.rejectedBytes);
  const sending = new Sending(options, client, rejected, begun);
  try {
    let read = 0;
    for await (const row of rows) {
      read += 1;
      if (read > begun.done) await sending.take(row);
    }
    await sending.flush();
  } catch (error) {
    if (!(error instanceof HeadroomError || error instanceof UnwrittenError)) throw error;
    const { done } = sending.progress;
    throw new CommandError(
      `Not wholly imported: ${numberText(done)} of ${countText(begun.rows, 'row')} are imported; the same command continues there. ${error.message}`,
      { cause: error },
    );
  } finally {
    sending.clear();
    await rejected.close();
  }
  if (source.digest() !== begun.file) throw changed(options.path, sending.progress);
  tellAll(options, sending.progress);
  return endOf(sending.progress);
}

function endOf({ tally }: ImportProgress): number {
  return tally.rejected > 0 ? FOUND : DONE;
}

function tellAll(options: ImportOptions, { rows, tally }: ImportProgress): void {
  const { json, path, rejectedPath } = options;
  if (json)
    printJson({ file: path, rows, ...tally, ...(tally.rejected > 0 ? { rejectedPath } : {}) });
  else console.log(summaryText(rows, tally, rejectedPath));
}
