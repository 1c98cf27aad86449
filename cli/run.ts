import completions from '@bomb.sh/tab/commander';
import { Command, CommanderError, Help } from 'commander';
import { InvalidConfigurationError } from '../lib/shared/errors.ts';
import { CommandError, HOW_CALLED, UsageError } from './command-error.ts';
import { COMMANDS } from './commands.ts';
import { NOT_DONE } from './exit-codes.ts';
import { printVisibly } from './printing.ts';
import { VERSION } from '../functions/version.ts';

/**
 * Runs the command line as the whole of this process, whose output may lose its reader or its disk.
 *
 * @param words what stands behind `headroom`
 * @param localFolder where `npm start` keeps its data, if it runs here
 */
export async function runProgram(words: readonly string[], localFolder: string): Promise<void> {
  const printing = printVisibly();
  await runHeadroom(words, (command) => useLocalDatabase(command, localFolder));
  const lost = await printing.end();
  if (lost === undefined) return;
  const done = process.exitCode === NOT_DONE ? '' : ' The command itself finished.';
  console.error(`Not all of the output was written: ${lost}.${done}`);
  process.exitCode = NOT_DONE;
}

/**
 * Runs the command line, and sets how the process ends: `exit-codes.ts`.
 *
 * @param words what stands behind `headroom`
 * @param before what is done before a command does its work
 */
export async function runHeadroom(
  words: readonly string[],
  before: (command: Command) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  try {
    const program = createProgram().hook('preAction', (_program, command) => before(command));
    await program.parseAsync([...words], { from: 'user' });
  } catch (error) {
    process.exitCode = codeOf(error);
  }
}

/** Commands that ask no database. */
const WITHOUT_DATABASE: ReadonlySet<string> = new Set([
  'start',
  'validate',
  'completion',
  'complete',
]);

/** Where nobody says which database, the one of the `npm start` that runs in this clone is meant. */
async function useLocalDatabase(command: Command, folder: string): Promise<void> {
  const isSaid = (process.env.MONGODB_URI ?? '') !== '' || command.opts().url !== undefined;
  const isHelp = command.args.some((word) => word === '--help' || word === '-h');
  if (isSaid || isHelp || WITHOUT_DATABASE.has(command.name())) return;
  const { findRunning, workBeside } = await import('../infra/local/running-start.ts');
  const running = findRunning(folder, process.env.PORT);
  if (running === undefined) return;
  workBeside(running);
  const name = process.env.MONGODB_DATABASE ?? '';
  console.error(`MONGODB_URI is not set: this uses ${name} of npm start on port ${running.port}.`);
}

const COMPLETION = 'completion';
/** Commands that stand in the line of another one: a screen has no line more. */
const BESIDE: ReadonlyMap<string, string> = new Map([
  ['suggest', 'backtest'],
  ['release', 'apps'],
]);
const COMPLETION_SUMMARY = 'print the completion of zsh, bash, fish, powershell';

/** The command line with every command. */
export function createProgram(): Command {
  const program = new Command('headroom')
    .version(VERSION, '-V, --version')
    .usage('COMMAND [--help]; all commands: docs/command-line.md')
    .enablePositionalOptions()
    .helpCommand(false)
    .exitOverride()
    .allowExcessArguments(false)
    .showSuggestionAfterError(true)
    .showHelpAfterError(HOW_CALLED)
    .configureOutput({
      // Through the console, as everything else that is printed.
      writeOut: (text) => {
        console.log(withoutEnd(text));
      },
      writeErr: (text) => {
        console.error(withoutEnd(text));
      },
      outputError: (text, write) => {
        write(asSentence(text));
      },
    });
  for (const register of COMMANDS) register(program);
  completions(program, { completionCommandName: COMPLETION });
  program.commands.find((each) => each.name() === COMPLETION)?.summary(COMPLETION_SUMMARY);
  // Its own options are the two that everybody knows, and its list needs no heading and no empty line: a
  // screen has 24 lines, and commands need them.
  return program.configureHelp({
    visibleOptions: () => [],
    // The completion has no line: who looks for it looks at the page.
    visibleCommands: (command) =>
      Help.prototype.visibleCommands
        .call(new Help(), command)
        .filter((each) => each.name() !== COMPLETION && !BESIDE.has(each.name())),
    subcommandTerm: (command) => namesInLine(command.name()).join(', '),
    formatItemList: (_heading, items) => [...items],
    formatHelp: (command, helper) => {
      const text = Help.prototype.formatHelp.call(helper, command, helper);
      return command === program ? text.replace('\n\n', '\n') : text;
    },
  });
}

function namesInLine(name: string): readonly string[] {
  return [name, ...[...BESIDE].flatMap(([one, before]) => (before === name ? [one] : []))];
}

function withoutEnd(text: string): string {
  return text.replace(/\n$/, '');
}

/** The library's messages, as ours are: `error: unknown option '--nope'` is `Unknown option '--nope'.` */
function asSentence(text: string): string {
  const [, first = '', rest = ''] = /^error: (.)(.*)$/s.exec(withoutEnd(text)) ?? [];
  if (first === '') return text;
  const [sentence = '', ...hints] = `${first.toUpperCase()}${rest}`.split('\n');
  const ended = /[.?!]$/.test(sentence) ? sentence : `${sentence}.`;
  return `${[ended, ...hints].join('\n')}\n`;
}

/** One sentence of what nobody expected; with VERBOSE=1 where it happened, too. */
function brokenText(error: unknown): unknown {
  if (process.env.VERBOSE === '1') return error;
  return `Not done, because of an error in Headroom: ${String(error)}. VERBOSE=1 shows where it happened.`;
}

/** Says what was wrong, unless that was said, and gives how the process ends. */
function codeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : NOT_DONE;
  if (error instanceof UsageError) console.error(`${error.message}\n${HOW_CALLED}`);
  else if (error instanceof CommandError || error instanceof InvalidConfigurationError)
    console.error(error.message);
  else console.error(brokenText(error));
  return NOT_DONE;
}
